// Service, engine: computes the validation record of a market.
// It has full and hold-out windows per symbol, chance levels, and the data to reproduce them.
import { createHash } from 'node:crypto';
import { createRandom } from '../../../shared/lib/random.ts';
import type { Steps } from '../../steps.ts';
import { createEngine } from '../engine.ts';
import { fitWithoutGroups } from '../fit-risk-model.ts';
import { priceHash } from '../price-hash.ts';
import type { RiskModel } from '../risk/model.ts';
import { RISK_MODEL } from '../risk/parameters.ts';
import type { Bar } from '../types.ts';
import { CEILINGS } from './ceilings.ts';
import { shiftAlerts, shuffleBars } from './chance-baselines.ts';
import { DETECTOR_NAMES, detect } from './detectors.ts';
import { WARM, YEAR } from './frame.ts';
import { outcomeRecord, uncertaintyRecord } from './outcome-record.ts';
import { reliabilityOf } from './reliability.ts';
import {
  type Alerts,
  dayLift,
  type EventCounts,
  NO_EVENT_COUNTS,
  NO_STRICT_COUNTS,
  pool,
  ratiosOf,
  type StrictCounts,
  scoreEvents,
  scoreStrict,
} from './score.ts';
import {
  both,
  type CloseObserver,
  forecastsOf,
  highRiskForecastsOf,
  type ScoredSeries,
  scoredSymbols,
  scoreMarket,
  six,
  windowOf,
  yearsOf,
} from './scored-series.ts';
import type {
  FitRecord,
  PastMarket,
  PooledMetrics,
  StrictMetrics,
  Validation,
  WindowMetrics,
  WindowName,
} from './validation-record.ts';

export const SHIFTS = 12;
export const SEED = 7;

/** Counts of one series of alerts in one window. */
interface Counts {
  readonly events: EventCounts;
  readonly strict: StrictCounts;
}

export interface ValidationOptions {
  /** The scored model. Default: the shipped one. */
  readonly model?: RiskModel;
  /**
   * Groups of like symbols: only these are scored, each by weights that were fitted on this market without its
   * group. Default: all symbols, by the model.
   */
  readonly leftOut?: readonly (readonly string[])[];
  /** Observes the closes of the unshuffled prices. */
  readonly observer?: CloseObserver | null;
}

/**
 * Validates the engine on a market.
 * @param computedAt ISO time of the record
 */
export function* validation(
  market: PastMarket,
  computedAt: string,
  { model = RISK_MODEL, leftOut, observer = null }: ValidationOptions = {},
): Steps<Validation> {
  const long = scoredSymbols(market).filter((symbol) => leftOut?.some((group) => group.includes(symbol)) ?? true);
  const models = { model, ...(leftOut !== undefined && { models: yield* fitWithoutGroups(market, leftOut) }) };
  const scored = scoreMarket(market, long, models, (row) => row, observer);
  const results = resultsOf(market, { model, leftOut }, yield* partOf('scoring', scored, 0, 0.45));
  const countsOnShuffled = (row: ScoredSeries) => both((name) => countsOf(row, name, row.alerts));
  const onShuffled = scoreMarket(shuffledMarket(market), long, models, countsOnShuffled);
  const shuffled = yield* partOf('scoring', onShuffled, 0.45, 0.9);
  return {
    computed_at: computedAt,
    symbols: results.symbols,
    alert_outcomes: results.outcomes,
    provenance: {
      notes: notes(results.symbols, results.pooled.holdout, results.fitted),
      model_version: createEngine({ instruments: [], model }).modelVersion,
      scorer: {
        horizon: 21,
        merge: 21,
        warm_up: WARM,
        holdout_share: 0.3,
        ahead: 0.5,
        threshold_multiple: 1.5,
        shifts: SHIFTS,
        seed: SEED,
      },
      fitted: results.fitted,
      data_hash: hashOf(market),
      windows: results.windows,
      too_short: market.instruments
        .filter(({ symbol, inputOnly }) => !inputOnly && market.bars(symbol).length <= WARM)
        .map(({ symbol }) => symbol),
      pooled: results.pooled,
      baselines: results.baselines,
      nulls: { shifted: results.shifted, shuffled: both((name) => pooledOf(shuffled.map((counts) => counts[name]))) },
      reliability: results.reliability,
      high_risk_reliability: results.highRiskReliability,
      uncertainty: results.uncertainty,
      ceilings: CEILINGS,
    },
  };
}

