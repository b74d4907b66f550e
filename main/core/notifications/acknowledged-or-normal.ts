// Main, core: tells settled events, acknowledged or back to Normal, from those that need the user.
import { laterChanges } from '../ledger/later-changes.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** @param since only a return to Normal that came after this counts, this computer's clock, ms */
export function isAcknowledgedOrNormal(
  ledger: Pick<Ledger, 'annotations' | 'entries'>,
  ledgerId: number,
  since = Number.NEGATIVE_INFINITY,
): boolean {
  if (ledger.annotations.of(ledgerId).ackedAt !== null) return true;
  const [entry] = ledger.entries.byLedgerIds([ledgerId]);
  if (entry === undefined) return false;
  return laterChanges(ledger, entry).some(({ to_state, received_ms }) => to_state === 0 && received_ms > since);
}
