// Service, engine: parts of the validation record: outcomes after alerts, and uncertainty.
import { type OutcomeSums, outcomesOfAlerts, poolOutcomes, quartilesOf } from './alert-outcomes.ts';
import { FIGURES, uncertaintyOf, yearlySums } from './bootstrap.ts';
import { detect } from './detectors.ts';
import { YEAR } from './frame.ts';
import { type Interval, RESAMPLES } from './resampling.ts';
import { both, forecastsOf, type ScoredSeries, six, windowOf, yearsOf } from './scored-series.ts';
import type { AlertOutcomes, PastMarket, Uncertainty, Validation, WindowName } from './validation-record.ts';

/** The baseline that a model has to beat (docs/model.md, section 3). */
const RIVAL = 'dd_tuned';

export function outcomeRecord(rows: readonly ScoredSeries[]): NonNullable<Validation['alert_outcomes']> {
  const sums = rows.map((row) => ({
    symbol: row.symbol,
    ...both((name) => outcomesOfAlerts(row.frame, row.alerts, windowOf(row, name))),
  }));
  return {
    symbols: sums.map(({ symbol, ...windows }) => ({ symbol, ...both((name) => figuresOf(windows[name])) })),
    pooled: both((name) => figuresOf(poolOutcomes(sums.map((windows) => windows[name])))),
  };
}

function figuresOf(sums: OutcomeSums): AlertOutcomes {
  const years = sums.time / YEAR;
  const yearly = (count: number): number | null => (years === 0 ? null : six(count / years));
  const shareOfEvents = (count: number): number | null => (sums.events === 0 ? null : six(count / sums.events));
  return {
    years: six(years),
    signals_a_year: yearly(sums.signals),
    false_alarms_a_year: yearly(sums.falseAlarms),
    alert_bars: quartilesOf(sums.lengths),
    bars_to_breach: quartilesOf(sums.toBreach),
    bars_to_trough: quartilesOf(sums.toTrough),
    half_ahead: shareOfEvents(sums.toBreach.length),
    before_half_of_fall: shareOfEvents(sums.beforeHalf),
    on_eve_of_breach: shareOfEvents(sums.onEve),
    after_alert: afterOf(sums.alert),
    otherwise: afterOf(sums.other),
  };
}

function afterOf({
  bars,
  losses,
  halfLosses,
  returns,
  volatilities,
}: OutcomeSums['alert']): AlertOutcomes['otherwise'] {
  if (bars === 0) return null;
  return {
    bars,
    loss: six(losses / bars),
    half_loss: six(halfLosses / bars),
    mean_return: six((100 * returns) / bars),
    volatility: six(volatilities / bars),
  };
}

export function uncertaintyRecord(
  market: PastMarket,
  rows: readonly ScoredSeries[],
  name: WindowName,
  seed: number,
): Uncertainty | null {
  const series = rows.map((row) => ({ row, window: windowOf(row, name), years: yearsOf(market, row, name) }));
  const own = series.map(({ row, window, years }) =>
    yearlySums(row.frame, row.alerts, window, years, forecastsOf(row, years)),
  );
  const rival = series.map(({ row, window, years }) =>
    yearlySums(row.frame, detect(RIVAL, row.frame), window, years, new Map()),
  );
  const found = uncertaintyOf(own, rival, seed);
  if (found === null) return null;
  const rounded = (intervals: Readonly<Record<(typeof FIGURES)[number], Interval | null>>): Uncertainty['intervals'] =>
    Object.fromEntries(
      FIGURES.map((figure) => {
        const interval = intervals[figure];
        return [figure, interval === null ? null : { low: six(interval.low), high: six(interval.high) }];
      }),
    ) as Uncertainty['intervals'];
  return {
    years: found.years,
    resamples: RESAMPLES,
    intervals: rounded(found.intervals),
    against: RIVAL,
    differences: rounded(found.differences),
  };
}
