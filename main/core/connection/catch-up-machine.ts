// Main, core: decides the effects of a reading of the service's log. Pure.
import type { ServiceProblem } from '../../../client/problem.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { problemMessage } from '../compat/refusals.ts';

export type ReadingOutcome =
  | { readonly kind: 'failed'; readonly problem: ServiceProblem; readonly isStreaming: boolean }
  /** The log was read to its end, and an event is still pending beyond a hole. */
  | { readonly kind: 'pending' }
  /** The log was read to its end, and the result could not be written. */
  | { readonly kind: 'unwritten'; readonly message: Message }
  /** The log was read to its end, and the service does not go on: the end proves nothing. */
  | { readonly kind: 'standstill'; readonly message: Message }
  | { readonly kind: 'complete' };

export type CatchUpEffect =
  /** Later events may have a hole before them. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'lose'; readonly cause: Message }
  /** The key may have been revoked: a new connection finds out. */
  | { readonly kind: 'reconnect' }
  /** The list does not join the ledger: read everything. */
  | { readonly kind: 'reread' }
  /** Read again later. `floor`: shortest wait, ms. */
  | { readonly kind: 'again'; readonly floor: number };

/**
 * Consecutive readings with an open hole until the whole log is read; consecutive failures until an outage.
 */
const REREAD_AFTER = 3;
const OUTAGE_AFTER = 6;

/**
 * @param failures readings in a row that failed or left a hole
 * @returns the new number of failures; a repeated reading counts when it is scheduled
 */
export function afterReading(failures: number, outcome: ReadingOutcome): readonly [number, readonly CatchUpEffect[]] {
  switch (outcome.kind) {
    case 'failed': {
      const { kind, retryAfter } = outcome.problem;
      const effects: CatchUpEffect[] = [{ kind: 'broken' }];
      // An open stream brings new events, so the first failures are no loss.
      if (!outcome.isStreaming || kind === 'not_stored' || failures >= OUTAGE_AFTER)
        effects.push({ kind: 'lose', cause: problemMessage(outcome.problem) });
      if (kind === 'unauthorized' && failures === 0) effects.push({ kind: 'reconnect' });
      return [failures, [...effects, { kind: 'again', floor: retryAfter ?? 0 }]];
    }
    case 'pending': {
      const effects: CatchUpEffect[] = failures === REREAD_AFTER ? [{ kind: 'reread' }] : [];
      // A hole that no reading closes is an outage, even while bytes flow.
      if (failures >= OUTAGE_AFTER) effects.push({ kind: 'lose', cause: message('connection.unjoined') });
      return [failures, [...effects, { kind: 'again', floor: 0 }]];
    }
    case 'unwritten':
      return [
        failures,
        [
          { kind: 'lose', cause: outcome.message },
          { kind: 'again', floor: 0 },
        ],
      ];
    case 'standstill':
      return [failures, [{ kind: 'lose', cause: outcome.message }]];
    case 'complete':
      return [0, []];
  }
}
