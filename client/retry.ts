// Client: makes a GET again that failed for a reason that passes; nothing else is sent twice.
import { backoffDelay } from '../shared/lib/backoff.ts';
import type { Result } from '../shared/lib/result.ts';
import { type RouteName, routes } from '../shared/wire/routes.ts';
import { LONGEST_WAIT_MS } from './pacer.ts';
import type { ServiceProblem } from './problem.ts';

export type Retry = <Value>(
  name: RouteName,
  send: () => Promise<Result<Value, ServiceProblem>>,
) => Promise<Result<Value, ServiceProblem>>;

const BACKOFF = { base: 500, cap: LONGEST_WAIT_MS };

export const createRetry =
  (times: number, random: () => number, sleep: (ms: number) => Promise<void>): Retry =>
  async (name, send) => {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await send();
      if (answer.ok || routes[name].method !== 'GET' || attempt >= times || !passes(answer.error)) return answer;
      await sleep(backoffDelay(attempt, BACKOFF, random, answer.error.retryAfter ?? 0));
    }
  };

/** A longer wait is the caller's decision, as is a call that the client itself held back: it has no status. */
function passes({ kind, status, retryAfter }: ServiceProblem): boolean {
  if ((retryAfter ?? 0) > LONGEST_WAIT_MS) return false;
  return kind === 'network' || kind === 'unavailable' || (kind === 'rate_limited' && status !== null);
}
