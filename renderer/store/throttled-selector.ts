// Renderer: a selector computed once for all subscribers, and throttled in a flood of events.
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import type { AppState } from './state.ts';
import type { AppStore } from './store.ts';

export interface ThrottledSelector<Part> {
  read(): Part;
  subscribe(listener: () => void): Cancel;
}

export interface ThrottledSelectorOptions<Part> {
  readonly clock: Clock;
  /** Minimum time between two changes, ms: the first is published at once, later ones together after it. */
  readonly pause: number;
  /** @param before the previous result; return the same object if nothing in it changed */
  readonly select: (state: AppState, before: Part | null) => Part;
}

/** Follows the store while it has subscribers. */
export function createThrottledSelector<Part>(
  store: AppStore,
  { clock, pause, select }: ThrottledSelectorOptions<Part>,
): ThrottledSelector<Part> {
  const listeners = new Set<() => void>();
  let part: Part | null = null;
  let of: AppState | null = null;
  let cancelPause: Cancel | null = null;
  let unfollow: Cancel = () => undefined;

  /** Returns whether the value changed. */
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
        // The value may have changed since it was read.
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
