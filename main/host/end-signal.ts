// Main, host: ends a process of the application at a signal, or after the end of its npm parent.
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { whenOrphaned } from '../../shared/lib/orphan.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs `job` at each signal, and after the end of the parent. */
export function onEnd(environment: NodeJS.ProcessEnv, clock: Clock, job: (signal: NodeJS.Signals) => void): Cancel {
  const passes = SIGNALS.map((name) => {
    const pass = (): void => end(name);
    process.on(name, pass);
    return () => process.off(name, pass);
  });
  const stopOrphanCheck =
    environment.npm_lifecycle_event === undefined
      ? () => undefined
      : whenOrphaned(
          () => process.ppid,
          clock,
          () => end('SIGTERM'),
        );
  const cancel = (): void => {
    stopOrphanCheck();
    for (const stop of passes) stop();
  };
  const end = (signal: NodeJS.Signals): void => {
    stopOrphanCheck();
    job(signal);
  };
  return cancel;
}
