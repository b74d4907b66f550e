// Main, core: tells settled events, acknowledged or back to Normal, from those that need the user.
import { laterChanges } from '../ledger/later-changes.ts';
import type { Ledger } from '../ledger/ledger.ts';

type SettledLedger = Pick<Ledger, 'annotations' | 'entries'>;

export function isSettled(ledger: SettledLedger, ledgerId: number): boolean {
  if (ledger.annotations.of(ledgerId).ackedAt !== null) return true;
  const [entry] = ledger.entries.byLedgerIds([ledgerId]);
  return entry !== undefined && laterChanges(ledger, entry).some(({ to_state }) => to_state === 0);
}

/** Acknowledged, or back to Normal by an event that came since then. @param since this computer's clock, ms */
export function isHandledSince(ledger: SettledLedger, ledgerId: number, since: number): boolean {
  if (ledger.annotations.of(ledgerId).ackedAt !== null) return true;
  const [entry] = ledger.entries.byLedgerIds([ledgerId]);
  if (entry === undefined) return false;
  return laterChanges(ledger, entry).some(({ to_state, received_ms }) => to_state === 0 && received_ms > since);
}
