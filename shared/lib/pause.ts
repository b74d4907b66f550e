// Pure: waits on a clock, and no longer than a signal allows.
import type { Cancel, Clock } from './clock.ts';
import { type Signal, untilAborted } from './until-aborted.ts';

/** @throws the signal's reason */
export function pause(clock: Clock, ms: number, signal?: Signal): Promise<void> {
  let cancel: Cancel = () => undefined;
  const wait = new Promise<void>((resolve) => {
    cancel = clock.after(Math.ceil(ms), resolve);
  });
  return signal === undefined ? wait : untilAborted(wait, signal).finally(cancel);
}
