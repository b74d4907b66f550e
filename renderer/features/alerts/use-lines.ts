// Renderer: the lines of the list: what was read from the ledger, as new as the snapshot has them, put together, grouped and filtered.

import { useEffect, useMemo } from 'react';
import type { InboxPage, InboxRow } from '../../../shared/channels/alerting.ts';
import { symbolsOf, watchedSymbols } from '../../../shared/domain/watchlists.ts';
import { useServices } from '../../services.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import type { QueryResult } from '../../store/state.ts';
import { useApp, useSnapshot } from '../../store/store.ts';
import { episodesOf, transitionEntry } from './episodes.ts';
import {
  applyFilters,
  episodeSections,
  type FilterResult,
  type Line,
  outcomeSections,
  type Section,
  sinceOf,
} from './filters.ts';
import { outcomeOf } from './outcome.ts';
import { useMutes } from './use-inbox.ts';
import { useView } from './view-store.ts';

const DAY = 86_400_000;

/** Reads the inbox as far back as the filters ask, and again whenever something may have become another. */
export function useInboxQuery(): QueryResult<InboxPage> | null {
  const { inbox } = useServices();
  const alerts = useSnapshot((snapshot) => snapshot.alerts);
  const epoch = useSnapshot((snapshot) => snapshot.epoch);
  const alerting = useApp((state) => state.features.alerting);
  const days = useView(({ filters }) => filters.days);
  const most = useView((view) => view.most);
  // By the day: what falls out of ninety days within a day is no reason to read again.
  const today = Math.floor(useWorldMinute() / DAY) * DAY;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever of these is another, rows may be others.
  useEffect(() => inbox.read(sinceOf(days, today), most), [inbox, alerts, epoch, alerting, days, most, today]);
  return useApp((state) => state.queryCache.inbox[''] ?? null);
}

/** @param most rows that were asked for */
export const hasOlder = (page: InboxPage, most: number): boolean => page.next !== null && page.rows.length >= most;

export interface Lines extends FilterResult {
  readonly all: readonly Line[];
  readonly sections: readonly Section[];
}

export function useLines(page: InboxPage | null): Lines {
  const liveAlerts = useSnapshot((state) => state.alerts);
  const watchlists = useSnapshot((state) => state.watchlists);
  const mutes = useMutes();
  const mode = useView((view) => view.mode);
  const filters = useView((view) => view.filters);
  const now = useWorldMinute();
  const all = useMemo((): Line[] => {
    // What was acknowledged just now is pushed before it can be read.
    const fresh = new Map(liveAlerts.map((alert) => [alert.ledger_id, alert]));
    const rows = (page?.rows ?? []).map(
      (row): InboxRow => ({ ...row, alert: fresh.get(row.alert.ledger_id) ?? row.alert }),
    );
    const entries = mode === 'episodes' ? episodesOf(rows) : rows.map(transitionEntry);
    return entries.map((entry) => ({ ...entry, outcome: outcomeOf(entry.subject.alert, entry.to === null, mutes) }));
  }, [page, liveAlerts, mutes, mode]);
  const symbols = useMemo((): ReadonlySet<string> | null => {
    if (filters.list === 'all') return null;
    if (filters.list === 'watched') return new Set(watchedSymbols(watchlists));
    const list = watchlists.find(({ id }) => id === filters.list);
    return list === undefined ? null : new Set(symbolsOf(list));
  }, [filters.list, watchlists]);
  return useMemo(() => {
    const filtered = applyFilters(all, filters, symbols, now);
    const sections = mode === 'episodes' ? episodeSections(filtered.shown) : outcomeSections(filtered.shown);
    return { ...filtered, all, sections };
  }, [all, filters, symbols, now, mode]);
}
