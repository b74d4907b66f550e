// Renderer: the one writer of the store: batches actions, one write per animation frame.
// A hidden window has no frames: it writes at once, so that title, tray and announcements are not late; in a
// flood a few times a second.
import type { StoreApi } from 'zustand/vanilla';
import { reduce, type StoreAction } from './reduce.ts';
import type { AppState } from './state.ts';

/** The page's frames and visibility, passed in so that a test can drive them. */
export interface Frames {
  request(job: () => void): void;
  hidden(): boolean;
  /** Runs the job once after `ms`, independently of frames. */
  after(ms: number, job: () => void): void;
  /** Calls the listener whenever the window is shown or hidden. */
  watch(listener: () => void): void;
}

export type Ingest = (action: StoreAction) => void;

/** In a hidden window, actions within this time after a write are written together, ms. */
const HIDDEN_PAUSE = 250;

export function createIngest(store: StoreApi<AppState>, frames: Frames): Ingest {
  let waiting: StoreAction[] = [];
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) store.setState((state) => batch.reduce(reduce, state), true);
  };
  let pauses = false;
  const flushHidden = (): void => {
    if (pauses) return;
    flush();
    pauses = true;
    frames.after(HIDDEN_PAUSE, () => {
      pauses = false;
      if (frames.hidden() && waiting.length > 0) flushHidden();
    });
  };
  frames.watch(flush);
  return (action) => {
    waiting.push(action);
    if (frames.hidden()) flushHidden();
    else if (waiting.length === 1) frames.request(flush);
  };
}
