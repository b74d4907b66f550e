// Renderer: the lines of the alert history, from the ledger's rows and the live alerts.
// The lines are grouped and filtered.
import { useMemo, useRef } from 'react';
import type { InboxPage, InboxRow } from '../../../shared/channels/alerting.ts';
import { symbolsOf, watchedSymbols } from '../../../shared/domain/watchlists.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { useChannelPages, useChannelQuery } from '../../queries/use-channel-query.ts';
import { outcomeOf } from '../../store/alert-outcome.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { useRiskOrder } from '../../store/risk-order.ts';
import { useSnapshot } from '../../store/store.ts';
import { useMutes } from '../inbox/index.ts';
import { episodesOf, incompleteIn, transitionEntry } from './episodes.ts';
import {
  applyFilters,
  episodeSections,
  type FilterResult,
  type Line,
  outcomeSections,
  type Section,
  sinceOf,
} from './filters.ts';
import { useView } from './view-store.ts';

/** Rows of one page. */
const PAGE = 200;

/** The rows of the ledger that were read, newest first. */
export interface InboxQuery
  extends Pick<ReturnType<typeof useChannelPages<'alerts.read'>>, 'isDone' | 'retry' | 'stop'> {
  readonly page: InboxPage | null;
  readonly error: Error | null;
}

/** Reads back as far as the filters need. */
function useInboxQuery(): InboxQuery {
  const days = useView(({ filters }) => filters.days);
  const most = useView((view) => view.most);
  // Rounded to the day: rows that leave the range within a day are no reason to read again.
  const from = sinceOf(days, Math.floor(useWorldMinute() / DAY_MS) * DAY_MS);
  const { pages, error, isDone, retry, stop } = useChannelPages(
    'alerts.read',
    { filter: 'all', symbol: null, limit: PAGE },
    {
      wants(known) {
        const oldest = known.at(-1)?.next?.at;
        const rows = known.reduce((sum, each) => sum + each.rows.length, 0);
        return rows < most && (oldest === undefined || Date.parse(oldest) >= from);
      },
    },
  );
  const page = useMemo(
    () => (pages.length === 0 ? null : { rows: pages.flatMap(({ rows }) => rows), next: pages.at(-1)?.next ?? null }),
    [pages],
  );
  return { page, error, isDone, retry, stop };
}

export interface History {
  readonly lines: Lines;
  readonly query: InboxQuery;
}

export function useHistory(): History {
  const query = useInboxQuery();
  const lines = useLines(query.page, query.isDone);
  return { lines, query };
}

/** @param most number of rows that were requested */
export const hasOlder = (page: InboxPage, most: number): boolean => page.next !== null && page.rows.length >= most;

export interface Lines extends FilterResult {
  readonly all: readonly Line[];
  readonly sections: readonly Section[];
}

function useLines(page: InboxPage | null, isDone: boolean): Lines {
  const liveAlerts = useSnapshot((state) => state.alerts);
  const watchlists = useSnapshot((state) => state.watchlists);
  const order = useRiskOrder();
  const mutes = useMutes();
  const mode = useView((view) => view.mode);
  const filters = useView((view) => view.filters);
  const now = useWorldMinute();
  const rows = useMemo((): readonly InboxRow[] => {
    // An acknowledgement is pushed before it can be read.
    const fresh = new Map(liveAlerts.map((alert) => [alert.ledger_id, alert]));
    return (page?.rows ?? []).map((row) => ({ ...row, alert: fresh.get(row.alert.ledger_id) ?? row.alert }));
  }, [page, liveAlerts]);
  const incomplete = useMemo(() => (mode === 'episodes' ? incompleteIn(episodesOf(rows)) : null), [rows, mode]);
  // Pages arrive one after the other: ask the service once all have arrived.
  const asked = useRef(incomplete);
  if (isDone) asked.current = incomplete;
  const { data } = useChannelQuery('episodes.read', asked.current);
  // What the service said stays while it is asked about more.
  const last = useRef(data);
  if (data !== undefined) last.current = data;
  const known = last.current;
  const all = useMemo((): Line[] => {
    const entries = mode === 'episodes' ? episodesOf(rows, known?.episodes) : rows.map(transitionEntry);
    return entries.map((entry) => {
      const { alert } = entry.subject;
      return { ...entry, outcome: outcomeOf(alert, entry.present === alert.transition.to_state, mutes) };
    });
  }, [rows, known, mutes, mode]);
  const symbols = useMemo((): ReadonlySet<string> | null => {
    if (filters.list === 'all') return null;
    if (filters.list === 'watched') return new Set(watchedSymbols(watchlists));
    const list = watchlists.find(({ id }) => id === filters.list);
    return list === undefined ? null : new Set(symbolsOf(list));
  }, [filters.list, watchlists]);
  return useMemo(() => {
    const filtered = applyFilters(all, filters, symbols, now);
    const sections = mode === 'episodes' ? episodeSections(filtered.shown, order) : outcomeSections(filtered.shown);
    return { ...filtered, all, sections };
  }, [all, filters, symbols, now, mode, order]);
}
