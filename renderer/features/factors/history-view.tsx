// Renderer: the twelve dimensions over two years, as lines on one time axis, as a table, as a file.
import Papa from 'papaparse';
import { memo, type PointerEvent, useMemo, useState } from 'react';
import type { FactorPoint } from '../../../shared/channels/queries.ts';
import { FACTOR_DIMENSIONS, type FactorCode } from '../../../shared/domain/factors.ts';
import { dayAndYear, powerRank } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { sessionMs } from '../../charts/model.ts';
import { useSnapshot } from '../../store/store.ts';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { linePath } from '../../ui/line-path.ts';
import { ErrorNotice, LoadingNotice } from '../../ui/loading-notice.tsx';
import { csvBlob, jsonBlob, saveFile } from '../../ui/save-file.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Stepper, stepBy } from '../../ui/stepper.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { monthEnds } from './moves.ts';
import { useFactors } from './use-factors.ts';
import './factors.css';

type Display = 'lines' | 'table';
const MONTH = 30;
const dayText = (at: string): string => dayAndYear(sessionMs(Date.parse(at)));

export function FactorHistoryView({ symbol, turnAt }: { symbol: string; turnAt: number | null }) {
  const { history, historyProblem, progress, stop, retry } = useFactors(symbol, turnAt);
  const coverage = useSnapshot((snapshot) => snapshot.rows[symbol]?.coverage);
  if (coverage === 'regime_only' || coverage === 'none')
    return <p className="empty">{texts.factors.noSignal(symbol)}</p>;
  if (history === null) {
    if (historyProblem !== null)
      return <ErrorNotice what={texts.factors.failed(symbol)} why={historyProblem} onRetry={retry} />;
    return <LoadingNotice what={texts.factors.loadingHistory(symbol)} progress={progress} onStop={stop} />;
  }
  if (history.length === 0) return <p className="empty">{texts.factors.emptyHistory(symbol)}</p>;
  return <History symbol={symbol} points={history} />;
}

function History({ symbol, points }: { symbol: string; points: readonly FactorPoint[] }) {
  const [display, setDisplay] = useState<Display>('lines');
  const [pointed, setPointed] = useState<number | null>(null);
  const last = points.length - 1;
  const index = Math.min(last, pointed ?? last);
  const point = points[index];
  const first = points[0];
  if (point === undefined || first === undefined) return null;
  const strongest = [...FACTOR_DIMENSIONS].sort(
    (a, b) => (point.powers[b.code] ?? -1) - (point.powers[a.code] ?? -1),
  )[0];
  const save = (kind: 'csv' | 'json'): void =>
    kind === 'csv'
      ? saveFile(`${symbol}-factors.csv`, csvBlob(historyCsv(symbol, points)))
      : saveFile(`${symbol}-factors.json`, jsonBlob({ symbol, points }));
  return (
    <div className="history">
      <div className="history-tools">
        <span className="cond t2">{dayText(point.at)}</span>
        <span className="right row">
          <SegmentedControl
            label={texts.factors.historyView}
            options={[
              { value: 'lines', label: texts.factors.lines },
              { value: 'table', label: texts.factors.table },
            ]}
            value={display}
            onChange={setDisplay}
          />
          <ExportMenu label={texts.factors.exportName} onCsv={() => save('csv')} onJson={() => save('json')} />
        </span>
      </div>
      {display === 'table' ? (
        <MonthTable symbol={symbol} points={points} />
      ) : (
        <figure className="history-figure" aria-label={texts.factors.historyName(symbol)}>
          <figcaption className="spoken">
            {texts.factors.historySummary(
              symbol,
              points.length,
              dayText(first.at),
              dayText(points[last]?.at ?? first.at),
              strongest?.name ?? '',
            )}
          </figcaption>
          <Stepper
            label={texts.factors.historyStep(symbol)}
            last={last}
            index={index}
            text={texts.factors.historyDay(
              dayText(point.at),
              FACTOR_DIMENSIONS.map(({ code, name }) => `${name} ${powerRank(point.powers[code])}`).join(', '),
            )}
            step={(key, shift) => stepBy(index, last, key, shift, MONTH)}
            onMove={setPointed}
            onLeave={() => setPointed(null)}
          />
          <div className="history-lines" aria-hidden="true">
            {FACTOR_DIMENSIONS.map(({ code, name }) => (
              <div className="history-row" key={code}>
                <span className="ell">{name}</span>
                <FactorLine
                  points={points}
                  code={code}
                  index={pointed === null ? null : index}
                  onPointed={(part) => setPointed(part === null ? null : Math.round(part * last))}
                />
                <span className="num">{powerRank(point.powers[code])}</span>
              </div>
            ))}
          </div>
        </figure>
      )}
    </div>
  );
}

