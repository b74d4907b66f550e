// Service, proxy: ends a running answer (a stream) when its session loses the right to it.
import type { ServerResponse } from 'node:http';
import { type Cancel, type Clock, every } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Logger } from '../logger.ts';

/** How long an answer may outlive its session, or the key of it, ms. The service has the same for streams of a key. */
const CHECK_MS = 1_000;

export interface RunningAnswers {
  /** Cuts the answer once it is not allowed; the client's next request is refused with the reason. */
  watch(answer: ServerResponse, isAllowed: () => boolean): void;
}

export function createRunningAnswers(clock: Clock, logger: Logger): RunningAnswers {
  const running = new Map<ServerResponse, () => boolean>();
  let stop: Cancel | null = null;
  const cut = (): void => {
    try {
      for (const [answer, isAllowed] of [...running]) if (!isAllowed()) answer.destroy();
    } catch (error) {
      // A store that cannot be read now says nothing about a key; the next check asks again.
      logger.warn({ error: messageOf(error) }, 'sessions of the dashboard cannot be checked');
    }
  };
  return {
    watch(answer, isAllowed) {
      if (answer.destroyed) return;
      running.set(answer, isAllowed);
      stop ??= every(clock, CHECK_MS, cut);
      answer.once('close', () => {
        running.delete(answer);
        if (running.size > 0) return;
        stop?.();
        stop = null;
      });
    },
  };
}
