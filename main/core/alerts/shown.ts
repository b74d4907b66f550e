// Main, core: the alerts that every window holds.
import { type Alert, MAX_ALERTS, newestFirst, type Row } from '../../../shared/channels/state.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { alertOf } from './alert.ts';
import { activeEntries } from './attention.ts';

/**
 * These; or the newest, and what stands however old it is: nothing that needs somebody may fall out of the windows. Read in one transaction: each
 * reading by itself would lock the ledger anew, which costs more than the reading.
 */
export function shownAlerts(
  ledger: Ledger,
  isWatched: (symbol: string) => boolean,
  ids: readonly number[] | null,
  rows: readonly Row[],
): Alert[] {
  return ledger.transaction(() => {
    const found =
      ids === null
        ? [...ledger.entries.newestSignals(MAX_ALERTS), ...activeEntries(rows, ledger.entries)]
        : ledger.entries.byLedgerIds(ids);
    return [...new Map(found.map((row) => [row.ledger_id, row])).values()]
      .flatMap((row) => alertOf(row, ledger, isWatched) ?? [])
      .sort(newestFirst);
  });
}
