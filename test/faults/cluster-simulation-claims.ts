// Faults: what a node of a simulated cluster that is cut off must not claim, and must say.
import { CUT_OFF_LIMIT_MS } from '../../service/stream/stream.ts';
import type { SimulatedNode } from './cluster-simulation-node.ts';

/** Longer than a leader may go on without contact, and than a silence that is usual, ms. */
const SURELY_CUT_MS = 10_000;
/** The checks of streams come every second, and the clock of a node is up to three wrong. */
const SLACK_MS = 5_000;

interface Isolated {
  readonly index: number;
  readonly node: SimulatedNode | null;
}

/** @param isListening a client has a stream of this node */
export function claimsOf({ index, node }: Isolated, now: number, isListening: boolean): string[] {
  if (node === null) return [];
  const answeredAt = node.answeredAt();
  if (now - answeredAt < SURELY_CUT_MS) return [];
  const { worldTime, unevaluatedMs, notReady, wasLedByOther } = node.says();
  const leads = node.term() !== null;
  const claims: [boolean, string][] = [
    [unevaluatedMs === 0, 'calls its world current'],
    [worldTime > answeredAt + SLACK_MS, 'goes on as a leader that may have been replaced'],
    [!leads && wasLedByOther && !notReady, 'is ready beside the leader'],
    // Were the database away for all, it would be the one that answers.
    [leads && notReady, 'is the last leader, and not ready'],
    [isListening && now - answeredAt > CUT_OFF_LIMIT_MS + SLACK_MS, 'keeps a stream'],
  ];
  return claims.flatMap(([isClaimed, what]) => (isClaimed ? `node ${index} is cut off, and ${what}` : []));
}
