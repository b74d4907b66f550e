// Main, core: the alerts that every window holds.
import {
  type Alert,
  type LocalAlert,
  MAX_ALERTS,
  MAX_LOCAL_ALERTS,
  newestFirst,
  type Row,
} from '../../../shared/channels/state.ts';
import { activeEntries } from '../ledger/active-entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type AlertSources, alertOf, localAlertOf } from './alert.ts';

export interface ShownAlertsDeps extends AlertSources {
  readonly ledger: Pick<Ledger, 'entries' | 'notifications' | 'annotations' | 'transaction' | 'deskActs'>;
}

/**
 * The alerts with these ids; or, without ids, the newest and all that are active or need attention, which
 * stay in the windows. Reads in one transaction, because a lock of the ledger for each query would cost more
 * than the query.
 */
export function shownAlerts(deps: ShownAlertsDeps, ids: readonly number[] | null, rows: readonly Row[]): Alert[] {
  const { ledger } = deps;
  return ledger.transaction(() => {
    const found =
      ids === null
        ? [
            ...ledger.entries.newestSignals(MAX_ALERTS),
            ...activeEntries(rows, ledger.entries),
            ...ledger.entries.byLedgerIds([...deps.attention]),
          ]
        : ledger.entries.byLedgerIds(ids);
    return [...new Map(found.map((row) => [row.ledger_id, row])).values()]
      .flatMap((row) => alertOf(row, deps) ?? [])
      .sort(newestFirst);
  });
}

/** The newest price alerts and alerts of other programs, and all that need attention; newest first. */
export function shownLocalAlerts({ ledger, attention }: Omit<ShownAlertsDeps, 'isWatched'>): LocalAlert[] {
  return ledger.transaction(() => {
    const found = [
      ...ledger.entries.localBefore(Number.MAX_SAFE_INTEGER, MAX_LOCAL_ALERTS),
      ...ledger.entries.byLedgerIds([...attention]),
    ];
    return [...new Map(found.map((row) => [row.ledger_id, row])).values()]
      .flatMap((row) => localAlertOf(row, { ledger, attention }) ?? [])
      .sort((a, b) => b.ledger_id - a.ledger_id);
  });
}
