// Renderer, validation: the record by symbol: counts first, then shares with their intervals.
import { useState } from 'react';
import { callsOf } from '../../../shared/channels/call-record.ts';
import type { ValidationRecord } from '../../../shared/channels/queries.ts';
import { shareX } from '../../../shared/domain/record-plots.ts';
import { count, power } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { type TableColumn, TableHead } from '../../ui/table/table-head.tsx';
import {
  type Column,
  inOrder,
  type Metrics,
  nextSort,
  precisionInterval,
  precisionOf,
  type Row,
  recallInterval,
  recallOf,
  type Sort,
} from './score.ts';

type Interval = ReturnType<typeof recallInterval>;

export function ScoreTable({ record: { symbols, details } }: { record: ValidationRecord }) {
  const [sort, setSort] = useState<Sort>({ column: 'symbol', descending: false });
  const share = details.scorer.holdout_share;
  const from = details.windows.map((window) => window.from.slice(0, 4)).sort()[0] ?? null;
  const head = (column: Column, span: number): TableColumn => ({
    name: texts.validation.columns[column],
    label: (
      <>
        {texts.validation.columns[column]}
        {span > 1 && <span className="t3 wide">{texts.validation.scale}</span>}
      </>
    ),
    className: column === 'symbol' || span > 1 ? `col-${column}` : `num col-${column}`,
    span,
    sort: {
      by: sort.column !== column ? null : sort.descending ? 'descending' : 'ascending',
      onSort: () => setSort(nextSort(sort, column)),
    },
  });
  return (
    <>
      <div className="validation-tool">
        <h2>{texts.validation.bySymbol(symbols.length)}</h2>
        <span className="validation-legend right" aria-hidden="true">
          <span>
            <Legend kind="full" />
            {texts.validation.legendFull(from)}
          </span>
          <span className="t2">
            <Legend kind="holdout" />
            {texts.validation.legendHoldout(share === undefined ? null : Math.round(share * 100))}
          </span>
          <span className="wide">{texts.validation.legendLine}</span>
        </span>
      </div>
      <ScrollRegion className="scroll score" label={texts.validation.tableName}>
        <table className="table">
          <TableHead columns={COLUMNS.map(([name, span]) => head(name, span))} />
          <tbody>
            {inOrder(symbols, sort).map((row) => (
              <ScoreRow key={row.symbol} row={row} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <Noise rows={symbols} />
    </>
  );
}

/** The columns, each with the number of cells that it spans. */
const COLUMNS: readonly (readonly [Column, number])[] = [
  ['symbol', 1],
  ['events', 1],
  ['signals', 1],
  ['right', 1],
  ['recall', 3],
  ['precision', 3],
  ['f1', 3],
];

function ScoreRow({ row }: { row: Row }) {
  const { full, holdout } = row;
  const { right, calls } = callsOf(holdout);
  const late = holdout.calls?.late ?? 0;
  return (
    <tr className="score-row">
      <th scope="row" className="score-name col-symbol">
        {row.symbol}
      </th>
      <td className="num cond t2">
        <Pair full={full.events} holdout={holdout.events} />
      </td>
      <td className="num cond t2">
        <Pair full={full.n_signals} holdout={holdout.n_signals} />
      </td>
      <td className="num cond col-right">
        <b className="md">{texts.validation.rightOf(right, calls)}</b>
        {late > 0 && (
          <span className="t3" title={texts.validation.lateWhy}>
            {' '}
            {texts.validation.late(late)}
          </span>
        )}
      </td>
      <Share full={recallOf(full)} holdout={recallOf(holdout)} of={[recallInterval(full), recallInterval(holdout)]} />
      <Share
        full={precisionOf(full)}
        holdout={precisionOf(holdout)}
        of={[precisionInterval(full), precisionInterval(holdout)]}
      />
      <Share full={full.f1} holdout={holdout.f1} of={[null, null]} />
    </tr>
  );
}

/** The numbers of the full and the hold-out window: "31 / 8". */
function Pair({ full, holdout }: { full: Metrics['events']; holdout: Metrics['events'] }) {
  return (
    <>
      {full === null ? '–' : count(full)} <span className="t3">/ {holdout === null ? '–' : count(holdout)}</span>
    </>
  );
}

interface ShareProps {
  /** null: the share has no denominator. */
  readonly full: number | null;
  readonly holdout: number | null;
  readonly of: readonly [full: Interval, holdout: Interval];
}

/** The drawing repeats the two numbers beside it. */
function Share({ full, holdout, of: [wide, narrow] }: ShareProps) {
  return (
    <>
      <td className="share-plot">
        <svg viewBox="0 0 150 22" preserveAspectRatio="none" aria-hidden="true">
          <path d="M4 0V22M75 0V22M146 0V22" stroke="var(--line)" vectorEffect="non-scaling-stroke" />
          {wide !== null && <Whisker {...wide} y={7} ink="var(--t3)" />}
          {narrow !== null && <Whisker {...narrow} y={16} ink="var(--accent)" />}
        </svg>
        {full !== null && <i className="dot full" style={{ left: `${shareX(full) / 1.5}%` }} />}
        {holdout !== null && <i className="dot holdout" style={{ left: `${shareX(holdout) / 1.5}%` }} />}
      </td>
      <td className="num cond t2">{power(full)}</td>
      <td className="num cond md after">{power(holdout)}</td>
    </>
  );
}

const Whisker = ({ low, high, y, ink }: { low: number; high: number; y: number; ink: string }) => (
  <path d={`M${shareX(low)} ${y}H${shareX(high)}`} stroke={ink} strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
);

const Legend = ({ kind }: { kind: 'full' | 'holdout' }) => (
  <svg width="26" height="10" aria-hidden="true">
    <path d="M1 5h24" stroke={kind === 'full' ? 'var(--t3)' : 'var(--accent)'} strokeWidth="1.5" />
    {kind === 'full' ? (
      <rect x="10.5" y="2.5" width="5" height="5" fill="var(--s1)" stroke="var(--t2)" strokeWidth="1.3" />
    ) : (
      <circle cx="13" cy="5" r="3.2" fill="var(--accent)" />
    )}
  </svg>
);

/** Says how uncertain figures from few events are. */
function Noise({ rows }: { rows: readonly Row[] }) {
  const events = rows
    .flatMap(({ holdout }) => (holdout.events === null || holdout.events === 0 ? [] : [holdout.events]))
    .sort((a, b) => a - b);
  const [least, most] = [events[0], events.at(-1)];
  const median = events[Math.floor(events.length / 2)];
  if (least === undefined || most === undefined || median === undefined) return null;
  return <p className="validation-foot">{texts.validation.noise(least, most, power(1 / median))}</p>;
}
