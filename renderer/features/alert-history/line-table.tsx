// Renderer: the list of alerts. One tab stop; arrows or J and K move, Space chooses, Enter says why. Only the rows in view are drawn.
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type KeyboardEvent, type ReactNode, useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { alerts as messages } from '../../text/alerts.ts';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import type { Line, Section } from './filters.ts';
import { LineRow } from './line.tsx';
import { type Mode, useView, view } from './view-store.ts';

interface LineTableProps {
  readonly sections: readonly Section[];
  readonly mode: Mode;
  /** The line that the keyboard is at; null: the first. */
  readonly current: number | null;
  readonly onCurrent: (id: number) => void;
  /** The line whose way is open. */
  readonly open: number | null;
  readonly onOpen: (id: number) => void;
  /** Below the last row. */
  readonly children: ReactNode;
}

type Item = { readonly kind: 'head'; readonly section: Section } | { readonly kind: 'line'; readonly line: Line };

const ROW_HEIGHT = 25;
const OVERSCAN = 8;
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  j: 1,
  k: -1,
  PageDown: 20,
  PageUp: -20,
  Home: -1e9,
  End: 1e9,
};

export function LineTable({ sections, mode, current, onCurrent, open, onOpen, children }: LineTableProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const isFocusPending = useRef(false);
  const chosen = useView((state) => state.chosen);
  const items = useMemo(
    (): Item[] =>
      sections.flatMap((section) => [
        { kind: 'head', section },
        ...section.lines.map((line): Item => ({ kind: 'line', line })),
      ]),
    [sections],
  );
  const order = useMemo(() => items.flatMap((item) => (item.kind === 'line' ? [item.line.id] : [])), [items]);
  const tabStop = current !== null && order.includes(current) ? current : (order[0] ?? null);
  const tabStopIndex = items.findIndex((item) => item.kind === 'line' && item.line.id === tabStop);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => keyOf(items[index], index),
    overscan: OVERSCAN,
    scrollPaddingStart: 2 * ROW_HEIGHT,
    // The row with the tab stop is always there, or the keyboard would lose its place.
    rangeExtractor: useCallback(
      (range: Range) => withIndex(defaultRangeExtractor(range), tabStopIndex),
      [tabStopIndex],
    ),
  });
  // A row that is far away is drawn only now.
  useLayoutEffect(() => {
    if (!isFocusPending.current || tabStop === null) return;
    const row = scroll.current?.querySelector<HTMLElement>(`tr[data-line="${tabStop}"]`);
    if (row == null) return;
    isFocusPending.current = false;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  });

  const step = useCallback(
    (by: number): void => {
      const next = order[Math.max(0, Math.min(order.length - 1, order.indexOf(tabStop ?? -1) + by))];
      if (next === undefined) return;
      isFocusPending.current = true;
      virtual.scrollToIndex(items.findIndex((item) => item.kind === 'line' && item.line.id === next));
      onCurrent(next);
    },
    [order, tabStop, items, virtual, onCurrent],
  );
  const choose = useCallback(
    (id: number, isRange: boolean): void => {
      const [from, to] = [order.indexOf(tabStop ?? id), order.indexOf(id)];
      if (isRange) view.choose([...new Set([...chosen, ...order.slice(Math.min(from, to), Math.max(from, to) + 1)])]);
      else view.toggle(id);
      onCurrent(id);
    },
    [order, tabStop, chosen, onCurrent],
  );
  useShortcuts('alerts', { next: () => step(1), previous: () => step(-1) });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      !(event.target instanceof HTMLTableRowElement) ||
      tabStop === null
    )
      return;
    const by = event.key.length > 1 ? STEPS[event.key] : undefined;
    if (by !== undefined) step(by);
    else if (event.key === 'Enter') onOpen(tabStop);
    else if (event.key === ' ') choose(tabStop, event.shiftKey);
    else return;
    event.preventDefault();
  };

  const drawn = virtual.getVirtualItems();
  return (
    <div className="scroll al-scroll" ref={scroll} tabIndex={order.length === 0 ? 0 : -1}>
      <table
        className={`table al-table ${mode}`}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is what a table is whose rows are chosen.
        role="grid"
        aria-label={messages.title}
        aria-readonly="true"
        aria-multiselectable="true"
        aria-rowcount={items.length + 1}
        onKeyDown={onKeyDown}
      >
        <Heads mode={mode} />
        <tbody>
          <Spacer height={drawn[0]?.start ?? 0} />
          {drawn.map(({ index, start }, position) => {
            const item = items[index];
            const before = drawn[position - 1];
            if (item === undefined) return null;
            return (
              <Fragment key={keyOf(item, index)}>
                <Spacer height={before === undefined ? 0 : start - before.end} />
                {item.kind === 'head' ? (
                  <tr className="al-section" aria-rowindex={index + 2}>
                    {/* It reaches over all columns without spanning them: hidden ones would come back. */}
                    <th scope="rowgroup">
                      {messages.groups[item.section.id]} <span className="t3">{item.section.lines.length}</span>
                    </th>
                  </tr>
                ) : (
                  <LineRow
                    line={item.line}
                    mode={mode}
                    index={index + 2}
                    focusable={item.line.id === tabStop}
                    isOpen={item.line.id === open}
                    onOpen={onOpen}
                    onChoose={choose}
                  />
                )}
              </Fragment>
            );
          })}
          <Spacer height={virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
      {children}
    </div>
  );
}

function Heads({ mode }: { mode: Mode }) {
  const { columns } = messages;
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th className="al-choose" scope="col">
          <span className="spoken">{columns.choose}</span>
        </th>
        <th className="al-glyph" scope="col">
          <span className="spoken">{columns.state}</span>
        </th>
        <th className="al-sym" scope="col">
          {columns.symbol}
        </th>
        <th className="al-state" scope="col">
          {mode === 'episodes' ? columns.peak : columns.state}
        </th>
        {mode === 'episodes' && (
          <th className="al-history-cell" scope="col">
            {columns.history}
          </th>
        )}
        <th className="al-start" scope="col">
          {mode === 'episodes' ? columns.started : columns.at}
        </th>
        <th className="al-end" scope="col">
          {columns.ended}
        </th>
        <th className="num al-clock" scope="col">
          {columns.clock}
        </th>
        <th className="num al-market" scope="col" title={columns.marketLong}>
          {columns.market}
        </th>
        <th className="num al-conf" scope="col" title={columns.confidenceLong}>
          {columns.confidence}
        </th>
        <th className="num al-right" scope="col" title={columns.rightLong}>
          {columns.right}
        </th>
        <th className="al-regime" scope="col">
          {columns.regime}
        </th>
        <th className="al-outcome" scope="col">
          {columns.outcome}
        </th>
      </tr>
    </thead>
  );
}

/** Room of the rows that are not drawn. */
const Spacer = ({ height }: { height: number }) =>
  height <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr aria-hidden="true" className="al-spacer">
      <td style={{ height }} />
    </tr>
  );

const keyOf = (item: Item | undefined, index: number): string | number =>
  item === undefined ? index : item.kind === 'head' ? item.section.id : item.line.id;

const withIndex = (indexes: number[], index: number): number[] =>
  index === -1 || indexes.includes(index) ? indexes : [...indexes, index].sort((a, b) => a - b);
