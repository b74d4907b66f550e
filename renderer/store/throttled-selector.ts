// Renderer: a part of the state that is worked out once for all who show it, and not with every event of a flood.
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import type { AppState } from './state.ts';
import type { AppStore } from './store.ts';

export interface ThrottledSelector<Part> {
  read(): Part;
  subscribe(listener: () => void): Cancel;
}

export interface ThrottledSelectorOptions<Part> {
  readonly clock: Clock;
  /** The least time between two changes, ms: the first is seen at once, what follows it within this time is seen together after it. */
  readonly pause: number;
  /** @param before what it gave last; the same object where nothing in it is another */
  readonly select: (state: AppState, before: Part | null) => Part;
}

/** Follows the store while somebody shows it. */
export function createThrottledSelector<Part>(
  store: AppStore,
  { clock, pause, select }: ThrottledSelectorOptions<Part>,
): ThrottledSelector<Part> {
  const listeners = new Set<() => void>();
  let part: Part | null = null;
  let of: AppState | null = null;
  let cancelPause: Cancel | null = null;
  let unfollow: Cancel = () => undefined;

  /** Returns whether it is another now. */
  const renew = (): boolean => {
    const state = store.getState();
    if (state === of && part !== null) return false;
    const before = part;
    of = state;
    part = select(state, before);
    return part !== before;
  };
  const show = (): void => {
    if (!renew()) return;
    cancelPause = clock.after(pause, () => {
      cancelPause = null;
      show();
    });
    for (const listener of [...listeners]) listener();
  };
  return {
    read() {
      if (listeners.size === 0 || part === null) renew();
      return part as Part;
    },
    subscribe(listener) {
      if (listeners.size === 0) {
        unfollow = store.subscribe(() => {
          if (cancelPause === null) show();
        });
        // It may have become another since it was read.
        renew();
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        unfollow();
        cancelPause?.();
        cancelPause = null;
      };
    },
  };
}
