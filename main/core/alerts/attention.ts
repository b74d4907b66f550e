// Main, core: which of the active alerts were notified and not acknowledged: the number on tray and dock.
import type { Row } from '../../../shared/channels/state.ts';
import type { EntryRow, EntryStore } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { alertOf } from './alert.ts';

/** Transitions of one symbol since its state began that are read. */
const READ = 20;

/** Ledger ids, in the order of the rows. A row whose state began before this ledger is nobody's alert. Read in one transaction, as `shownAlerts` is. */
export function unacknowledgedAlerts(
  rows: readonly Row[],
  ledger: Pick<Ledger, 'entries' | 'notifications' | 'annotations' | 'transaction'>,
): number[] {
  return ledger.transaction(() =>
    activeEntries(rows, ledger.entries).flatMap((newest) => {
      const alert = alertOf(newest, ledger, () => true);
      return alert?.notification_status === 'notified' && alert.acked_at === null ? [alert.ledger_id] : [];
    }),
  );
}

/** The transitions into the states, other than Normal, that stand now, as far as this ledger has them. */
export function activeEntries(rows: readonly Row[], entries: Pick<EntryStore, 'signalsOf'>): EntryRow[] {
  return rows.flatMap(({ symbol, signal }) => {
    if (signal === null || signal.state === 0) return [];
    const newest = entries.signalsOf(symbol, Math.floor(Date.parse(signal.since) / 1000), READ).at(-1);
    return newest === undefined || newest.to_state !== signal.state ? [] : [newest];
  });
}
