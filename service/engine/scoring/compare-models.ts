// Service, engine: compares a fitted model with the one in use, on the same prices and bars.
import type { Steps } from '../../steps.ts';
import type { RiskModel } from '../risk/model.ts';
import { type Figures, figuresOf, type Uncertainty, uncertaintyOf, yearlySums } from './bootstrap.ts';
import { frameOfBars, windowsOf } from './frame.ts';
import { totalOf, type YearlySums } from './resampling.ts';
import {
  both,
  forecastsOf,
  type ScoredSeries,
  scoredSymbols,
  scoreMarket,
  windowOf,
  yearsOf,
} from './scored-series.ts';
import { partOf, SEED } from './validation.ts';
import type { PastMarket, WindowName } from './validation-record.ts';

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
  const names = ['symbols', 'bars', 'events'] as const;
  if (names.every((name) => found[name] >= NEEDED[name])) return null;
  const list = names.map(
    (name) => `${found[name].toLocaleString('en-US')} ${name} of ${NEEDED[name].toLocaleString('en-US')}`,
  );
  return `After the first two years of each symbol it has ${list.join(', ')} that a fit needs: some ten symbols over six years.`;
}

/** The figures by which a model is better or worse: how much an alert says, and how true the chances are. */
const DECISIVE = ['day_lift', 'brier_skill'] as const;

export interface WindowComparison {
  readonly symbols: number;
  readonly candidate: Figures;
  readonly current: Figures;
  /** Intervals of the candidate, and of the candidate minus the current model; null with fewer than three years. */
  readonly uncertainty: Uncertainty | null;
}

/**
 * By the hold-out window. blind: the candidate's own day lift may be 1, so that its alerts say nothing, as on a
 * random walk. better: a decisive figure is higher by more than chance, and none is lower. worse: one is lower.
 */
export type Verdict = 'blind' | 'better' | 'same' | 'worse';

export interface ModelComparison {
  readonly windows: Readonly<Record<WindowName, WindowComparison>>;
  readonly verdict: Verdict;
}

export function* compareModels(market: PastMarket, candidate: RiskModel, current: RiskModel): Steps<ModelComparison> {
  const candidates = yield* partOf('comparing', scored(market, candidate), 0, 0.45);
  const currents = yield* partOf('comparing', scored(market, current), 0.45, 0.9);
  const windows = both((name): WindowComparison => {
    const [own, others] = [sumsOf(market, candidates, name), sumsOf(market, currents, name)];
    return {
      symbols: own.length,
      candidate: figuresOf(totalOf(own)),
      current: figuresOf(totalOf(others)),
      uncertainty: uncertaintyOf(own, others, SEED),
    };
  });
  return { windows, verdict: verdictOf(windows.holdout.uncertainty) };
}

function verdictOf(found: Uncertainty | null): Verdict {
  if (!((found?.intervals.day_lift?.low ?? 0) > 1)) return 'blind';
  const decisive = DECISIVE.flatMap((figure) => found?.differences[figure] ?? []);
  if (decisive.some(({ high }) => high < 0)) return 'worse';
  return decisive.some(({ low }) => low > 0) ? 'better' : 'same';
}

const scored = (market: PastMarket, model: RiskModel): Generator<number, ScoredSeries[]> =>
  scoreMarket(market, scoredSymbols(market), { model }, (row) => row);

const sumsOf = (market: PastMarket, rows: readonly ScoredSeries[], name: WindowName): YearlySums[] =>
  rows.map((row) => {
    const years = yearsOf(market, row, name);
    return yearlySums(row.frame, row.alerts, windowOf(row, name), years, forecastsOf(row, years));
  });
