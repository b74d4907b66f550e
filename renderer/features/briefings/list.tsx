// Renderer: the briefings of a box, newest first, with the search above them. Only the rows in view are drawn. One tab stop; arrows, J and K go on.
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef } from 'react';
import type { BriefingRow } from '../../../shared/channels/archive.ts';
import { useIsOffline } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { en } from '../../text/en.ts';
import { count, zoneName } from '../../text/format.ts';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loading-notice.tsx';
import '../../ui/search-field.css';
import { EmptyList } from './empty-list.tsx';
import { ListRow } from './list-row.tsx';
import { chipsOf } from './rows.ts';
import type { BriefingRows } from './use-briefing-rows.ts';
import { useView, view } from './view.ts';

/** Height of a row, px; with an excerpt of a search below it. */
const ROW = 73;
const ROW_WITH_EXCERPT = 110;
const OVERSCAN = 6;
const messages = en.briefings;
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  j: 1,
  k: -1,
  PageDown: 8,
  PageUp: -8,
  Home: -1e9,
  End: 1e9,
};

interface ListProps {
  readonly listed: BriefingRows;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly boxes: { readonly label: string; readonly open: boolean; readonly onToggle: () => void };
  /** Called when a briefing is to be read: takes the keyboard to its text. */
  readonly onRead: () => void;
}

export function List({ listed, search, boxes, onRead }: ListProps) {
  const { rows, pages, step } = listed;
  const open = useView((now) => now.open);
  const isOffline = useIsOffline();
  const zone = usePreference((preference) => preference.zone);
  const scroll = useRef<HTMLDivElement>(null);
  // Rows grow when what was found is there, not when it is asked for.
  const hasExcerpts = rows.some(({ excerpt }) => excerpt !== null);
  const openIndex = rows.findIndex(({ id }) => id === open);
  const stop = Math.max(0, openIndex);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => (hasExcerpts ? ROW_WITH_EXCERPT : ROW),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    // The row with the tab stop is always there, or the keyboard would lose its place.
    rangeExtractor: useCallback((range: Range) => withIndex(defaultRangeExtractor(range), stop), [stop]),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are measured anew when their height is another
  useEffect(() => virtual.measure(), [hasExcerpts]);
  const drawn = virtual.getVirtualItems();
  const lastDrawn = drawn.at(-1)?.index ?? 0;
  const { want } = listed;
  useEffect(() => want(lastDrawn), [want, lastDrawn]);
  // What is open is seen in the list; it does not move while it stays the same.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another briefing or its first appearance moves the list
  useEffect(() => {
    if (openIndex >= 0) virtual.scrollToIndex(openIndex, { align: 'auto' });
  }, [open, openIndex >= 0]);

  const take = (row: BriefingRow): void => {
    view.open(row.id, row);
    view.show('text');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = STEPS[event.key];
    if (by !== undefined && event.key.length > 1) {
      step(by);
      wantsFocus.current = true;
    } else if (event.key === 'Enter') {
      const row = rows[stop];
      if (row !== undefined) take(row);
      onRead();
    } else return;
    event.preventDefault();
  };
  // The focus follows to a row that is drawn only now.
  const wantsFocus = useRef(false);
  useEffect(() => {
    if (!wantsFocus.current || open === null) return;
    const row = scroll.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(open)}"]`);
    if (row == null) return;
    wantsFocus.current = false;
    row.focus({ preventScroll: true });
  });

  return (
    <section className="panel br-list" aria-label={messages.list}>
      <h1 className="spoken br-heading">{en.pages.briefings}</h1>
      <div className="br-search">
        <button type="button" className="btn line br-boxes-button" aria-expanded={boxes.open} onClick={boxes.onToggle}>
          <Icon name="list" />
          {boxes.label}
        </button>
        <SearchField listed={listed} field={search} />
      </div>
      {isOffline && <p className="br-offline cond">{messages.offline}</p>}
      <Chips />
      <p className="br-zone cond t3">{messages.timesIn(zoneName(zone))}</p>
      <div className="scroll" ref={scroll}>
        {rows.length > 0 && (
          <div
            role="listbox"
            aria-label={messages.list}
            className="br-rows"
            style={{ height: virtual.getTotalSize() }}
            onKeyDown={onKeyDown}
            tabIndex={-1}
          >
            {drawn.map(({ index, start, size }) => {
              const row = rows[index];
              if (row === undefined) return null;
              return (
                <ListRow
                  key={row.id}
                  row={row}
                  open={row.id === open}
                  focusable={index === stop}
                  position={index + 1}
                  of={listed.total}
                  top={start}
                  height={size}
                  onOpen={() => take(row)}
                />
              );
            })}
          </div>
        )}
        {rows.length > 0 && pages.next === 'beyond' && <p className="empty">{messages.first(count(rows.length))}</p>}
        {rows.length === 0 && <InsteadOfRows listed={listed} />}
      </div>
    </section>
  );
}

function InsteadOfRows({ listed: { pages } }: { listed: BriefingRows }) {
  if (pages.error !== null && !pages.isFetching)
    return <ErrorNotice what={messages.noList} why={pages.error.message} onRetry={pages.retry} />;
  if (!pages.isCurrent) return <LoadingNotice what={messages.loadingList} progress={null} />;
  return <EmptyList />;
}

function SearchField({ listed, field }: { listed: BriefingRows; field: RefObject<HTMLInputElement | null> }) {
  const text = useView((now) => now.text);
  const { pages, rows, step } = listed;
  const resultCount =
    text.trim() === ''
      ? messages.counted(count(listed.total))
      : pages.tookMs === null
        ? ''
        : messages.hits(count(listed.total), count(pages.tookMs));
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape' && text !== '') view.setText('');
    else if (event.key === 'Escape') event.currentTarget.blur();
    else if ((event.key === 'ArrowDown' || event.key === 'Enter') && rows.length > 0) step(0);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <label className="search-field">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label={messages.search}
        placeholder={messages.searchHint}
        maxLength={200}
        value={text}
        onChange={(event) => view.setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <output className="cond t3">{resultCount}</output>
      {text !== '' && (
        <button
          type="button"
          className="btn quiet square"
          aria-label={messages.clearSearch}
          onClick={() => view.setText('')}
        >
          <Icon name="close" size={11} />
        </button>
      )}
    </label>
  );
}

/** Filters that are on, each with its way off. */
function Chips() {
  const all = useView((now) => now);
  const chips = chipsOf(all);
  if (chips.length === 0) return null;
  return (
    <div className="chips">
      {chips.map(({ label, without }) => (
        <button
          type="button"
          className="chip"
          key={label}
          aria-label={messages.clearOne(label)}
          onClick={() => {
            view.filter(without);
          }}
        >
          {label}
          <Icon name="close" size={10} />
        </button>
      ))}
      <ClearFilters label={messages.clear} onClear={view.clearFilters} quiet />
    </div>
  );
}

function withIndex(indexes: number[], index: number): number[] {
  return index === -1 || indexes.includes(index) ? indexes : [...indexes, index].sort((a, b) => a - b);
}
