// Service, signals: regime probabilities at an intraday price, present or past.
// Runs the regime rule over the closes before the price. Only closes decide the regime.

import type { Regime } from '../../shared/domain/regimes.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { BarHistory } from '../engine/history.ts';
import { RegimeTrack, targetOf } from '../engine/regime-rule.ts';
import { PRIOR_STATES } from '../engine/risk/volatility-states.ts';
import type { Bar, Engine } from '../engine/types.ts';
import type { Track } from './track.ts';

/**
 * Closes before the result is exact: a year for the usual volatility, the rest until the filter forgets its
 * start.
 */
const WARM_BARS = 520;

type Shares = Readonly<Record<Regime, number>>;

export interface RegimeWithin {
  readonly probabilities: Shares;
  /** The label by trend and volatility alone. */
  readonly target: Regime | null;
}

/**
 * Runs over each close once when it is called in order of time.
 * @returns probabilities of the regimes and the rule's target if `price` were the close after
 *   `track.days[index]`, after `missing` sessions without one (default: as many as before the close after it);
 *   null without a year of closes before it
 */
export function followRegime(
  track: Track,
  volatilityStates: Engine['volatilityStates'],
): (index: number, price: number, missing?: number) => RegimeWithin | null {
  const { days } = track;
  const { closes, missing: missingBefore } = track.closed;
  /** Number of past closes older than `days`. */
  const older = closes.length - days.length;
  let history = new BarHistory();
  let rule = new RegimeTrack();
  /** Index among all closes of the next close to process; NaN before the first call. */
  let next = Number.NaN;

  const evaluate = (index: number, price: number, missing = missingBefore.get(index) ?? 0) => {
    const states = index === 0 ? PRIOR_STATES : volatilityStates(dateAt(index - 1));
    history.push(barAt(price, missing));
    return rule.evaluate(history, 0, states);
  };
  /**
   * Closes older than `days` get dates counted back from the first of `days`: dates only select the year's
   * parameters.
   */
  const dateAt = (index: number): string => {
    const retained = days[index - older];
    if (retained !== undefined) return retained.reading.date;
    return new Date(Date.parse(days[0]?.reading.date ?? '') - (older - index) * DAY_MS).toISOString().slice(0, 10);
  };

  return (index, price, missing) => {
    const end = older + index + 1;
    if (!(next <= end)) {
      history = new BarHistory();
      rule = new RegimeTrack();
      next = Math.max(0, end - WARM_BARS);
    }
    for (; next < end; next += 1) rule.commit(evaluate(next, closes[next] as number));
    const reading = evaluate(end, price, missing);
    const { probabilities } = reading;
    const target = targetOf(reading);
    history.undo();
    if (probabilities === null) return null;
    // The state separates Stress from the volatile regimes, not the price: Stress continues from the close.
    if (days[index]?.reading.regime !== 'stress') return { probabilities, target };
    const { volatile_uptrend: up, volatile_downtrend: down } = probabilities;
    const shares = { ...probabilities, volatile_uptrend: 0, volatile_downtrend: 0, stress: up + down };
    return { probabilities: shares, target };
  };
}

/** The rule uses closes only. */
const barAt = (price: number, missing: number): Bar => ({
  ...{ date: '', open: price, high: price, low: price, close: price, volume: null },
  missing,
});
