// Service, engine: compares a fitted model with the one in use, on the same prices and bars.
import type { RiskModel } from '../risk/model.ts';
import { type Figures, figuresOf, uncertaintyOf, yearlySums } from './bootstrap.ts';
import { frameOfBars, windowsOf } from './frame.ts';
import { type Interval, totalOf, type YearlySums } from './resampling.ts';
import { both, forecastsOf, type ScoredSeries, scoredSymbols, scoreMarket, windowOf, yearsOf } from './scored-series.ts';
import type { PastMarket, WindowName } from './validation-record.ts';
import { SEED } from './validation.ts';

/**
 * Minimum data of a fit, after the first two years of each symbol: some ten symbols over six years. With less,
 * a model describes its few falls.
 */
const NEEDED = { symbols: 5, bars: 15_000, events: 100 } as const;

/** Says what a market lacks for a fit; null: nothing. */
export function lackOf(market: PastMarket): string | null {
  const symbols = scoredSymbols(market);
  const found = { symbols: symbols.length, bars: 0, events: 0 };
  for (const symbol of symbols) {
    const frame = frameOfBars(market.bars(symbol));
    const { from, to } = windowsOf(frame.n).full;
    found.bars += to - from + 1;
    found.events += frame.events.filter(({ first }) => first > from).length;
  }
  const isEnough = (Object.keys(NEEDED) as (keyof typeof NEEDED)[]).every((name) => found[name] >= NEEDED[name]);
  const list = ({ symbols: count, bars, events }: typeof found): string =>
    `${count} symbols with ${bars.toLocaleString('en-US')} bars and ${events} events`;
  return isEnough
    ? null
    : `After the first two years of each symbol there are ${list(found)}; a fit needs ${list(NEEDED)}, which are some ten symbols over six years.`;
}

/** The figures by which a model is better or worse: how much an alert says, and how true the chances are. */
const DECISIVE = ['day_lift', 'brier_skill'] as const;

export interface WindowComparison {
  readonly symbols: number;
  readonly candidate: Figures;
  readonly current: Figures;
  /** Of the candidate minus the current model; null with fewer than three years. */
  readonly differences: Readonly<Record<keyof Figures, Interval | null>> | null;
}

export interface ModelComparison {
  readonly windows: Readonly<Record<WindowName, WindowComparison>>;
  /** In the hold-out window one decisive figure is higher by more than chance, and none is lower. */
  readonly isBetter: boolean;
}

export function compareModels(market: PastMarket, candidate: RiskModel, current: RiskModel): ModelComparison {
  const [candidates, currents] = [scored(market, candidate), scored(market, current)];
  const windows = both((name): WindowComparison => {
    const [own, others] = [sumsOf(market, candidates, name), sumsOf(market, currents, name)];
    return {
      symbols: own.length,
      candidate: figuresOf(totalOf(own)),
      current: figuresOf(totalOf(others)),
      differences: uncertaintyOf(own, others, SEED)?.differences ?? null,
    };
  });
  const decisive = DECISIVE.flatMap((figure) => windows.holdout.differences?.[figure] ?? []);
  return { windows, isBetter: decisive.some(({ low }) => low > 0) && decisive.every(({ high }) => high >= 0) };
}

function scored(market: PastMarket, model: RiskModel): ScoredSeries[] {
  const steps = scoreMarket(market, scoredSymbols(market), { model }, (row) => row);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const sumsOf = (market: PastMarket, rows: readonly ScoredSeries[], name: WindowName): YearlySums[] =>
  rows.map((row) => {
    const years = yearsOf(market, row, name);
    return yearlySums(row.frame, row.alerts, windowOf(row, name), years, forecastsOf(row, years));
  });
