// Main, core: judges a new event for the ledger: gathers the facts that the rule asks for.
import type { Inlet, ReceivedEvent } from '../dialect/received-event.ts';
import type { Judge } from '../ledger/ledger.ts';
import { decide } from './rules.ts';
import { notificationId } from './words.ts';

export interface JudgeFacts {
  isWatched(symbol: string): boolean;
  /** Percent in the given state, null where it is not known. */
  baseRate(symbol: string, state: number): number | null;
  /** World time, ms, of the first sight while the log of that time is still being read, null once it was read to its end. */
  readingPastBefore(): number | null;
}

export function createJudge(facts: JudgeFacts): Judge {
  /** What the stream brings was written after we began to listen, whenever it happened. */
  const isPast = (event: ReceivedEvent, inlet: Inlet): boolean => {
    if (inlet === 'stream') return false;
    const before = facts.readingPastBefore();
    return before !== null && event.occurredAt < before;
  };
  return (event, inlet) => {
    const { transition } = event;
    if (transition === null) return { reason: null, tell: null };
    const verdict = decide({
      toState: transition.to_state,
      watched: facts.isWatched(transition.symbol),
      beforeFirstSight: isPast(event, inlet),
    });
    if (!verdict.notify) return { reason: verdict.reason, tell: null };
    const baseRate = facts.baseRate(transition.symbol, transition.to_state);
    return { reason: verdict.reason, tell: { id: notificationId(event.eventId), baseRate } };
  };
}