/**
 * The results on the unshuffled prices, so that `rows` can be freed before the shuffled prices are scored.
 */
function resultsOf(
  market: PastMarket,
  { model, leftOut }: { readonly model: RiskModel; readonly leftOut: ValidationOptions['leftOut'] },
  rows: readonly ScoredSeries[],
) {
  return {
    symbols: rows.map((row) => ({
      symbol: row.symbol,
      ...both((name) => metrics(scoreEvents(row.frame, row.alerts, windowOf(row, name)))),
    })),
    windows: rows.map((row) => {
      const bars = market.bars(row.symbol);
      const dateAt = (t: number): string => bars[t]?.date ?? '';
      return {
        symbol: row.symbol,
        from: dateAt(windowOf(row, 'full').from),
        holdout_from: dateAt(windowOf(row, 'holdout').from),
        to: dateAt(row.frame.n - 1),
      };
    }),
    fitted: fittedOn(market, model, leftOut, rows),
    pooled: both((name) => pooled(rows, name, (row) => row.alerts)),
    baselines: Object.fromEntries(
      DETECTOR_NAMES.map((name) => [name, both((window) => pooled(rows, window, (row) => detect(name, row.frame)))]),
    ),
    shifted: both((name) => shiftedNull(rows, name)),
    outcomes: outcomeRecord(rows),
    uncertainty: both((name) => uncertaintyRecord(market, rows, name, SEED)),
    reliability: both((name) =>
      reliabilityOf(
        rows.map((row) => forecastsOf(row, yearsOf(market, row, name))),
        SEED,
      ),
    ),
    highRiskReliability: both((name) =>
      reliabilityOf(
        rows.map((row) => highRiskForecastsOf(row, yearsOf(market, row, name))),
        SEED,
      ),
    ),
  };
}

/** The steps of a part of the work, whose shares are `from` to `to` of the whole. */
export function* partOf<Value>(
  what: 'scoring' | 'comparing',
  steps: Generator<number, Value>,
  from: number,
  to: number,
): Steps<Value> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield { what, done: from + (to - from) * step.value, total: 1 };
  }
}

/** The market with the bars of each symbol in random order. */
function shuffledMarket(market: PastMarket): PastMarket {
  const random = createRandom(SEED);
  const shuffled = new Map(market.instruments.map(({ symbol }) => [symbol, shuffleBars(market.bars(symbol), random)]));
  return {
    instruments: market.instruments,
    bars: (symbol) => shuffled.get(symbol) ?? [],
    *closedDays(after, now) {
      const next = new Map<string, number>();
      for (const day of market.closedDays(after, now)) {
        const replaced = new Map<string, Bar>();
        for (const symbol of day.bars.keys()) {
          const index = next.get(symbol) ?? 0;
          next.set(symbol, index + 1);
          replaced.set(symbol, shuffled.get(symbol)?.[index] as Bar);
        }
        yield { date: day.date, bars: replaced };
      }
    },
  };
}

export function metrics(
  counts: Omit<WindowMetrics, 'n_signals' | 'precision' | 'recall' | 'f1'> & Pick<EventCounts, 'detected' | 'signals'>,
): WindowMetrics {
  const { tp, fp, late, unresolved, signals, events } = counts;
  return { ...rounded(ratiosOf(counts, events)), n_signals: signals, events, tp, fp, late, unresolved };
}

function countsOf(row: ScoredSeries, name: WindowName, alerts: Alerts): Counts {
  const window = windowOf(row, name);
  return { events: scoreEvents(row.frame, alerts, window), strict: scoreStrict(row.frame, alerts, window) };
}

const pooled = (
  rows: readonly ScoredSeries[],
  name: WindowName,
  alertsOf: (row: ScoredSeries) => Alerts,
): PooledMetrics => pooledOf(rows.map((row) => countsOf(row, name, alertsOf(row))));

