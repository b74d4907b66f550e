// Renderer: a table of the worst state of each listed symbol on each of the last 30 days.
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
import { Glyph } from '../../ui/glyph.tsx';
import { rowProps, useList } from '../../ui/list/use-list.ts';
import { QueryNotice } from '../../ui/loading-notice.tsx';
import { Grid } from '../../ui/table/grid.tsx';
import type { TableColumn } from '../../ui/table/table-head.tsx';
import './state-days.css';

type Row = StateDays['rows'][number];
/** px; the height in state-days.css. */
const ROW_HEIGHT = 26;
const PAGE_ROWS = 15;
/**
 * A state that lasted for a smaller share of the session has a small glyph, so that days that differ look
 * different.
 */
const BRIEF = 0.1;

const dayText = (date: string): string => shortDay(Date.parse(date));

export function StateDaysView() {
  const list = useShownList();
  const symbols = useMemo(() => (list === undefined ? [] : [...new Set(symbolsOf(list))]), [list]);
  const query = useChannelQuery('states.days', symbols.length === 0 ? null : { symbols });
  if (list === undefined || symbols.length === 0) return <p className="empty">{texts.alerts.days.empty}</p>;
  if (query.data !== undefined) return <Days list={list} data={query.data} />;
  return <QueryNotice query={query} loading={texts.alerts.days.loading} failed={texts.alerts.days.failed} />;
}

function Days({ list, data }: { list: Watchlist; data: StateDays }) {
  const { intents } = useServices();
  const selected = useSnapshot((snapshot) => snapshot.selected);
  const { days, rows } = data;
  const last = days.length - 1;
  const [column, setColumn] = useState(last);
  const [moved, setMoved] = useState<string | null>(null);
  const open = (symbol: string, index: number | null): void => {
    const date = index === null ? undefined : days[index];
    if (date !== undefined) requestChartDay({ symbol, day: Date.parse(date) });
    intents.select(symbol);
    goTo({ page: 'watch', item: null });
  };
  const openDay = (symbol: string): void => open(symbol, column);
  const shift = (by: number) => (symbol: string) => {
    setMoved(symbol);
    setColumn(Math.max(0, Math.min(last, column + by)));
  };
  const grid = useList<Row>({
    items: rows,
    keyOf,
    current: moved ?? selected,
    onMove: setMoved,
    keys: { Enter: openDay, ArrowLeft: shift(-1), ArrowRight: shift(1) },
    size: { row: ROW_HEIGHT, page: PAGE_ROWS, head: ROW_HEIGHT },
  });
  const at = rows.find(({ symbol }) => symbol === grid.tabStop);
  const columns = useMemo(() => columnsOf(days), [days]);
  return (
    <>
      <div className="days-tools">
        <span className="t2">{texts.alerts.days.hint}</span>
        <span className="days-cell-text" role="status">
          {moved !== null &&
            at !== undefined &&
            texts.alerts.days.cell(
              at.symbol,
              dayText(days[column] ?? ''),
              dayStateText(at.states[column], at.shares[column]),
            )}
        </span>
      </div>
      <Grid
        list={grid}
        label={texts.alerts.days.label(list.name)}
        className="days-table"
        scrollClass="days-scroll"
        columns={columns}
        handlers={{
          onClick({ target }) {
            const cell = target instanceof Element ? target.closest<HTMLElement>('td, th[scope="row"]') : null;
            const symbol = cell?.closest<HTMLElement>('[data-row]')?.dataset.row;
            const index = cell?.dataset.day;
            if (symbol !== undefined) open(symbol, index === undefined ? null : Number(index));
          },
        }}
        draw={({ item, isTabStop }, position) => (
          <DaysRow row={item} days={days} column={isTabStop ? column : null} position={position} />
        )}
      />
    </>
  );
}

const keyOf = ({ symbol }: Row): string => symbol;

/** The head names the day of every fifth column, counted from today. */
const columnsOf = (days: readonly string[]): TableColumn[] => [
  { name: texts.alerts.days.symbol, className: 'first' },
  ...days.map((date, index) => {
    const fromEnd = days.length - 1 - index;
    const label = fromEnd === 0 ? texts.alerts.days.today : dayText(date);
    return {
      name: dayText(date),
      className: 'days-day',
      title: dayText(date),
      label: fromEnd % 5 === 0 ? <bdi>{label}</bdi> : <span className="spoken">{dayText(date)}</span>,
    };
  }),
];

interface DaysRowProps {
  readonly row: Row;
  readonly days: readonly string[];
  /** The cell of the keyboard; null: it is in another row. */
  readonly column: number | null;
  readonly position: number;
}

const DaysRow = memo(function DaysRow({ row, days, column, position }: DaysRowProps) {
  return (
    <tr
      {...rowProps(row.symbol, column !== null)}
      aria-rowindex={position}
      aria-label={rowSentence(row.symbol, row.states, days.map(dayText))}
    >
      <th scope="row">{row.symbol}</th>
      {row.states.map((state, index) => {
        const date = days[index] ?? '';
        const share = row.shares[index] ?? 0;
        const isRaised = state !== null && state > 0;
        return (
          <td
            key={date}
            data-day={index}
            className={`days-cell state-${state ?? 'none'}${index === column ? ' is-at' : ''}`}
            title={texts.alerts.days.cell(row.symbol, dayText(date), dayStateText(state, share))}
          >
            {isRaised && <i style={{ height: `${share * 100}%` }} />}
            <Glyph name={state ?? 'none'} size={isRaised && share < BRIEF ? 7 : 12} />
          </td>
        );
      })}
    </tr>
  );
});

/**
 * @param share the part of the session in that state, 0 to 1; the text has it unless it is all of the session
 */
function dayStateText(state: State | null | undefined, share: number | undefined): string {
  if (state == null) return texts.alerts.days.noData;
  if (state === 0 || share === undefined || share === 1) return stateLabel(state);
  return texts.alerts.days.partOf(stateLabel(state), share);
}

/** The worst state, on how many days, and the last one of them. @param days as text, as many as states */
function rowSentence(symbol: string, states: readonly (State | null)[], days: readonly string[]): string {
  const noData = states.filter((state) => state === null).length;
  const worst = Math.max(0, ...states.map((state) => state ?? 0)) as State;
  if (worst === 0) return texts.alerts.days.normal(symbol, states.length, noData);
  const on = states.filter((state) => state === worst).length;
  const last = days[states.lastIndexOf(worst)] ?? '';
  return texts.alerts.days.row(symbol, stateLabel(worst), on, states.length, last, noData);
}