interface FactorLineProps {
  readonly points: readonly FactorPoint[];
  readonly code: FactorCode;
  readonly index: number | null;
  /** 0..1 along the line; null when the pointer leaves. */
  readonly onPointed: (part: number | null) => void;
}

/** Height of a line in its own units; it is scaled to the available room. */
const LINE_HEIGHT = 24;

function FactorLine({ points, code, index, onPointed }: FactorLineProps) {
  const width = Math.max(1, points.length - 1);
  const move = (event: PointerEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    onPointed(Math.max(0, Math.min(1, (event.clientX - box.left) / Math.max(1, box.width))));
  };
  return (
    <svg
      viewBox={`0 0 ${width} ${LINE_HEIGHT}`}
      preserveAspectRatio="none"
      onPointerMove={move}
      onPointerLeave={() => onPointed(null)}
      aria-hidden="true"
    >
      <path d={`M0 ${LINE_HEIGHT / 2}H${width}`} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
      <Line points={points} code={code} />
      {index !== null && (
        <path d={`M${index} 0V${LINE_HEIGHT}`} stroke="var(--accent)" vectorEffect="non-scaling-stroke" />
      )}
    </svg>
  );
}

const Line = memo(function Line({ points, code }: { points: readonly FactorPoint[]; code: FactorCode }) {
  const path = useMemo(
    () =>
      linePath(
        points.map(({ powers: { [code]: value } }, index) =>
          value === null ? null : [index, LINE_HEIGHT - 2 - value * (LINE_HEIGHT - 4)],
        ),
      ),
    [points, code],
  );
  return <path d={path} fill="none" stroke="var(--t2)" strokeWidth="1.1" vectorEffect="non-scaling-stroke" />;
});

const MONTH_COLUMNS: readonly Column<FactorPoint>[] = [
  { name: texts.factors.day, className: 'first', cellClass: 'cond', isRowHead: true, cell: ({ at }) => dayText(at) },
  ...FACTOR_DIMENSIONS.map(
    ({ code, name }): Column<FactorPoint> => ({
      name: code,
      label: <abbr title={name}>{code}</abbr>,
      title: name,
      className: 'num',
      cell: ({ powers }) => powerRank(powers[code]),
    }),
  ),
];

function MonthTable({ symbol, points }: { symbol: string; points: readonly FactorPoint[] }) {
  const name = `${symbol}: ${texts.factors.historyTable}`;
  return (
    <ScrollRegion className="scroll record" label={name}>
      <Table
        caption={name}
        className="history-table"
        columns={MONTH_COLUMNS}
        rows={monthEnds(points)}
        keyOf={({ at }) => String(at)}
      />
    </ScrollRegion>
  );
}

/** A symbol's powers as CSV, one row per day; a missing value is empty, never 0. */
export function historyCsv(symbol: string, points: readonly FactorPoint[]): string {
  const fields = ['symbol', 'time', ...FACTOR_DIMENSIONS.map(({ key }) => key.replaceAll(' ', '_'))];
  const data = points.map(({ at, powers }) => [symbol, at, ...FACTOR_DIMENSIONS.map(({ code }) => powers[code])]);
  return `${Papa.unparse({ fields, data }, { escapeFormulae: true, newline: '\n' })}\n`;
}