function pooledOf(counts: readonly Counts[]): PooledMetrics {
  const events = pool(
    counts.map((one) => one.events),
    NO_EVENT_COUNTS,
  );
  const strict = pool(
    counts.map((one) => one.strict),
    NO_STRICT_COUNTS,
  );
  const { fp } = events;
  return {
    ...metrics(events),
    in_alert: six(events.bars === 0 ? 0 : events.alertBars / events.bars),
    false_alarms_a_year: six(events.time === 0 ? 0 : fp / (events.time / YEAR)),
    lead_bars: events.detected === 0 ? null : six(events.leadBars / events.detected),
    strict: strictMetrics(strict),
  };
}

function strictMetrics(counts: StrictCounts): StrictMetrics {
  const lift = dayLift(counts);
  return {
    ...rounded(ratiosOf(counts, counts.episodes)),
    episodes: counts.episodes,
    day_lift: lift === null ? null : six(lift),
  };
}

function shiftedNull(rows: readonly ScoredSeries[], name: WindowName): { f1: number; strict_f1: number } {
  const random = createRandom(SEED);
  const events: EventCounts[] = [];
  const strict: StrictCounts[] = [];
  for (let shift = 0; shift < SHIFTS; shift++) {
    for (const row of rows) {
      const window = windowOf(row, name);
      const alerts = shiftAlerts(row.alerts, window, random);
      if (alerts === null) continue;
      events.push(scoreEvents(row.frame, alerts, window));
      strict.push(scoreStrict(row.frame, alerts, window));
    }
  }
  const e = pool(events, NO_EVENT_COUNTS);
  const s = pool(strict, NO_STRICT_COUNTS);
  return { f1: six(ratiosOf(e, e.events).f1), strict_f1: six(ratiosOf(s, s.episodes).f1) };
}

function hashOf(market: PastMarket): string {
  const hash = createHash('sha256');
  for (const { symbol } of market.instruments) {
    for (const bar of market.bars(symbol)) {
      hash.update(`${symbol},${bar.date},${bar.open},${bar.high},${bar.low},${bar.close},${bar.volume ?? ''}\n`);
    }
  }
  return hash.digest('hex');
}

function fittedOn(
  market: PastMarket,
  model: RiskModel,
  leftOut: ValidationOptions['leftOut'],
  rows: readonly ScoredSeries[],
): FitRecord {
  const { version, inputs, ridge, every_nth_bar, fitted_on: prices, years } = model.source;
  return {
    version,
    inputs,
    ridge,
    every_nth_bar,
    years: years.map(({ year, own, fellows }) => ({ year, own: own.rows, fellows: fellows?.rows ?? 0, market: 0 })),
    prices,
    seen:
      leftOut === undefined
        ? rows.map((row) => row.symbol).filter((symbol) => prices[symbol] === priceHash(market.bars(symbol)))
        : [],
    ...(leftOut !== undefined && { left_out: leftOut.map((group) => [...group]) }),
  };
}

function notes(
  symbols: readonly { readonly symbol: string }[],
  holdout: PooledMetrics,
  { seen, prices, left_out }: FitRecord,
): string {
  // A series with a row more has another hash, so the name decides what the fit may have had.
  const named = symbols.flatMap(({ symbol }) => (symbol in prices && !seen.includes(symbol) ? [symbol] : []));
  const same = seen.length === 0 ? 'no series here is' : `${seen.length} of the series here are`;
  const others = named.length === 0 ? '' : `, which had earlier prices of symbols of these names: ${named.join(', ')}`;
  const percent = (value: number): string => `${Math.round(100 * value)} %`;
  return (
    `${symbols.length} symbols, scored bar by bar with what was known at each close. In the hold-out window ${percent(holdout.precision)} of the ` +
    `High Risk signals were followed by the warned event and ${percent(holdout.recall)} of the events were announced. A fall is itself ` +
    'part of the event, so a good part of these figures is mechanical: `nulls.shuffled` shows what the same rule scores on prices whose ' +
    'order is shuffled, `nulls.shifted` what the same alerts score at other times, and `strict` gives no credit for a fall already made. ' +
    'The weights of the risk probability are fitted once a year on outcomes closed before that year; ' +
    (left_out === undefined
      ? `${same} the same as in the fit${others} (\`fitted\`).`
      : 'each symbol is scored by weights that were fitted on these prices without its group (`fitted.left_out`).')
  );
}

const rounded = ({ precision, recall, f1 }: { precision: number; recall: number; f1: number }) => ({
  recall: six(recall),
  precision: six(precision),
  f1: six(f1),
});
