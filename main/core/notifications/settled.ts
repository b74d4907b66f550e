// Main, core: tells settled events, acknowledged or back to Normal, from those that need the user.
import { laterChanges } from '../ledger/later-changes.ts';
import type { Ledger } from '../ledger/ledger.ts';

export function isSettled(ledger: Pick<Ledger, 'annotations' | 'entries'>, ledgerId: number): boolean {
  if (ledger.annotations.of(ledgerId).ackedAt !== null) return true;
  const [entry] = ledger.entries.byLedgerIds([ledgerId]);
  return entry !== undefined && laterChanges(ledger, entry).some(({ to_state }) => to_state === 0);
}
