// Renderer: the factors of a symbol: what moved most in words beside a radar; the table of all on demand.
import { useState } from 'react';
import type { FactorPoint, FactorSheet } from '../../../shared/channels/queries.ts';
import { emptyPowers } from '../../../shared/domain/factors.ts';
import { datedDay, powerRank, rankMove, share, shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { sessionMs } from '../../charts/model.ts';
import { useOutageStart, useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { useIsPast } from '../../store/shown-moment.ts';
import { useSnapshot } from '../../store/store.ts';
import { CachedNote } from '../../ui/cached-note.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loading-notice.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import {
  type Base,
  baseOf,
  type FactorMove,
  lastAsExtreme,
  movedMost,
  movesOf,
  NOTABLE,
  notCompared,
} from './moves.ts';
import { Radar } from './radar.tsx';
import { useFactors } from './use-factors.ts';
import './factors.css';

interface FactorsViewProps {
  readonly symbol: string;
  /** When the symbol last changed its state, ms; null where unknown. */
  readonly turnAt: number | null;
}

export function FactorsView({ symbol, turnAt }: FactorsViewProps) {
  const { sheet, sheetProblem, history, historyProblem, retry } = useFactors(symbol, turnAt);
  const coverage = useSnapshot((snapshot) => snapshot.rows[symbol]?.coverage);
  if (coverage === 'regime_only' || coverage === 'none')
    return <p className="empty">{texts.factors.noSignal(symbol)}</p>;
  if (sheet === null) {
    if (sheetProblem !== null)
      return <ErrorNotice what={texts.factors.failed(symbol)} why={sheetProblem} onRetry={retry} />;
    return <LoadingNotice what={texts.factors.loading(symbol)} progress={null} />;
  }
  return <Sheet sheet={sheet} points={history} problem={historyProblem} />;
}

interface SheetProps {
  readonly sheet: FactorSheet;
  /** null: not loaded yet. */
  readonly points: readonly FactorPoint[] | null;
  /** Why they will not be loaded. */
  readonly problem: string | null;
}

function Sheet({ sheet, points, problem }: SheetProps) {
  const [isTable, setTable] = useState(false);
  const zone = usePreference((preference) => preference.zone);
  const worldNow = useWorldMinute();
  const outage = useOutageStart();
  const isPast = useIsPast();
  const base = points === null ? null : baseOf(sheet, points);
  const moves = movesOf(sheet, base?.point.powers ?? null);
  const most = movedMost(moves);
  const written = (at: string): string => shortTimestamp(Date.parse(at), zone, worldNow);
  const loading = problem === null ? texts.factors.loadingHistory(sheet.symbol) : problem;
  return (
    <div className="factors">
      <div className="factors-head">
        {base === null ? (
          <p className="t2">{points === null ? loading : texts.factors.noBase}</p>
        ) : (
          <h2>
            {texts.factors.movedMost(base.sessions)}{' '}
            <span className="t2">{texts.factors.since(written(base.point.at), isPast ? written(sheet.at) : null)}</span>
          </h2>
        )}
        <CachedNote at={sheet.cached_at} />
        <button type="button" className="btn right" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
          {texts.factors.all}
        </button>
      </div>
      {outage !== null && !isPast && <p className="factors-note">{texts.factors.asOf(written(sheet.at))}</p>}
      {isTable ? (
        <MovedTable symbol={sheet.symbol} moves={moves} />
      ) : (
        <div className="factors-most">
          <Radar
            symbol={sheet.symbol}
            now={{
              ...emptyPowers(),
              ...Object.fromEntries(
                sheet.factors.flatMap(({ code, power: now }) => (code === null ? [] : [[code, now]])),
              ),
            }}
            before={base?.point.powers ?? null}
            named={(most.length === 0 ? moves.slice(0, 3) : most).map(({ code }) => code)}
          />
          {base !== null && <Most most={most} base={base} missing={notCompared(moves)} />}
        </div>
      )}
    </div>
  );
}

function Most({ most, base, missing }: { most: readonly FactorMove[]; base: Base; missing: number }) {
  const worldNow = useWorldMinute();
  const wordsOf = (move: FactorMove): string => {
    const last = lastAsExtreme(move, base);
    const day = last === null || last === 'never' ? last : datedDay(sessionMs(Date.parse(last)), worldNow);
    return texts.factors.movedTo(textOf(move), (move.moved ?? 0) > 0, day);
  };
  return (
    <div>
      {most.length === 0 && <p>{texts.factors.nothingMoved}</p>}
      <ul className="most">
        {most.map((move) => (
          <li key={move.name}>
            <b>{move.name}</b>
            <span>{texts.factors.fromTo(powerRank(move.before), powerRank(move.now))}</span>
            <span className="t2">{wordsOf(move)}</span>
          </li>
        ))}
      </ul>
      {missing > 0 && <p className="t2">{texts.factors.notCompared(missing)}</p>}
      <p className="most-legend">
        <svg width="18" height="6" aria-hidden="true">
          <path d="M0 3h18" className="radar-then" />
        </svg>
        {texts.factors.sessionsAgo(base.sessions)}
      </p>
    </div>
  );
}

/** The move that fills half of the bar's column. */
const WHOLE_BAR = 0.36;

const textOf = ({ code, now }: FactorMove): string => texts.factors.describe(code, now);
const COLUMNS: readonly Column<FactorMove>[] = [
  { name: texts.factors.code, className: 'mv-code', cellClass: 'cond t3', cell: ({ code }) => code },
  { name: texts.factors.dimension, className: 'mv-name', isRowHead: true, cell: ({ name }) => name },
  { name: texts.factors.nowHead, className: 'num mv-now', cell: ({ now }) => powerRank(now) },
  { name: texts.factors.movedHead, className: 'num mv-moved', cell: (move) => rankMove(move.moved) },
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
