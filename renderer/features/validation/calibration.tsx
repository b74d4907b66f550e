// Renderer, validation: the reliability diagram with its intervals, of High Risk or all days, and as a table.
import { useState } from 'react';
import { fine } from '../../../shared/channels/record-figures.ts';
import type { ReliabilityCurve, ValidationDetails } from '../../../shared/channels/validation.ts';
import { boundsOf, DIAGRAM, reliabilityPlot } from '../../../shared/domain/record-plots.ts';
import { count, moved, percent } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Stepper, stepBy } from '../../ui/stepper.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';

type Window = 'full' | 'holdout';
type Days = 'high_risk' | 'reliability';
type Bin = ReliabilityCurve['bins'][number];
const share = (value: number): string => percent(value * 100);

export function Calibration({ details }: { details: Pick<ValidationDetails, Days> }) {
  const offered = DAYS.filter((each) => details[each].full !== null || details[each].holdout !== null);
  const [chosen, setDays] = useState<Days>('high_risk');
  const days = offered.includes(chosen) ? chosen : (offered[0] ?? chosen);
  const curves = details[days];
  const [preferred, setWindow] = useState<Window>('holdout');
  const window = curves[preferred] === null ? 'full' : preferred;
  const [display, setDisplay] = useState<'chart' | 'table'>('chart');
  const curve = curves[window];
  return (
    <section aria-label={texts.validation.calibration} className="calibration">
      <header className="head">
        <h2 className="ell">{texts.validation.calibration}</h2>
      </header>
      {offered.length > 1 && (
        <div className="calibration-tools">
          <SegmentedControl
            label={texts.validation.daysLabel}
            options={offered.map((value) => ({ value, label: texts.validation.daysOf[value] }))}
            value={days}
            onChange={setDays}
          />
        </div>
      )}
      {curves.full !== null && curves.holdout !== null && (
        <div className="calibration-tools">
          <SegmentedControl
            label={texts.validation.windowLabel}
            options={[
              { value: 'holdout', label: texts.validation.windows.holdout },
              { value: 'full', label: texts.validation.windows.full },
            ]}
            value={window}
            onChange={setWindow}
          />
          <span className="right">
            <SegmentedControl
              label={texts.validation.view}
              options={[
                { value: 'chart', label: texts.validation.chart },
                { value: 'table', label: texts.validation.table },
              ]}
              value={display}
              onChange={setDisplay}
            />
          </span>
        </div>
      )}
      {curve === null || curve.bins.length === 0 ? (
        <p className="empty">{texts.validation.noCalibration}</p>
      ) : display === 'chart' ? (
        <Diagram curve={curve} days={days} />
      ) : (
        <CurveTable curve={curve} />
      )}
    </section>
  );
}

const DAYS = ['high_risk', 'reliability'] as const satisfies readonly Days[];

function Diagram({ curve, days }: { curve: ReliabilityCurve; days: Days }) {
  const { bins, base_rate } = curve;
  const [pointed, setPointed] = useState<number | null>(null);
  const last = bins.length - 1;
  const [first, top] = [bins[0], bins[last]];
  if (first === undefined || top === undefined) return null;
  const { most, x, y, ticks, band, line } = reliabilityPlot(curve);
  const point = bins[pointed ?? last];
  return (
    <figure className="diagram" aria-label={texts.validation.chartName}>
      <figcaption className="spoken">
        {texts.validation.chartSummary(
          bins.length,
          share(first.said),
          share(first.happened),
          share(top.said),
          share(top.happened),
          share(base_rate),
          share(curve.calibration_error),
        )}
      </figcaption>
      <Stepper
        label={texts.validation.chartStep}
        last={last}
        index={pointed ?? last}
        text={point === undefined ? undefined : pointText(point)}
        step={(key, shift) => stepBy(pointed ?? last, last, key, shift, 3)}
        onMove={setPointed}
        onLeave={() => setPointed(null)}
      />
      <svg viewBox={`0 0 ${DIAGRAM.width} ${DIAGRAM.height}`} aria-hidden="true">
        {ticks.map((tick) => (
          <g key={tick}>
            <path d={`M${x(tick)} ${y(0)}V${y(most)}M${x(0)} ${y(tick)}H${x(most)}`} stroke="var(--grid)" />
            <text x={x(tick)} y={DIAGRAM.height - 8} textAnchor="middle">
              {Math.round(tick * 100)} %
            </text>
            <text x={DIAGRAM.left - 7} y={y(tick) + 4} textAnchor="end">
              {Math.round(tick * 100)} %
            </text>
          </g>
        ))}
        <path d={`M${x(0)} ${y(0)}L${x(most)} ${y(most)}`} stroke="var(--t3)" strokeDasharray="4 3" />
        <text x={x(most)} y={y(most * 0.5)} textAnchor="end" className="t2">
          {texts.validation.perfect}
        </text>
        <path d={`M${x(base_rate)} ${y(0)}V${y(most)}`} stroke="var(--t2)" strokeDasharray="1.5 2.5" />
        <text x={x(base_rate) + 5} y={y(most) + 9} className="t2">
          {texts.validation.base(share(base_rate), days)}
        </text>
        <polygon points={band} fill="var(--accent-wash)" />
        <polyline points={line} fill="none" stroke="var(--accent)" strokeWidth="1.8" />
        {bins.map((bin, index) => (
          <circle
            key={bin.said}
            cx={x(bin.said)}
            cy={y(bin.happened)}
            r={index === pointed ? 5 : 3.2}
            fill="var(--accent)"
            onPointerEnter={() => setPointed(index)}
            onPointerLeave={() => setPointed(null)}
          >
            <title>{pointText(bin)}</title>
          </circle>
        ))}
      </svg>
      <p className="diagram-foot" aria-hidden="true">
        <span>
          {pointed === null || point === undefined
            ? `${texts.validation.across} · ${texts.validation.up}`
            : pointText(point)}
        </span>
        <span className="right">{texts.validation.brier(moved(curve.brier_skill))}</span>
      </p>
      <p className="diagram-foot">
        {texts.validation.error(
          fine(curve.calibration_error),
          curve.interval && [fine(curve.interval.low), fine(curve.interval.high)],
        )}
      </p>
    </figure>
  );
}

function pointText(bin: Bin): string {
  const { low, high } = boundsOf(bin);
  return texts.validation.chartPoint(share(bin.said), share(bin.happened), share(low), share(high), count(bin.bars));
}

const COLUMNS: readonly Column<Bin>[] = [
  { name: texts.validation.predicted, className: 'num', cell: ({ said }) => share(said) },
  { name: texts.validation.observed, className: 'num', cellClass: 'md', cell: ({ happened }) => share(happened) },
  {
    name: texts.validation.within,
    className: 'num',
    cellClass: 't2',
    cell: (bin) => texts.validation.range(share(boundsOf(bin).low), share(boundsOf(bin).high)),
  },
  { name: texts.validation.days, className: 'num', cellClass: 't2', cell: ({ bars }) => count(bars) },
];

const CurveTable = ({ curve }: { curve: ReliabilityCurve }) => (
  <Table
    caption={texts.validation.tableOf}
    className="calibration-table"
    columns={COLUMNS}
    rows={curve.bins}
    keyOf={({ said }) => String(said)}
  />
);
