// Main, core: decides whether an event still needs the user.
import { isEnd, laterChanges } from '../ledger/later-changes.ts';
import type { Ledger } from '../ledger/ledger.ts';

/**
 * True when the event is acknowledged or its symbol has returned to Normal.
 * @param since a return counts only if it arrived after this, this computer's clock, ms
 */
export function isAcknowledgedOrNormal(
  ledger: Pick<Ledger, 'annotations' | 'entries'>,
  ledgerId: number,
  since = Number.NEGATIVE_INFINITY,
): boolean {
  return ledger.annotations.of(ledgerId).ackedAt !== null || isNormalAgain(ledger, ledgerId, since);
}

/** True when the symbol of the event has returned to Normal, or the share of a list has fallen again. */
export function isNormalAgain(
  ledger: Pick<Ledger, 'entries'>,
  ledgerId: number,
  since = Number.NEGATIVE_INFINITY,
): boolean {
  const [entry] = ledger.entries.byLedgerIds([ledgerId]);
  if (entry === undefined) return false;
  return laterChanges(ledger, entry).some((later) => isEnd(later) && later.received_ms > since);
}
