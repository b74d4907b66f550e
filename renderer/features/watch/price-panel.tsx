// Renderer: the chosen symbol through time: the chart with its tools, and the record below it in words and numbers.
import { useCallback, useMemo, useState } from 'react';
import { Brush } from '../../charts/brush.tsx';
import { lastDays, type Range } from '../../charts/brush-range.ts';
import { PriceChartView } from '../../charts/price-chart-view.tsx';
import { useServices } from '../../services.ts';
import { useBlind } from '../../store/sight.ts';
import { en } from '../../text/en.ts';
import { Segment } from '../../ui/segment.tsx';
import { Detail } from './detail.tsx';
import { useChartModel } from './use-chart-model.ts';

const RANGES = [30, 90] as const;

/** So many days up to now, which go on with the time, or a stretch that stays. */
type Chosen = { readonly days: number } | { readonly range: Range };

export function PricePanel({ symbol }: { symbol: string }) {
  const { slot, model } = useChartModel(symbol);
  const { timelines } = useServices();
  const blind = useBlind();
  const [chosen, setChosen] = useState<Chosen>({ days: RANGES[0] });
  const { from, to } = 'range' in chosen ? chosen.range : lastDays(model?.points.map((point) => point.ms) ?? [], chosen.days);
  // The last price moves all the time; what is shown moves with the days alone.
  const range = useMemo(() => ({ from, to }), [from, to]);
  const setRange = useCallback((next: Range) => setChosen({ range: next }), []);
  if (model === null || model.points.length === 0) {
    return (
      <div className="chart-notice">
        {slot?.status === 'failed' ? (
          <>
            <p className="md">{en.chart.failed(symbol)}</p>
            <p className="t2">{slot.problem}</p>
            <button type="button" className="btn line" onClick={() => timelines.read(symbol)}>
              {en.chart.tryAgain}
            </button>
          </>
        ) : (
          <p className="t2">{model === null ? en.chart.awaiting(symbol) : en.chart.empty(symbol)}</p>
        )}
      </div>
    );
  }
  return (
    <>
      <div className="tools">
        <Segment
          label={en.chart.range}
          options={RANGES.map((value) => ({ value, label: en.chart.days(value) }))}
          value={'days' in chosen ? chosen.days : null}
          onChange={(days) => setChosen({ days })}
        />
        <Legend />
      </div>
      <PriceChartView model={model} range={range} onRange={setRange} grey={blind} />
      <Brush model={model} range={range} onRange={setRange} />
      <Detail model={model} />
    </>
  );
}

function Legend() {
  return (
    <div className="legend right">
      <span aria-hidden="true">
        <svg width="18" height="8" aria-hidden="true">
          <path d="M0 4h18" stroke="var(--ink)" strokeWidth="1.5" />
        </svg>
        {en.chart.price}
      </span>
      <span aria-hidden="true">
        <i className="gap-swatch" />
        {en.chart.gap}
      </span>
      <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer" title={en.chart.noticeLong}>
        {en.chart.notice}
      </a>
    </div>
  );
}
