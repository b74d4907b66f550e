// Renderer: the watchlist: what the trader watches, and which symbol the other panels speak of. One tab stop; arrows or J and K move.
// Only the rows in view are drawn, so that a list of hundreds stays fluid.
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type KeyboardEvent, useCallback, useEffect, useMemo, useRef } from 'react';
import { removeSymbol } from '../../../shared/domain/watchlist-edits.ts';
import { symbolsOf, type Watchlist } from '../../../shared/domain/watchlists.ts';
import { useIsOffline } from '../../store/connection-status.ts';
import { useListEdits, useListNote, useListsComeBack, useShownList } from '../../store/list-edits.ts';
import { ROW_HEIGHTS, usePreference } from '../../store/preferences.ts';
import { en } from '../../text/en.ts';
import { isCommand, isWriting } from '../../ui/shortcuts/registry.ts';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import type { Drop } from './drop.ts';
import { ListColumns } from './list-columns.tsx';
import { ListHead } from './list-head.tsx';
import { SectionHead } from './section-head.tsx';
import { useSparklines } from './use-chart-model.ts';
import { useDrag } from './use-drag.ts';
import { useListView } from './use-list-view.ts';
import { useMoves } from './use-moves.ts';
import { useRovingFocus } from './use-roving-focus.ts';
import { WatchRow } from './watch-row.tsx';
import './watchlist.css';

interface WatchlistProps {
  /** Called when a symbol was opened, to bring its chart to the keyboard. */
  readonly onOpen: () => void;
}

/** Rows drawn beyond those in view. */
const OVERSCAN = 8;
/** What `.wl-note` takes of the list's end, px: there it has room of its own, so that no row lies under it. */
const NOTE_HEIGHT = 48;
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 20, PageUp: -20 };

export function WatchlistPanel({ onOpen }: WatchlistProps) {
  const list = useShownList();
  const isOffline = useIsOffline();
  useListsComeBack();
  if (list === undefined) return <section className="panel watchlist" />;
  return (
    <section className={`panel watchlist${isOffline ? ' offline' : ''}`} aria-label={en.watch.lists}>
      <ListHead list={list} />
      <Rows key={list.id} list={list} onOpen={onOpen} />
      <Note />
    </section>
  );
}

