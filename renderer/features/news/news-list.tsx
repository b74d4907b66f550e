// Renderer: the news, newest first. Only the rows in view are drawn. One tab stop; arrows, J and K go on.

import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, useCallback, useEffect, useRef } from 'react';
import type { NewsRow } from '../../../shared/channels/archive.ts';
import type { ChannelList } from '../../queries/use-channel-list.ts';
import { useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useApp } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { count, shortTimestamp } from '../../text/format.ts';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loading-notice.tsx';
import { Sentiment } from './sentiment.tsx';
import { filtersOn, useView, view } from './view.ts';

const messages = en.news;
/** Height of a row, px. */
const ROW = 28;
const OVERSCAN = 8;
const CELLS = 5;
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 15,
  PageUp: -15,
  Home: -1e9,
  End: 1e9,
};

interface NewsListProps {
  readonly pages: ChannelList<'news.list'>;
  /** Rows are in view up to this one. */
  readonly want: (index: number) => void;
  readonly step: (by: number) => void;
  /** Takes the keyboard to the item. */
  readonly onRead: () => void;
}

export function NewsList({ pages, want, step, onRead }: NewsListProps) {
  const { rows } = pages;
  const open = useView((now) => now.open);
  const scroll = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(false);
  const openIndex = rows.findIndex(({ id }) => id === open);
  const stop = Math.max(0, openIndex);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    // Below the heads of the columns.
    scrollPaddingStart: ROW,
    // The row with the tab stop is always there, or the keyboard would lose its place.
    rangeExtractor: useCallback((range: Range) => withIndex(defaultRangeExtractor(range), stop), [stop]),
  });
  const drawn = virtual.getVirtualItems();
  const lastDrawn = drawn.at(-1)?.index ?? 0;
  useEffect(() => want(lastDrawn), [want, lastDrawn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another item or its first appearance moves the list
  useEffect(() => {
    if (openIndex >= 0) virtual.scrollToIndex(openIndex, { align: 'auto' });
  }, [open, openIndex >= 0]);
  useEffect(() => {
    if (!wantsFocus.current || open === null) return;
    const row = scroll.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(open)}"]`);
    if (row == null) return;
    wantsFocus.current = false;
    row.focus({ preventScroll: true });
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = STEPS[event.key];
    if (by !== undefined) {
      step(openIndex === -1 ? 0 : by);
      wantsFocus.current = true;
    } else if (event.key === 'Enter') {
      const row = rows[stop];
      if (row !== undefined) view.open(row.id);
      onRead();
    } else return;
    event.preventDefault();
  };
  return (
    <section className="panel news-list" aria-label={messages.heading}>
      <div className="scroll" ref={scroll}>
        {rows.length > 0 && (
          <table
            className="table news-table"
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is what a table is whose rows are chosen.
            role="grid"
            aria-label={messages.listed}
            aria-readonly="true"
            aria-rowcount={(pages.first?.total ?? rows.length) + 1}
            onKeyDown={onKeyDown}
          >
            <thead>
              <tr aria-rowindex={1}>
                <th scope="col" className="nw-time">
                  {messages.time}
                </th>
                <th scope="col" className="nw-source">
                  {messages.source}
                </th>
                <th scope="col">{messages.headline}</th>
                <th scope="col" className="nw-symbols">
                  {messages.symbols}
                </th>
                <th scope="col" className="nw-sentiment">
                  {messages.sentiment}
                </th>
              </tr>
            </thead>
            <tbody>
              {drawn.map(({ index, start }, position) => {
                const row = rows[index];
                if (row === undefined) return null;
                const gap = start - (position === 0 ? 0 : (drawn[position - 1]?.end ?? 0));
                return [
                  <Spacer key={`above ${row.id}`} height={gap} />,
                  <Row key={row.id} row={row} index={index + 2} open={row.id === open} focusable={index === stop} />,
                ];
              })}
              <Spacer height={virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0)} />
            </tbody>
          </table>
        )}
        {rows.length > 0 && pages.next === 'beyond' && <p className="empty">{messages.first(count(rows.length))}</p>}
        {rows.length === 0 && <InsteadOfRows pages={pages} />}
      </div>
    </section>
  );
}

/** Room of the rows that are not drawn. */
const Spacer = ({ height }: { height: number }) =>
  height <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr aria-hidden="true" className="nw-spacer">
      <td colSpan={CELLS} style={{ height }} />
    </tr>
  );

const Row = memo(function Row({
  row,
  index,
  open,
  focusable,
}: {
  row: NewsRow;
  index: number;
  open: boolean;
  focusable: boolean;
}) {
  const zone = usePreference((preference) => preference.zone);
  // To the minute: a list need not be drawn every second.
  const now = Math.floor(useWorldNow() / 60_000) * 60_000;
  return (
    <tr
      className="nw-row"
      aria-selected={open}
      aria-rowindex={index}
      tabIndex={focusable ? 0 : -1}
      data-id={row.id}
      onClick={() => view.open(row.id)}
    >
      <td className="nw-time cond">
        <time dateTime={row.published_at}>{shortTimestamp(Date.parse(row.published_at), zone, now)}</time>
      </td>
      <td className="nw-source cond ell">{row.source}</td>
      <td className="nw-headline ell">{row.headline}</td>
      <td className="nw-symbols cond ell">{row.symbols.join(' ')}</td>
      <td className="nw-sentiment cond">
        <Sentiment of={row.sentiment} />
      </td>
    </tr>
  );
});

function InsteadOfRows({ pages }: { pages: ChannelList<'news.list'> }) {
  const filters = useView(filtersOn);
  const all = useApp((state) => state.features.archive?.news ?? 0);
  const problem = useApp((state) => state.features.archive?.problem ?? null);
  if (pages.error !== null && !pages.isFetching)
    return <ErrorNotice what={messages.failed} why={pages.error.message} onRetry={pages.retry} />;
  if (!pages.isCurrent) return <LoadingNotice what={messages.loading} progress={null} />;
  if (filters === 0)
    return (
      <div className="nothing" role="status">
        <p className="md">{messages.empty}</p>
        <p className="t2">{problem ?? messages.emptyHow}</p>
      </div>
    );
  return (
    <div className="nothing" role="status">
      <p className="md">{messages.noMatch}</p>
      <p className="t2">{messages.hidden(count(all), filters)}</p>
      <ClearFilters label={messages.clear} onClear={view.clearFilters} />
    </div>
  );
}

function withIndex(indexes: number[], index: number): number[] {
  return indexes.includes(index) ? indexes : [...indexes, index].sort((a, b) => a - b);
}
