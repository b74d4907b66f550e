// Renderer: the page News: filters above; list and open item side by side, or stacked if narrow.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelList } from '../../queries/use-channel-list.ts';
import { useStoredOnly } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useRoute } from '../../store/route.ts';
import { useShownMoment } from '../../store/shown-moment.ts';
import { useApp } from '../../store/store.ts';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { Detail } from './detail.tsx';
import { FilterBar } from './filter-bar.tsx';
import './news.css';
import { NewsList } from './news-list.tsx';
import { filtersOn, queryOf, useView, view } from './view.ts';

/** Rows loaded before they are in view. */
const PREFETCH_ROWS = 60;

export function NewsPage() {
  const filters = useView((now) => now);
  const { open } = filters;
  const zone = usePreference((preference) => preference.zone);
  const storedOnly = useStoredOnly();
  const problem = useApp((state) => state.features.archive?.news_problem ?? null);
  const [minRows, setMinRows] = useState(PREFETCH_ROWS);
  const shown = useShownMoment();
  const query = useMemo(() => queryOf(filters, zone, shown), [filters, zone, shown]);
  const pages = useChannelList('news.list', query, minRows);
  const search = useRef<HTMLInputElement>(null);
  const detail = useRef<HTMLElement>(null);
  const enterList = useRef<() => void>(null);
  const want = useCallback((index: number) => setMinRows((most) => Math.max(most, index + PREFETCH_ROWS)), []);
  const { rows } = pages;
  // Without a choice the newest is shown, so that no half of the page is empty.
  const item = open === null ? (rows[0] ?? null) : (rows.find(({ id }) => id === open) ?? null);
  useRouteItem();

  // An item requested by its id may be further down.
  const isSought = open !== null && item === null && pages.isDone && pages.next === 'more';
  useEffect(() => {
    if (isSought) want(rows.length);
  }, [isSought, want, rows.length]);

  const step = (by: number): void => {
    const from = rows.findIndex(({ id }) => id === open);
    const row = rows[Math.max(0, Math.min(rows.length - 1, from === -1 ? 0 : from + by))];
    if (row !== undefined) view.open(row.id);
  };
  useShortcuts('reading', {
    next: () => step(1),
    previous: () => step(-1),
    search: () => search.current?.select(),
  });

  return (
    <main className="news">
      <FilterBar pages={pages} search={search} onDown={() => enterList.current?.()} />
      {storedOnly !== null ? (
        <p className="news-offline cond">{storedOnly}</p>
      ) : (
        problem !== null &&
        rows.length > 0 && <p className="news-offline cond">{texts.news.noNewer(textOf(problem))}</p>
      )}
      <NewsList pages={pages} want={want} enter={enterList} onRead={() => detail.current?.focus()} />
      <Detail
        item={item}
        seeking={open !== null && (isSought || pages.isFetching)}
        gone={open !== null && item === null && shown === null}
        isBeyond={pages.next === 'beyond'}
        filtered={filtersOn(filters) > 0}
        ref={detail}
      />
    </main>
  );
}

/** Opens the target of a link or search result; clears filters that could hide it. */
function useRouteItem(): void {
  const visit = useRoute((route) => route.visit);
  const item = useRoute((route) => (route.page === 'news' ? route.item : null));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same item may be requested again.
  useEffect(() => {
    if (item === null) return;
    view.clearFilters();
    view.open(item);
  }, [item, visit]);
}
