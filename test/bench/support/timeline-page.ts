// Bench, in the page: pans and zooms the product's chart, a bare one and one of uPlot over the same points.
// vite builds it for the page; uPlot is there where a row added its script.
import { createChart, LineSeries, type UTCTimestamp } from 'lightweight-charts';
import type { ChartColors } from '../../../renderer/charts/colors.ts';
import type { ChartModel, ChartPoint, GapBand, RegimeBand, StateChange } from '../../../renderer/charts/model.ts';
import { createPriceChart } from '../../../renderer/charts/price-chart.ts';
import type { State } from '../../../shared/domain/states.ts';
import { stateBands } from '../../../shared/domain/timeline.ts';

const MINUTE = 60_000;
const START = Date.UTC(2025, 0, 2, 14, 30);
const REGIMES = ['calm_uptrend', 'volatile_uptrend', 'stress', 'volatile_downtrend', 'calm_downtrend'];
/** A change of state every 400 minutes is a busy symbol. */
const TURN_EVERY = 400;
const REGIME_EVERY = 4_000;

interface Range {
  readonly from: number;
  readonly to: number;
}
interface Drawing {
  show(range: Range): void;
  remove(): void;
}

function modelOf(count: number): ChartModel {
  const points: ChartPoint[] = [];
  const turns: StateChange[] = [];
  const regimes: RegimeBand[] = [];
  let price = 400;
  const stateSequence: State[] = [0, 1, 2, 1];
  for (let index = 0; index < count; index++) {
    const ms = START + index * MINUTE;
    price *= 1 + 0.0006 * Math.sin(index * 12.9898) + 0.0001 * Math.sin(index / 900);
    const state = stateSequence[Math.floor(index / TURN_EVERY) % stateSequence.length] as State;
    const regime = REGIMES[Math.floor(index / REGIME_EVERY) % REGIMES.length] as string;
    points.push({ ms, price, state, regime, confidence: 36 });
    if (index > 0 && index % TURN_EVERY === 0) {
      const from = stateSequence[
        (Math.floor(index / TURN_EVERY) + stateSequence.length - 1) % stateSequence.length
      ] as State;
      turns.push({ at: ms, from, to: state, transition: null });
    }
    if (index % REGIME_EVERY === 0) regimes.push({ regime, from: ms, to: ms + REGIME_EVERY * MINUTE });
  }
  const end = START + count * MINUTE;
  const gaps: GapBand[] = [0.2, 0.5, 0.8].map((share) => {
    const from = START + share * count * MINUTE;
    return { from, to: from + 600 * MINUTE, cause: 'not running' };
  });
  const stateChanges = [{ at: START, state: 0 as State }, ...turns.map(({ at, to }) => ({ at, state: to }))];
  const bands = stateBands(
    stateChanges,
    end,
    gaps.map((gap) => ({ from: gap.from, to: gap.to ?? end })),
  );
  return { symbol: 'SPY', resolution: 'minute', points, bands, regimes, stateChanges: turns, gaps };
}

const COLORS: ChartColors = {
  s1: '#101418',
  s3: '#1c232b',
  t1: '#e8edf2',
  t2: '#b4bec8',
  t3: '#8a96a3',
  ink: '#d7dee6',
  grid: '#1a2027',
  line: '#2a323c',
  edge: '#5b6672',
  accent: '#5aa9e6',
  normal: '#6b7783',
  elevated: '#d9a441',
  high: '#e5484d',
  highText: '#ff7a7e',
  onHigh: '#ffffff',
  gap: '#4a5561',
  sandbox: '#8a6fd1',
  regime1: '#2a3a33',
  regime2: '#3a3a2a',
  regime3: '#3a2a2a',
  font: 'sans-serif',
};

function product(element: HTMLElement, model: ChartModel): Drawing {
  const chart = createPriceChart(
    element,
    COLORS,
    {
      alert: '',
      breach: 'Breach',
      highRisk: 'High Risk',
      regimeName: (regime) => regime,
      priceDigits: () => 2,
      price: (value) => value.toFixed(2),
      tick: (ms) => new Date(ms).toISOString().slice(5, 16),
      utcOffset: () => 0,
    },
    { onPointed: () => undefined, onClicked: () => undefined, onRange: () => undefined },
  );
  chart.setModel(model);
  return { show: chart.setRange, remove: chart.remove };
}

function bare(element: HTMLElement, model: ChartModel): Drawing {
  const chart = createChart(element, { autoSize: true, timeScale: { minBarSpacing: 0.05, timeVisible: true } });
  const series = chart.addSeries(LineSeries, {
    color: COLORS.ink,
    lineWidth: 2,
    pointMarkersVisible: true,
    pointMarkersRadius: 2.5,
  });
  series.setData(model.points.map(({ ms, price }) => ({ time: (ms / 1000) as UTCTimestamp, value: price ?? 0 })));
  return { show: (range) => chart.timeScale().setVisibleLogicalRange(range), remove: () => chart.remove() };
}

interface UPlotChart {
  setScale(scale: 'x', range: { readonly min: number; readonly max: number }): void;
  destroy(): void;
}
declare const uPlot: new (options: object, data: readonly number[][], element: HTMLElement) => UPlotChart;

function peer(element: HTMLElement, model: ChartModel): Drawing {
  const times = model.points.map(({ ms }) => ms / 1000);
  const chart = new uPlot(
    {
      ...{ width: 1000, height: 520, legend: { show: false }, cursor: { show: false } },
      series: [{}, { stroke: COLORS.ink, width: 2, points: { show: false } }],
    },
    [times, model.points.map(({ price }) => price ?? 0)],
    element,
  );
  const timeAt = (index: number): number => times[Math.min(times.length - 1, Math.max(0, Math.round(index)))] ?? 0;
  return {
    show: ({ from, to }) => chart.setScale('x', { min: timeAt(from), max: timeAt(to) }),
    remove: () => chart.destroy(),
  };
}

const DRAWINGS = { product, bare, peer };
export type ChartSide = keyof typeof DRAWINGS;

/** Where the hand has the chart after this share of a round: from a day to the whole and back, and along it. */
function rangeAt(share: number, count: number): Range {
  const width = 400 * (count / 400) ** (0.5 - 0.5 * Math.cos(4 * Math.PI * share));
  const from = (count - width) * (0.5 - 0.5 * Math.cos(2 * Math.PI * share));
  return { from, to: from + width - 1 };
}

const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

/** Frames a second over one round of panning and zooming. */
async function framesOf(side: ChartSide, count: number, ms: number): Promise<number> {
  const element = document.createElement('div');
  element.style.cssText = 'width:1000px;height:520px';
  document.body.replaceChildren(element);
  const drawing = DRAWINGS[side](element, modelOf(count));
  for (let warmUp = 0; warmUp < 10; warmUp += 1) {
    drawing.show(rangeAt(warmUp / 10, count));
    await frame();
  }
  const begun = await frame();
  let frames = 0;
  let now = begun;
  while (now - begun < ms) {
    drawing.show(rangeAt((now - begun) / ms, count));
    now = await frame();
    frames += 1;
  }
  drawing.remove();
  return (frames / (now - begun)) * 1000;
}

Object.assign(window, { framesOf });
