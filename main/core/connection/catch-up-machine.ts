// Main, core: what follows from a reading of the service's log. Pure.
import type { ServiceProblem } from '../../../client/problem.ts';

export type ReadingOutcome =
  | { readonly kind: 'failed'; readonly problem: ServiceProblem; readonly isStreaming: boolean }
  /** It was read to its end, and something is still missing before what arrived. */
  | { readonly kind: 'pending' }
  /** It was read to its end, and that could not be written. */
  | { readonly kind: 'unwritten'; readonly message: string }
  | { readonly kind: 'complete' };

export type CatchUpEffect =
  /** What comes from now on may have a hole before it. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'lose'; readonly cause: string }
  /** The key may have been revoked: a new connection finds out, and then stops and asks the user. */
  | { readonly kind: 'reconnect' }
  /** What is listed does not join up with what is known: read everything. */
  | { readonly kind: 'reread' }
  /** Once more, later. `floor`: least wait, ms. */
  | { readonly kind: 'again'; readonly floor: number };

/** After so many readings in a row that leave a hole open, all is read again; after so many, it is an outage. */
const REREAD_AFTER = 3;
const OUTAGE_AFTER = 6;
const UNJOINED = 'What the service lists does not join up with what is known here. It is read again and again.';

/**
 * @param failures readings in a row that failed or left a hole
 * @returns how many there are in a row now; where it is read again, that counts when the reading is armed
 */
export function afterReading(failures: number, outcome: ReadingOutcome): readonly [number, readonly CatchUpEffect[]] {
  switch (outcome.kind) {
    case 'failed': {
      const { kind, message, retryAfter } = outcome.problem;
      const effects: CatchUpEffect[] = [{ kind: 'broken' }];
      if (!outcome.isStreaming || kind === 'not_stored') effects.push({ kind: 'lose', cause: message });
      if (kind === 'unauthorized' && failures === 0) effects.push({ kind: 'reconnect' });
      return [failures, [...effects, { kind: 'again', floor: retryAfter ?? 0 }]];
    }
    case 'pending': {
      const effects: CatchUpEffect[] = failures === REREAD_AFTER ? [{ kind: 'reread' }] : [];
      // A hole that no reading closes is no connection, however well bytes flow.
      if (failures >= OUTAGE_AFTER) effects.push({ kind: 'lose', cause: UNJOINED });
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
    case 'complete':
      return [0, []];
  }
}
