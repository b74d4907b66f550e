// Renderer: the factors of a symbol: the radar, a sentence on what moved, and the table.
import { useState } from 'react';
import type { FactorPoint, FactorSheet } from '../../../shared/channels/queries.ts';
import { emptyPowers } from '../../../shared/domain/factors.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { moved, power, share, shortTimestamp, wholePercent } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useOutageStart, useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useIsPast } from '../../store/shown-moment.ts';
import { useSnapshot } from '../../store/store.ts';
import { CachedNote } from '../../ui/cached-note.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loading-notice.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { type FactorMove, movesOf, NOTABLE, powersAt, summaryOf } from './moves.ts';
import { Radar } from './radar.tsx';
import { useFactors } from './use-factors.ts';
import './factors.css';

type Base = 'turn' | 'day';

interface FactorsViewProps {
  readonly symbol: string;
  /** When the symbol last changed its state, ms; null where unknown. */
  readonly turnAt: number | null;
  readonly show: 'both' | 'radar' | 'table';
}

export function FactorsView({ symbol, turnAt, show }: FactorsViewProps) {
  const { sheet, sheetProblem, history, retry } = useFactors(symbol, turnAt);
  const coverage = useSnapshot((snapshot) => snapshot.rows[symbol]?.coverage);
  if (coverage === 'regime_only' || coverage === 'none')
    return <p className="empty">{texts.factors.noSignal(symbol)}</p>;
  if (sheet === null) {
    if (sheetProblem !== null)
      return <ErrorNotice what={texts.factors.failed(symbol)} why={sheetProblem} onRetry={retry} />;
    return <LoadingNotice what={texts.factors.loading(symbol)} progress={null} />;
  }
  return <Sheet sheet={sheet} points={history} turnAt={turnAt} show={show} />;
}

interface SheetProps {
  readonly sheet: FactorSheet;
  /** null: not loaded yet. */
  readonly points: readonly FactorPoint[] | null;
  readonly turnAt: number | null;
  readonly show: FactorsViewProps['show'];
}

function Sheet({ sheet, points, turnAt, show }: SheetProps) {
  const [chosen, setChosen] = useState<Base>('turn');
  const zone = usePreference((preference) => preference.zone);
  const worldNow = useWorldNow();
  const outage = useOutageStart();
  const isPast = useIsPast();
  const then = points === null || turnAt === null ? null : powersAt(points, turnAt);
  // Counts from the time of the sheet, not from now: the sheet does not change between two reads.
  const ago = points === null ? null : powersAt(points, Date.parse(sheet.at) - DAY_MS);
  const base: Base = turnAt === null ? 'day' : chosen;
  const compared = base === 'turn' ? then : ago;
  const moves = movesOf(sheet, compared?.powers ?? null);
  const { rose, fell, carry, carriedShare } = summaryOf(moves);
  const turned = turnAt === null ? '' : shortTimestamp(turnAt, zone, worldNow);
  const written = (point: FactorPoint | null): string =>
    point === null ? '' : shortTimestamp(Date.parse(point.at), zone, worldNow);
  const asOf =
    outage === null || isPast ? null : texts.factors.asOf(shortTimestamp(Date.parse(sheet.at), zone, worldNow));
  const now = {
    ...emptyPowers(),
    ...Object.fromEntries(sheet.factors.flatMap(({ code, power }) => (code === null ? [] : [[code, power]]))),
  };
  return (
    <div className={`factors show-${show}`}>
      {show !== 'table' && (
        <div className="factors-radar">
          <Radar
            symbol={sheet.symbol}
            now={now}
            then={then?.powers ?? null}
            ago={ago?.powers ?? null}
            base={compared?.powers ?? null}
          />
          <Legend
            now={isPast ? shortTimestamp(Date.parse(sheet.at), zone, worldNow) : texts.factors.now}
            then={then === null ? null : texts.factors.atTurn(written(then), turned)}
            ago={written(ago)}
          />
          {show === 'radar' && (
            <>
              {asOf !== null && <p className="t2">{asOf}</p>}
              <CachedNote at={sheet.cached_at} />
            </>
          )}
        </div>
      )}
      {show !== 'radar' && (
        <div className="factors-moved">
          <div className="factors-summary">
            <p>
              {asOf !== null ? (
                asOf
              ) : compared === null ? (
                points === null ? (
                  texts.factors.loadingHistory(sheet.symbol)
                ) : (
                  texts.factors.noThen
                )
              ) : (
                <>
                  <b>{texts.factors.since(written(compared), base === 'turn' ? turned : null)}</b>{' '}
                  {texts.factors.sentence(rose, fell, carry, `${wholePercent(carriedShare * 100)}\u00a0%`)}
                </>
              )}
            </p>
            <CachedNote at={sheet.cached_at} />
            {turnAt !== null && (
              <SegmentedControl
                label={texts.factors.compare}
                options={[
                  { value: 'turn', label: texts.factors.sinceTurn },
                  { value: 'day', label: texts.factors.sinceDay },
                ]}
                value={base}
                onChange={setChosen}
              />
            )}
          </div>
          <MovedTable symbol={sheet.symbol} moves={moves} />
        </div>
      )}
    </div>
  );
}

