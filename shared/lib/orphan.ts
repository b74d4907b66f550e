// Pure: notices that the parent process has ended.
// npm runs a script through a shell and passes SIGTERM to that shell alone, so that a script which only
// listens for signals would keep running, unnoticed, on its port.
import { type Cancel, type Clock, every } from './clock.ts';
import { SECOND_MS } from './time.ts';

/**
 * Runs `job` once when the parent process has changed.
 * @param parent returns the number of the present parent process
 */
export function whenOrphaned(parent: () => number, clock: Clock, job: () => void): Cancel {
  const first = parent();
  const stop = every(clock, SECOND_MS, () => {
    if (parent() === first) return;
    stop();
    job();
  });
  return stop;
}
