// Main, core: writes the outcomes of a target's forwards, and pauses a target that does not answer.
import { messageOf } from '../../../shared/lib/result.ts';
import { retryWait } from '../../../shared/lib/retry-ladder.ts';
import type { CoreContext } from '../module.ts';
import type { ForwardQueue, PendingForward } from './forward-queue.ts';
import type { Receipt } from './server.ts';

/** Longest pause for a target that does not answer, ms: a program that was restarted answers soon. */
const LONGEST_PAUSE = 60_000;

export interface ForwardOutcomes {
  /** Takes the outcome of the last request. Until it is written, the event counts as unsent. */
  add(forward: PendingForward, receipt: Receipt): void;
  /** @returns whether the last outcome is written; until then nothing may be sent */
  write(): boolean;
  /** The pause that is left at `now`, ms; 0 or less: none. New events wait too. */
  pause(now: number): number;
  /** Instant at which the pause ends, ms; 0 without a pause. */
  pausedUntil(): number;
}

export function createForwardOutcomes(
  target: string,
  queue: Pick<ForwardQueue, 'rest' | 'retry' | 'settle'>,
  { guard, ports }: Pick<CoreContext, 'guard' | 'ports'>,
): ForwardOutcomes {
  /** Attempts in a row without an answer. */
  let unanswered = 0;
  let pausedUntil = 0;
  let pending: { readonly forward: PendingForward; readonly receipt: Receipt } | null = null;

  const record = (forward: PendingForward, { status, error }: Receipt): void => {
    const attempt = { at: guard.clock.now(), status, error };
    if (error !== null && status === null) {
      unanswered += 1;
      pausedUntil = attempt.at + Math.min(retryWait(unanswered, ports.random) ?? LONGEST_PAUSE, LONGEST_PAUSE);
      queue.rest(target, forward.id, pausedUntil, attempt);
      return;
    }
    unanswered = 0;
    pausedUntil = 0;
    const wait = error === null ? null : retryWait(forward.attempts + 1, ports.random);
    if (wait !== null) queue.retry(forward.id, attempt.at + wait, attempt);
    else queue.settle(forward.id, error === null ? 'delivered' : 'failed', attempt);
  };

  return {
    add(forward, receipt) {
      pending = { forward, receipt };
    },
    write() {
      try {
        if (pending !== null) record(pending.forward, pending.receipt);
        pending = null;
        return true;
      } catch (error) {
        ports.logger.warn(
          { problem: messageOf(error) },
          'the outcome of a forward could not be written; it is tried again',
        );
        return false;
      }
    },
    pause(now) {
      const left = pausedUntil - now;
      // A clock that was set back must not make a short pause a long one.
      return left > LONGEST_PAUSE ? 0 : left;
    },
    pausedUntil: () => pausedUntil,
  };
}