/**
 * The legend of the radar: each line with the time of its powers.
 * @param then null: unknown
 * @param ago empty: unknown
 */
function Legend({ now, then, ago }: { now: string; then: string | null; ago: string }) {
  return (
    <ul className="radar-legend">
      <li>
        <Line className="radar-now" />
        {now}
      </li>
      {then !== null && (
        <li>
          <Line className="radar-then" />
          {then}
        </li>
      )}
      {ago !== '' && (
        <li>
          <Line className="radar-ago" />
          {texts.factors.dayBefore(ago)}
        </li>
      )}
    </ul>
  );
}

const Line = ({ className }: { className: string }) => (
  <svg width="18" height="6" aria-hidden="true">
    <path d="M0 3h18" className={className} />
  </svg>
);

/** The move that fills half of the bar's column. */
const WHOLE_BAR = 0.36;

const textOf = ({ code, now }: FactorMove): string => texts.factors.describe(code, now);
const COLUMNS: readonly Column<FactorMove>[] = [
  { name: texts.factors.code, className: 'mv-code', cellClass: 'cond t3', cell: ({ code }) => code },
  { name: texts.factors.dimension, className: 'mv-name', isRowHead: true, cell: ({ name }) => name },
  { name: texts.factors.nowHead, className: 'num mv-now', cell: ({ now }) => power(now) },
  { name: texts.factors.movedHead, className: 'num mv-moved', cell: (move) => moved(move.moved) },
  { name: texts.factors.fellRose, className: 'mv-bar', cell: (move) => <Bar moved={move.moved} /> },
  { name: texts.factors.share, className: 'num mv-share', cellClass: 'cond', cell: (move) => share(move.share) },
  { name: texts.factors.description, className: 'mv-text', cellClass: 'cond t2', cellTitle: textOf, cell: textOf },
];

/** The table of moved factors: a row for each dimension, ranked by its share of the risk. */
export function MovedTable({ symbol, moves }: { symbol: string; moves: readonly FactorMove[] }) {
  return (
    <ScrollRegion className="scroll moved" label={texts.factors.tableName(symbol)}>
      <Table
        label={texts.factors.tableName(symbol)}
        columns={COLUMNS}
        rows={moves}
        keyOf={(move) => move.code ?? move.name}
        rowClass={({ moved: by }) => (Math.abs(by ?? 0) >= NOTABLE ? 'moved-row notable' : 'moved-row')}
      />
    </ScrollRegion>
  );
}

/** Right of the axis and solid: rose. Left and striped: fell. */
function Bar({ moved }: { moved: number | null }) {
  const width = Math.min(50, (Math.abs(moved ?? 0) / WHOLE_BAR) * 50);
  return (
    <span className="dbar" aria-hidden="true">
      {moved !== null && <i className={moved < 0 ? 'fell' : 'rose'} style={{ width: `${Math.max(1, width)}%` }} />}
    </span>
  );
}
