// Renderer: the chart's data as tables: transitions, daily values and gaps of the symbol.

import { useShallow } from 'zustand/react/shallow';
import { chanceOf } from '../../../shared/domain/fall-chance.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import { type State, stateLabel } from '../../../shared/domain/states.ts';
import { DASH, datedDay, marketTime, percent, price, shortTimestamp, span } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { type ChartModel, type StateChange, sessionMs } from '../../charts/model.ts';
import { usePreference } from '../../store/preferences.ts';
import type { CoreSnapshot } from '../../store/state.ts';
import { useSnapshot } from '../../store/store.ts';
import { useChartCalendar } from '../../store/symbol-calendar.ts';
import { Glyph, StateLabel } from '../../ui/glyph.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import './record.css';
import { useIsOffline, useWorldMinute } from '../../store/connection-status.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';

/** A past state with its start and end, ms. */
interface PastState {
  readonly turn: ChartModel['stateChanges'][number];
  readonly until: number | null;
}

export type RecordView = 'transitions' | 'daily' | 'gaps';

interface RecordProps {
  readonly model: ChartModel;
  readonly view: RecordView;
  /** Points a change of state out in the chart. */
  readonly onShow: (stateChange: StateChange) => void;
}

export function Record({ model, view, onShow }: RecordProps) {
  return (
    <ScrollRegion className="scroll record" label={texts.record[view]}>
      {view === 'transitions' && <Transitions model={model} onShow={onShow} />}
      {view === 'daily' && <Daily model={model} />}
      {view === 'gaps' && <Gaps />}
    </ScrollRegion>
  );
}

function Transitions({ model, onShow }: Omit<RecordProps, 'view'>) {
  const isOffline = useIsOffline();
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  const noted = useSnapshot(useShallow((snapshot) => snapshot.alerts.filter(({ note }) => note !== '')));
  const calendar = useChartCalendar(model.symbol);
  if (model.stateChanges.length === 0) return <p className="empty">{texts.record.noTransitions(model.symbol)}</p>;
  const notes = new Map<string | undefined, string>(noted.map(({ transition, note }) => [transition.event_id, note]));
  const newestFirst: readonly PastState[] = model.stateChanges
    .map((turn, index) => ({ turn, until: model.stateChanges[index + 1]?.at ?? null }))
    .reverse();
  const columns: readonly Column<PastState>[] = [
    {
      name: texts.record.time,
      className: 'first',
      cellClass: 'cond',
      cell: ({ turn }) => {
        const at = turn.transition === null ? datedDay(sessionMs(turn.at), now) : shortTimestamp(turn.at, zone, now);
        return (
          <button
            type="button"
            className="record-time"
            title={texts.chart.showTransition(at)}
            onClick={() => onShow(turn)}
          >
            {at}
          </button>
        );
      },
    },
    { name: texts.record.turned, cell: ({ turn }) => <StateCell state={turn.to} /> },
    { name: texts.record.from, cellClass: 't2', cell: ({ turn }) => stateLabel(turn.from) },
    {
      name: texts.record.lasted,
      className: 'num',
      cellClass: 'cond',
      cell: ({ turn, until }) =>
        until === null ? (isOffline ? texts.record.notKnown : texts.record.now) : span(until - turn.at),
    },
    ...(calendar === 'always' ? [] : [marketColumn(calendar)]),
    {
      ...CHANCE,
      cell: ({ turn }) => (turn.transition === null ? DASH : chanceText(turn.to, turn.transition.confidence)),
    },
    {
      name: texts.record.regime,
      className: 'last',
      cellClass: 't2 cond',
      cell: ({ turn }) => (
        <>
          {turn.transition === null ? texts.record.dailyHistory : regimeText(turn.transition.regime)}
          {notes.has(turn.transition?.event_id) && (
            <span className="record-note">{notes.get(turn.transition?.event_id)}</span>
          )}
        </>
      ),
    },
  ];
  return (
    <Table columns={columns} rows={newestFirst} keyOf={({ turn }) => turn.transition?.event_id ?? String(turn.at)} />
  );
}

/** The same number for every state, so that it can be compared down the column. */
const CHANCE = {
  name: texts.record.chance,
  title: texts.record.chanceLong,
  className: 'num',
  cellClass: 'cond',
} as const;

const chanceText = (state: State, confidence: number | null): string =>
  percent(chanceOf({ state, confidence, base_rate: null })?.percent ?? null);

const marketColumn = (calendar: SessionCalendar): Column<PastState> => ({
  name: texts.record.lastedMarket,
  title: texts.record.lastedMarketLong,
  className: 'num',
  cellClass: 'cond t2',
  cell: ({ turn, until }) => (until === null ? '' : marketTime(calendar, turn.at, until)),
});

const StateCell = ({ state }: { state: State }) => (
  <span className="turned">
    <Glyph name={state} size={12} />
    <StateLabel state={state} />
  </span>
);

const dayColumns = (now: number): readonly Column<ChartModel['points'][number]>[] => [
  { name: texts.record.day, className: 'first', cellClass: 'cond', cell: ({ ms }) => datedDay(sessionMs(ms), now) },
  {
    name: texts.record.price,
    className: 'num',
    cell: (point) => (point.price === null ? DASH : price(point.price)),
  },
  { name: texts.record.state, cell: ({ state }) => state !== null && <StateCell state={state} /> },
  {
    ...CHANCE,
    cell: ({ state, confidence }) => (state === null ? DASH : chanceText(state, confidence)),
  },
  {
    name: texts.record.regime,
    className: 'last',
    cellClass: 't2 cond',
    cell: ({ regime }) => regimeText(regime),
  },
];

function Daily({ model }: { model: ChartModel }) {
  const columns = dayColumns(useWorldMinute());
  return <Table columns={columns} rows={[...model.points].reverse()} keyOf={({ ms }) => String(ms)} />;
}

function Gaps() {
  const gaps = useSnapshot((snapshot) => snapshot.gaps);
  const isOffline = useIsOffline();
  const isProvable = useSnapshot((snapshot) => snapshot.connection.provable);
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  if (gaps.length === 0) return <p className="empty">{texts.connection.gaps.none(isProvable, isOffline)}</p>;
  const columns: readonly Column<CoreSnapshot['gaps'][number]>[] = [
    {
      name: texts.record.from,
      className: 'first',
      cellClass: 'cond',
      cell: ({ from }) => shortTimestamp(Date.parse(from), zone, now),
    },
    {
      name: texts.record.until,
      cellClass: 'cond',
      cell: ({ to }) => (to === null ? texts.record.now : shortTimestamp(Date.parse(to), zone, now)),
    },
    {
      name: texts.record.status,
      cellClass: ({ closed }) => (closed ? 't3' : 'md'),
      cell: ({ closed }) => (closed ? texts.record.filled : texts.record.stillOpen),
    },
    { name: texts.record.cause, cellClass: 't2 cause', cell: ({ cause }) => textOf(cause) },
  ];
  return <Table columns={columns} rows={[...gaps].sort((a, b) => b.id - a.id)} keyOf={({ id }) => String(id)} />;
}

function regimeText(regime: string | null): string {
  return regime === null ? DASH : regimeLabel(regime);
}
