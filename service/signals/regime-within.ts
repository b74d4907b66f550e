// Service, signals: what the model gives each regime at a price within a day, also within one long past: the slow label's own rule, run over the
// closes before it. The regime itself is decided at closes.

import type { Regime } from '../../shared/domain/regimes.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { BarHistory } from '../engine/history.ts';
import { RegimeTrack } from '../engine/regime-rule.ts';
import { RISK_MODEL } from '../engine/risk/parameters.ts';
import { PRIOR_STATES } from '../engine/risk/volatility-states.ts';
import type { Bar } from '../engine/types.ts';
import type { Track } from './track.ts';

/** A year until the usual volatility is known, the rest until the filter has forgotten where it began. */
const WARM_BARS = 520;

type Shares = Readonly<Record<Regime, number>>;

/**
 * Asked in order of time it runs over each close once.
 * @returns probabilities of the regimes were `price` the next close after that of `track.days[index]`; null without a year of closes before it
 */
export function followRegime(track: Track): (index: number, price: number) => Shares | null {
  const { days, past } = track;
  /** Of the closes that were ever taken in, how many are older than `days`. */
  const older = past.length - days.length;
  const closes = past.closes();
  let history = new BarHistory();
  let rule = new RegimeTrack();
  /** Place among all closes of the next close to run over; NaN before the first question. */
  let next = Number.NaN;

  const evaluate = (index: number, price: number) => {
    const states = index === 0 ? PRIOR_STATES : (RISK_MODEL.parameters(dateAt(index - 1))?.volatility ?? PRIOR_STATES);
    history.push(barAt(price));
    return rule.evaluate(history, 0, states);
  };
  /** Days that are kept no longer are dated back from the first that is: the date only says which year's parameters hold. */
  const dateAt = (index: number): string => {
    const retained = days[index - older];
    if (retained !== undefined) return retained.reading.date;
    return new Date(Date.parse(days[0]?.reading.date ?? '') - (older - index) * DAY_MS).toISOString().slice(0, 10);
  };

  return (index, price) => {
    const end = older + index + 1;
    if (!(next <= end)) {
      history = new BarHistory();
      rule = new RegimeTrack();
      next = Math.max(0, end - WARM_BARS);
    }
    for (; next < end; next += 1) rule.commit(evaluate(next, closes[next] as number));
    const { probabilities } = evaluate(end, price);
    history.undo();
    if (probabilities === null) return null;
    // Stress is told from the volatile regimes by the state, not by prices: it goes on as it was at the close.
    if (days[index]?.reading.regime !== 'stress') return probabilities;
    const { volatile_uptrend: up, volatile_downtrend: down } = probabilities;
    return { ...probabilities, volatile_uptrend: 0, volatile_downtrend: 0, stress: up + down };
  };
}

/** The rule reads closes alone. */
const barAt = (price: number): Bar => ({ date: '', open: price, high: price, low: price, close: price, volume: null });
