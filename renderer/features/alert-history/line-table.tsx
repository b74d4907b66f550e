// Renderer: the table of the alert history: Space chooses a line, Enter explains it.
import { type ReactNode, useCallback, useMemo } from 'react';
import { bookOf } from '../../../shared/domain/holdings.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useSnapshot } from '../../store/store.ts';
import { useList } from '../../ui/list/use-list.ts';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { Grid } from '../../ui/table/grid.tsx';
import type { TableColumn } from '../../ui/table/table-head.tsx';
import type { Line, Section } from './filters.ts';
import { LineRow } from './line.tsx';
import { type Mode, useView, view } from './view-store.ts';

interface LineTableProps {
  readonly sections: readonly Section[];
  readonly mode: Mode;
  /** The current line of the keyboard; null: the first. */
  readonly current: number | null;
  readonly onCurrent: (id: number) => void;
  /** The line that is explained beside the table. */
  readonly open: number | null;
  readonly onOpen: (id: number) => void;
  /** Below the last row. */
  readonly children: ReactNode;
}

type Item = { readonly kind: 'head'; readonly section: Section } | { readonly kind: 'line'; readonly line: Line };

const ROW_HEIGHT = 25;
const PAGE_ROWS = 20;

const keyOf = (item: Item): string => (item.kind === 'head' ? item.section.id : String(item.line.id));
const isHeading = ({ kind }: Item): boolean => kind === 'head';

export function LineTable({ sections, mode, current, onCurrent, open, onOpen, children }: LineTableProps) {
  const chosen = useView((state) => state.chosen);
  const hasBook = useSnapshot(({ watchlists }) => bookOf(watchlists).size > 0);
  const items = useMemo(
    (): Item[] =>
      sections.flatMap((section) => [
        { kind: 'head', section },
        ...section.lines.map((line): Item => ({ kind: 'line', line })),
      ]),
    [sections],
  );
  const order = useMemo(() => sections.flatMap(({ lines }) => lines.map(({ id }) => id)), [sections]);
  const at = current !== null && order.includes(current) ? current : (order[0] ?? null);
  const choose = useCallback(
    (id: number, isRange: boolean): void => {
      const [from, to] = [order.indexOf(at ?? id), order.indexOf(id)];
      if (isRange) view.choose([...new Set([...chosen, ...order.slice(Math.min(from, to), Math.max(from, to) + 1)])]);
      else view.toggle(id);
      onCurrent(id);
    },
    [order, at, chosen, onCurrent],
  );
  const explain = (row: string): void => onOpen(Number(row));
  const list = useList({
    items,
    keyOf,
    isHeading,
    current: at === null ? null : String(at),
    onMove: useCallback((row: string) => onCurrent(Number(row)), [onCurrent]),
    keys: { Enter: explain, ' ': (row, { shiftKey }) => choose(Number(row), shiftKey) },
    size: { row: ROW_HEIGHT, page: PAGE_ROWS, head: 2 * ROW_HEIGHT },
  });
  useShortcuts('alerts', { next: () => list.step(1), previous: () => list.step(-1) });
  return (
    <Grid
      list={list}
      label={texts.alerts.title}
      className={`al-table ${mode}`}
      scrollClass="al-scroll"
      columns={useMemo(() => columnsOf(mode, hasBook), [mode, hasBook])}
      isMultiselect
      draw={({ item, isTabStop }, position) =>
        item.kind === 'head' ? (
          <SectionHead section={item.section} position={position} />
        ) : (
          <LineRow
            line={item.line}
            mode={mode}
            hasBook={hasBook}
            index={position}
            isTabStop={isTabStop}
            isOpen={item.line.id === open}
            onOpen={onOpen}
            onChoose={choose}
          />
        )
      }
    >
      {children}
    </Grid>
  );
}

const SectionHead = ({ section: { id, lines }, position }: { section: Section; position: number }) => (
  <tr className="al-section" aria-rowindex={position}>
    {/* The heading covers all columns without a column span, which would bring hidden columns back. */}
    <th scope="rowgroup">
      {texts.alerts.groups[id]} <span className="t3">{lines.length}</span>
    </th>
  </tr>
);

function columnsOf(mode: Mode, hasBook: boolean): readonly TableColumn[] {
  const { columns } = texts.alerts;
  const isEpisodes = mode === 'episodes';
  return [
    { name: columns.choose, className: 'al-choose', isSpoken: true },
    { name: columns.state, className: 'al-glyph', isSpoken: true },
    { name: columns.symbol, className: 'al-sym' },
    { name: isEpisodes ? columns.peak : columns.state, className: 'al-state' },
    ...(isEpisodes ? [{ name: columns.history, className: 'al-history-cell' }] : []),
    { name: isEpisodes ? columns.started : columns.at, className: 'al-start' },
    { name: columns.ended, className: 'al-end' },
    { name: columns.clock, className: 'num al-clock' },
    { name: columns.market, className: 'num al-market', title: columns.marketLong },
    { name: columns.chance, className: 'num al-conf', title: columns.chanceLong },
    { name: columns.right, className: 'num al-right', title: columns.rightLong },
    ...(hasBook ? [{ name: texts.inbox.columns.stake, className: 'num al-stake' }] : []),
    { name: columns.regime, className: 'al-regime' },
    { name: columns.outcome, className: 'al-outcome' },
  ];
}
