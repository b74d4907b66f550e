// Renderer: the one door into the store. What is heard is gathered and written once per animation frame;
// while the window is hidden (no frames run then) it is written at once, so that a title, a tray or a speaker is never late.
import type { StoreApi } from 'zustand/vanilla';
import { type Heard, reduce } from './reduce.ts';
import type { AppState } from './state.ts';

/** The page's frames and visibility, passed in so that a test can drive them. */
export interface Frames {
  request(job: () => void): void;
  hidden(): boolean;
  /** Called whenever the window is shown or hidden. */
  watch(listener: () => void): void;
}

export type Ingest = (heard: Heard) => void;

export function createIngest(store: StoreApi<AppState>, frames: Frames): Ingest {
  let waiting: Heard[] = [];
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) store.setState((state) => batch.reduce(reduce, state), true);
  };
  frames.watch(() => {
    if (frames.hidden()) flush();
  });
  return (heard) => {
    waiting.push(heard);
    if (frames.hidden()) flush();
    else if (waiting.length === 1) frames.request(flush);
  };
}
