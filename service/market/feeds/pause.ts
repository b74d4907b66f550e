// Service, market feeds: waits on a clock, and no longer than a signal allows.
import type { Clock } from '../../../shared/lib/clock.ts';

/** @throws the signal's reason */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const give = (): void => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.after(Math.ceil(ms), () => {
      signal.removeEventListener('abort', give);
      resolve();
    });
    signal.addEventListener('abort', give, { once: true });
  });
}
