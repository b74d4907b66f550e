// Main, core: receives answers from a server until a signal; after a failure it waits, longer each time.
import { type BackoffOptions, backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { withoutEcho } from '../compat/echo.ts';
import type { AnswerPorts } from './channel-press.ts';

const RETRY: BackoffOptions = { base: 1_000, cap: 60_000 };

export interface AnswerServer {
  /** For the log. */
  readonly name: string;
  /** Hidden in what is logged. */
  readonly secret: string | null;
}

/**
 * @param receive one connection. It calls `isWorking` when the server has accepted it; it may end by itself
 */
export async function receiveUntil(
  signal: AbortSignal,
  { name, secret }: AnswerServer,
  { clock, random, logger }: Pick<AnswerPorts, 'clock' | 'random' | 'logger'>,
  receive: (isWorking: () => void) => Promise<void>,
): Promise<void> {
  let failures = 0;
  const isWorking = (): void => {
    failures = 0;
  };
  while (!signal.aborted) {
    try {
      await receive(isWorking);
    } catch (error) {
      if (signal.aborted) return;
      const problem = withoutEcho(messageOf(error), secret);
      // The first of a row tells all of them.
      if (failures === 0) logger.warn({ problem }, `answers from ${name} cannot be received; retrying`);
      await elapsed(clock, backoffDelay(failures, RETRY, random, 500), signal);
      failures += 1;
    }
  }
}

/** Resolves after this time, ms, or at the signal. */
export const elapsed = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    signal.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
