// Main, core: plans the next run of a check that follows events and times.
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';

export interface NextCheck {
  /** Runs it after this time, ms, at the latest. An earlier run stays: events without end must not put it off. */
  within(ms: number, check: () => unknown): void;
  /** Nothing runs any more. */
  stop(): void;
}

export function createNextCheck(clock: Clock): NextCheck {
  let planned: { readonly at: number; readonly cancel: Cancel } | null = null;
  let isStopped = false;
  return {
    within(ms, check) {
      const at = clock.now() + ms;
      if (isStopped || (planned !== null && planned.at <= at)) return;
      planned?.cancel();
      const run = (): void => {
        planned = null;
        check();
      };
      planned = { at, cancel: clock.after(ms, run) };
    },
    stop() {
      isStopped = true;
      planned?.cancel();
    },
  };
}
