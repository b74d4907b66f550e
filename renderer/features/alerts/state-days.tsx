// Renderer: the list over 30 days: a cell a session, filled by the time in each state; beside it one day.
import { memo, useMemo, useState } from 'react';
import type { StateDays } from '../../../shared/channels/queries.ts';
import { type State, stateLabel } from '../../../shared/domain/states.ts';
import { symbolsOf, type Watchlist } from '../../../shared/domain/watchlists.ts';
import { shortDay } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useServices } from '../../services.ts';
import { useShownList } from '../../store/list-edits.ts';
import { goTo, requestChartDay } from '../../store/route.ts';
import { useSnapshot } from '../../store/store.ts';
import { rowProps, useList } from '../../ui/list/use-list.ts';
import { QueryNotice } from '../../ui/loading-notice.tsx';
import { Grid } from '../../ui/table/grid.tsx';
import type { TableColumn } from '../../ui/table/table-head.tsx';
import { StateDayPanel } from './state-day.tsx';
import './state-days.css';

type Row = StateDays['rows'][number];
type Cell = Row['cells'][number];
/** px; the heights in state-days.css. */
const ROW_HEIGHT = 22;
const HEAD_HEIGHT = 104;
const PAGE_ROWS = 15;
const { stateDays: words } = texts;

const dayText = (date: string): string => shortDay(Date.parse(date));
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const inState = (rows: readonly Row[], day: number, state: State): number =>
  rows.filter(({ cells }) => cells[day]?.state === state).length;

export function StateDaysView() {
  const list = useShownList();
  const symbols = useMemo(() => (list === undefined ? [] : [...new Set(symbolsOf(list))]), [list]);
  const query = useChannelQuery('states.days', symbols.length === 0 ? null : { symbols });
  if (list === undefined || symbols.length === 0) return <p className="empty">{words.empty}</p>;
  if (query.data !== undefined) return <Days list={list} symbols={symbols} data={query.data} />;
  return <QueryNotice query={query} loading={words.loading} failed={words.failed} />;
}

/** Longest at High Risk first, then longest at Elevated; equal ones keep the trader's order. */
const longestFirst = (rows: readonly Row[]): Row[] => {
  const time = ({ cells }: Row, state: 'high' | 'elevated') => sum(cells.map((cell) => cell?.[state] ?? 0));
  return [...rows].sort((a, b) => time(b, 'high') - time(a, 'high') || time(b, 'elevated') - time(a, 'elevated'));
};

interface DaysProps {
  readonly list: Watchlist;
  readonly symbols: readonly string[];
  readonly data: StateDays;
}

function Days({ list, symbols, data }: DaysProps) {
  const { intents } = useServices();
  const selected = useSnapshot((snapshot) => snapshot.selected);
  const { days } = data;
  const rows = useMemo(() => longestFirst(data.rows), [data]);
  const last = days.length - 1;
  const [column, setColumn] = useState(last);
  const [moved, setMoved] = useState<string | null>(null);
  const open = (symbol: string, index: number | null): void => {
    const date = index === null ? undefined : days[index];
    if (date !== undefined) requestChartDay({ symbol, day: Date.parse(date) });
    intents.select(symbol);
    goTo({ page: 'watch', item: null });
  };
  const choose = (symbol: string, index: number): void => {
    setMoved(symbol);
    setColumn(Math.max(0, Math.min(last, index)));
  };
  const openDay = (symbol: string): void => open(symbol, column);
  const shift = (by: number) => (symbol: string) => choose(symbol, column + by);
  const grid = useList<Row>({
    items: rows,
    keyOf,
    current: moved ?? selected,
    onMove: setMoved,
    keys: {
      Enter: openDay,
      ArrowLeft: shift(-1),
      ArrowRight: shift(1),
    },
    size: { row: ROW_HEIGHT, page: PAGE_ROWS, head: HEAD_HEIGHT },
  });
  const at = rows.find(({ symbol }) => symbol === (grid.tabStop ?? rows[0]?.symbol));
  const columns = useMemo(() => columnsOf(days, rows, column), [days, rows, column]);
  const cell = at?.cells[column];
  return (
    <div className="days-split">
      <div className="days-main">
        <div className="days-tools">
          <h2>{verdictOf(days, rows)}</h2>
          <Legend />
          <span className="t2">{words.hint}</span>
        </div>
        <Grid
          list={grid}
          label={words.label(list.name)}
          className="days-table"
          scrollClass="days-scroll"
          columns={columns}
          handlers={{
            onClick({ target }) {
              const hit = target instanceof Element ? target.closest<HTMLElement>('td, th') : null;
              const symbol = hit?.closest<HTMLElement>('[data-row]')?.dataset.row;
              const index = hit?.dataset.day;
              if (symbol !== undefined && index !== undefined) choose(symbol, Number(index));
              else if (symbol !== undefined && hit?.tagName === 'TH') open(symbol, null);
            },
            onDoubleClick({ target }) {
              if (target instanceof Element && at !== undefined && target.closest('[data-day]') !== null)
                open(at.symbol, column);
            },
          }}
          draw={({ item, isTabStop }, position) => (
            <DaysRow row={item} days={days} column={column} isTabStop={isTabStop} position={position} />
          )}
        />
      </div>
      <StateDayPanel
        symbols={symbols}
        day={days[column] ?? ''}
        isToday={column === last}
        spared={rows.filter(({ cells }) => (cells[column]?.state ?? 2) < 2).map(({ symbol }) => symbol)}
        chosen={
          at !== undefined && moved !== null ? words.cell(at.symbol, dayText(days[column] ?? ''), cellText(cell)) : ''
        }
        onOpen={at === undefined ? null : () => open(at.symbol, column)}
      />
    </div>
  );
}

