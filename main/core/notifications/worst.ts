// Main, core: which event of a notification is named first. Pure.
import type { RiskOrder } from '../../../shared/domain/risk-order.ts';
import type { EntryRow } from '../ledger/entries.ts';

/** An event that a notification lists. */
export interface DigestEvent extends Pick<EntryRow, 'ledger_id' | 'symbol' | 'to_state' | 'occurred_s'> {
  readonly confidence: number | null;
}

/** The worst transition by risk, and of equals the newest; without a transition the newest event. */
export function worstOf(events: readonly DigestEvent[], { compare }: RiskOrder): DigestEvent | undefined {
  const newest = events.toSorted((a, b) => b.occurred_s - a.occurred_s);
  const transitions = newest.flatMap((event) =>
    event.symbol === null || event.to_state === null
      ? []
      : [{ ...event, symbol: event.symbol, to_state: event.to_state }],
  );
  const [worst] = transitions.toSorted(compare);
  return worst ?? newest[0];
}