function Rows({ list, onOpen }: { list: Watchlist; onOpen: () => void }) {
  const { items, columns, sort, isOwnOrder, hold } = useListView(list);
  const edits = useListEdits();
  const moves = useMoves(list);
  const drag = useDrag(list, moves.by);
  const scroll = useRef<HTMLDivElement>(null);
  const rowHeight = ROW_HEIGHTS[usePreference((preference) => preference.density)];
  const order = useMemo(() => items.flatMap((item) => (item.kind === 'row' ? [item.symbol] : [])), [items]);
  const { tabStop, go, handlers } = useRovingFocus(order, scroll);
  const stopIndex = items.findIndex((item) => item.kind === 'row' && item.symbol === tabStop);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: OVERSCAN,
    // Before it is measured: at once as many rows as may be in view, or the list would be drawn twice.
    initialRect: { width: 0, height: window.innerHeight },
    scrollPaddingStart: 2 * rowHeight,
    // Clear of what is said over the end of the list.
    paddingEnd: order.length === 0 ? 0 : NOTE_HEIGHT,
    scrollPaddingEnd: NOTE_HEIGHT,
    // The row with the tab stop is always there, or the keyboard would lose its place.
    rangeExtractor: useCallback((range: Range) => withIndex(defaultRangeExtractor(range), stopIndex), [stopIndex]),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured anew.
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  const drawn = virtual.getVirtualItems();
  useSparklines(drawn.flatMap(({ index }) => symbolAt(items[index])).join(' '));

  const step = useCallback(
    (by: number): void => {
      const from = Math.max(0, order.indexOf(tabStop ?? ''));
      const symbol = order[Math.max(0, Math.min(order.length - 1, from + by))];
      if (symbol === undefined) return;
      virtual.scrollToIndex(items.findIndex((item) => item.key === symbol));
      go(symbol);
    },
    [order, tabStop, items, virtual, go],
  );
  useShortcuts('watchlist', {
    next: () => step(1),
    previous: () => step(-1),
    undo: (event) => !isWriting(event) && edits.undo(),
  });

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || !(event.target instanceof HTMLTableRowElement)) return;
    const { symbol } = event.target.dataset;
    const by = STEPS[event.key];
    if (event.altKey) {
      if (symbol === undefined || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
      moves.step(symbol, event.key === 'ArrowUp' ? -1 : 1);
      go(symbol);
    } else if (by !== undefined && (event.key.length > 1 || isCommand(event.nativeEvent))) step(by);
    else if (event.key === 'Home') step(Number.NEGATIVE_INFINITY);
    else if (event.key === 'End') step(Number.POSITIVE_INFINITY);
    else if (event.key === 'Enter') onOpen();
    else if (event.key === 'Delete' && symbol !== undefined) {
      const next = order[order.indexOf(symbol) + 1] ?? order[order.indexOf(symbol) - 1];
      edits.edit(list, (now) => removeSymbol(now, symbol), en.lists.removed(symbol));
      if (next !== undefined) go(next);
    } else return;
    event.preventDefault();
  };

  const cells = 3 + columns.length;
  const above = drawn[0]?.start ?? 0;
  return (
    <div className="scroll wl-scroll" ref={scroll}>
      <table
        className="table wl-table"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is what a table is whose rows are chosen.
        role="grid"
        aria-label={list.name}
        aria-readonly="true"
        aria-rowcount={items.length + 1}
        onKeyDown={onKeyDown}
        {...hold}
        {...drag.handlers}
        {...handlers}
      >
        <ListColumns columns={columns} sort={sort} />
        <tbody>
          <Spacer cells={cells} height={above} />
          {drawn.map(({ index, start }, position) => {
            const item = items[index];
            if (item === undefined) return null;
            const before = drawn[position - 1];
            const gap = before === undefined ? 0 : start - before.end;
            return (
              <Fragment key={item.key}>
                <Spacer cells={cells} height={gap} />
                {item.kind === 'head' ? (
                  <SectionHead
                    list={list}
                    head={item}
                    cells={cells}
                    index={index + 2}
                    isDrop={drag.drop !== null && 'section' in drag.drop && drag.drop.section === item.section}
                  />
                ) : (
                  <WatchRow
                    symbol={item.symbol}
                    columns={columns}
                    index={index + 2}
                    focusable={item.symbol === tabStop}
                    draggable={isOwnOrder}
                    dropMarker={dropMarkerOf(item.symbol, drag.dragged, drag.drop)}
                  />
                )}
              </Fragment>
            );
          })}
          <Spacer cells={cells} height={virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
      {symbolsOf(list).length === 0 && <p className="empty">{en.lists.emptyHow}</p>}
    </div>
  );
}

/** Room of the rows that are not drawn. */
const Spacer = ({ cells, height }: { cells: number; height: number }) =>
  height <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr aria-hidden="true" className="wl-spacer">
      <td colSpan={cells} style={{ height }} />
    </tr>
  );

/** What was just done to the list, with the way back. */
function Note() {
  const note = useListNote();
  const edits = useListEdits();
  return (
    <div className="wl-note" role="status">
      {note !== null && (
        <p key={note.id}>
          <span className="grow">{note.message}</span>
          {note.undo && (
            <button
              type="button"
              className="btn line"
              onClick={({ currentTarget }) => {
                // The note goes with what it said; the keyboard goes back to the list.
                const row = currentTarget.closest('.watchlist')?.querySelector<HTMLElement>('tr[tabindex="0"]');
                edits.undo();
                row?.focus();
              }}
            >
              {en.lists.undo}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

const symbolAt = (item: { readonly kind: string; readonly symbol?: string } | undefined): string[] =>
  item?.symbol === undefined ? [] : [item.symbol];

function dropMarkerOf(
  symbol: string,
  dragged: string | null,
  drop: Drop | null,
): 'dragged' | 'drop-above' | 'drop-below' | '' {
  if (symbol === dragged) return 'dragged';
  if (drop === null || 'section' in drop || drop.symbol !== symbol) return '';
  return drop.below ? 'drop-below' : 'drop-above';
}

function withIndex(indexes: number[], index: number): number[] {
  return index === -1 || indexes.includes(index) ? indexes : [...indexes, index].sort((a, b) => a - b);
}
