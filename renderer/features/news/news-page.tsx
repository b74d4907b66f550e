// Renderer: the page News: filters above, the list, and the item that is open beside it, below it in narrow windows.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { usePlace } from '../../store/place.ts';
import { usePreference } from '../../store/preferences.ts';
import { useBlind } from '../../store/sight.ts';
import { useApp } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { isCommand } from '../../ui/keys.ts';
import { usePages } from '../../use-pages.ts';
import { Detail } from './detail.tsx';
import { FilterBar } from './filter-bar.tsx';
import './news.css';
import { NewsList } from './news-list.tsx';
import { filtersOn, queryOf, useView, view } from './view.ts';

/** Rows read before they are in view. */
const AHEAD = 60;

export function NewsPage() {
  const filters = useView((now) => now);
  const { open } = filters;
  const zone = usePreference((preference) => preference.zone);
  const turn = useApp((state) => `${state.board?.epoch ?? 0} ${state.wholes.archive?.version ?? 0}`);
  const blind = useBlind();
  const [wanted, setWanted] = useState(AHEAD);
  const query = useMemo(() => queryOf(filters, zone), [filters, zone]);
  const pages = usePages('news.list', query, turn, wanted);
  const search = useRef<HTMLInputElement>(null);
  const detail = useRef<HTMLElement>(null);
  const want = useCallback((index: number) => setWanted((most) => Math.max(most, index + AHEAD)), []);
  const { rows } = pages;
  const item = rows.find(({ id }) => id === open) ?? null;
  useAskedItem();

  // An item that was asked for by its id may lie further down.
  const isSought = open !== null && item === null && pages.status === 'ready' && pages.next === 'more';
  useEffect(() => {
    if (isSought) want(rows.length);
  }, [isSought, want, rows.length]);

  const step = (by: number): void => {
    const from = rows.findIndex(({ id }) => id === open);
    const row = rows[Math.max(0, Math.min(rows.length - 1, from === -1 ? 0 : from + by))];
    if (row !== undefined) view.open(row.id);
  };
  const keys = useRef(step);
  useEffect(() => {
    keys.current = step;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!isCommand(event)) return;
      if (event.key === 'j' || event.key === 'k') keys.current(event.key === 'j' ? 1 : -1);
      else if (event.key === '/') search.current?.select();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  return (
    <main className="news">
      <FilterBar pages={pages} search={search} onDown={() => step(0)} />
      {blind && <p className="news-offline cond">{en.news.offline}</p>}
      <NewsList pages={pages} want={want} step={step} onRead={() => detail.current?.focus()} />
      <Detail
        item={item}
        seeking={open !== null && (isSought || pages.status === 'reading')}
        gone={open !== null && item === null}
        filtered={filtersOn(filters) > 0}
        ref={detail}
      />
    </main>
  );
}

/** Opens what a link or a hit of the search leads to; filters could hide it. */
function useAskedItem(): void {
  const visit = usePlace((place) => place.visit);
  const item = usePlace((place) => (place.page === 'news' ? place.item : null));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same item may be asked for again
  useEffect(() => {
    if (item === null) return;
    view.clearFilters();
    view.open(item);
  }, [item, visit]);
}