const keyOf = ({ symbol }: Row): string => symbol;

/** Number of symbols with a record. */
const recorded = (rows: readonly Row[]): number =>
  rows.filter(({ cells }) => cells.some((cell) => cell !== null)).length;

/** When most were High Risk, and for how much of the known time. */
function verdictOf(days: readonly string[], rows: readonly Row[]): string {
  const counts = days.map((_, day) => inState(rows, day, 2));
  const most = Math.max(0, ...counts);
  const known = rows.flatMap(({ cells }) => cells.flatMap((cell) => cell ?? []));
  const share = known.length === 0 ? null : sum(known.map(({ high }) => high)) / known.length;
  return words.verdict(most, recorded(rows), dayText(days[counts.lastIndexOf(most)] ?? ''), share);
}

const Legend = () => (
  <ul className="days-legend">
    {(['whole', 'half', 'elevated', 'normal', 'none'] as const).map((kind) => (
      <li key={kind}>
        <span className={`days-cell is-${kind}`} aria-hidden="true">
          {kind !== 'normal' && kind !== 'none' && <Fill high={HIGH[kind]} elevated={kind === 'elevated' ? 1 : 0} />}
        </span>
        {words.legend[kind]}
      </li>
    ))}
  </ul>
);
const HIGH = { whole: 1, half: 0.5, elevated: 0 } as const;

/** Above the days how many symbols were High Risk and Elevated; every fifth has its name, counted from today. */
const columnsOf = (days: readonly string[], rows: readonly Row[], chosen: number): TableColumn[] => [
  { name: words.symbol, className: 'first' },
  ...days.map((date, index): TableColumn => {
    const fromEnd = days.length - 1 - index;
    const [high, elevated] = [inState(rows, index, 2), inState(rows, index, 1)];
    const of = Math.max(1, recorded(rows));
    return {
      name: dayText(date),
      className: index === chosen ? 'days-day is-day' : 'days-day',
      title: words.breadth(dayText(date), high, elevated, of),
      label: (
        <>
          <span className="days-breadth" aria-hidden="true">
            {high > 0 && <b>{high}</b>}
            <i className="elevated" style={{ height: `${(100 * elevated) / of}%` }} />
            <i className="high" style={{ height: `${(100 * high) / of}%` }} />
          </span>
          <span className="spoken">{words.breadth(dayText(date), high, elevated, of)}</span>
          {fromEnd % 5 === 0 && <bdi aria-hidden="true">{fromEnd === 0 ? words.today : dayText(date)}</bdi>}
        </>
      ),
    };
  }),
  { name: words.highTime, className: 'num days-number' },
  { name: words.alerts, className: 'num days-number', title: words.alertsLong },
  { name: words.fell, className: 'num days-number', title: words.fellLong },
];

interface DaysRowProps {
  readonly row: Row;
  readonly days: readonly string[];
  /** The chosen day. */
  readonly column: number;
  readonly isTabStop: boolean;
  readonly position: number;
}

const DaysRow = memo(function DaysRow({ row, days, column, isTabStop, position }: DaysRowProps) {
  const { symbol, cells } = row;
  return (
    <tr
      {...rowProps(symbol, isTabStop)}
      aria-rowindex={position}
      aria-label={rowSentence(
        symbol,
        cells.map((cell) => cell?.state ?? null),
        days.map(dayText),
      )}
    >
      <th scope="row">{symbol}</th>
      {cells.map((cell, index) => {
        const date = days[index] ?? '';
        const shade = cell === null ? ' is-none' : cell.state === 2 && cell.high === 0 ? ' is-after' : '';
        return (
          <td
            key={date}
            data-day={index}
            className={`days-cell${shade}${index === column ? ` is-day${isTabStop ? ' is-at' : ''}` : ''}`}
            title={words.cell(symbol, dayText(date), cellText(cell))}
          >
            {cell !== null && <Fill {...cell} />}
          </td>
        );
      })}
      <td className="num days-number">{words.highDays(sum(cells.map((cell) => cell?.high ?? 0)))}</td>
      <td className="num days-number">{words.count(row.alerts)}</td>
      <td className="num days-number">{words.fellOf(row)}</td>
    </tr>
  );
});

/** Solid from below: the share at High Risk; hatched above: at Elevated. */
const Fill = ({ high, elevated }: { high: number; elevated: number }) => (
  <>
    {high > 0 && <i className="high" style={{ height: `${high * 100}%` }} />}
    {elevated > 0 && <i className="elevated" style={{ height: `${elevated * 100}%`, bottom: `${high * 100}%` }} />}
  </>
);

/** The states of a session in words; null: no record. */
function cellText(cell: Cell | undefined): string {
  if (cell == null) return words.noData;
  const parts = [
    ...(cell.high > 0 ? [words.partOf(stateLabel(2), cell.high)] : []),
    ...(cell.elevated > 0 ? [words.partOf(stateLabel(1), cell.elevated)] : []),
  ];
  if (parts.length === 0) return cell.state === 0 ? stateLabel(0) : words.afterClose(stateLabel(cell.state));
  return parts.join(', ');
}

/** The worst state, on how many days, and the last one of them. @param days as text, as many as states */
function rowSentence(symbol: string, states: readonly (State | null)[], days: readonly string[]): string {
  const noData = states.filter((state) => state === null).length;
  const worst = Math.max(0, ...states.map((state) => state ?? 0)) as State;
  if (worst === 0) return words.normal(symbol, states.length, noData);
  const on = states.filter((state) => state === worst).length;
  const last = days[states.lastIndexOf(worst)] ?? '';
  return words.row(symbol, stateLabel(worst), on, states.length, last, noData);
}
