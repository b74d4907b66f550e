// Service, engine: the regime of one symbol, from trend and volatility, or Stress.
// Trend is a 200-day average with a band; volatility has two hidden states.
import type { Regime } from '../../shared/domain/regimes.ts';
import type { State } from '../../shared/domain/states.ts';
import { mean } from './factors/series.ts';
import type { BarHistory } from './history.ts';
import { normalShare } from './normal-share.ts';
import { filterStep, usualShare, type VolatilityStates } from './risk/volatility-states.ts';
import { HORIZON } from './threshold.ts';

const TREND_WINDOW = 200;
const TREND_BAND = 0.01;
/** P(high volatility): high above `enter`, calm again below `leave`. */
const HIGH_VOLATILITY = { enter: 0.8, leave: 0.3 };
/** Minimum age of a label in bars, unless Stress begins or ends. */
export const MIN_BARS = 5;

/** State of the rule after a bar. */
export interface RegimeMemory {
  readonly up: boolean | null;
  readonly highVolatility: number | null;
  readonly volatile: boolean;
  readonly stressed: boolean;
  readonly label: Regime | null;
  /** Bars since the label began. */
  readonly age: number;
}

export interface RegimeReading {
  readonly regime: Regime | null;
  readonly probabilities: Readonly<Record<Regime, number>> | null;
  readonly memory: RegimeMemory;
}

/** Follows one symbol. `evaluate` previews a next bar, `commit` adds it. */
export class RegimeTrack {
  /** Never changed, only replaced: what is saved and continued. */
  memory: RegimeMemory = { up: null, highVolatility: null, volatile: false, stressed: false, label: null, age: 0 };

  /** @param history with the bar to evaluate as its last one */
  evaluate(history: BarHistory, state: State, states: VolatilityStates): RegimeReading {
    const before = this.memory;
    const deviation = history.deviations.back(1);
    if (!(deviation > 0))
      return { regime: before.label, probabilities: null, memory: { ...before, age: before.age + 1 } };
    const highVolatility = filterStep(
      states,
      before.highVolatility ?? usualShare(states),
      history.returns.back(0) / deviation,
    );
    const distance = Math.log(history.closes.back(0) / history.closes.over(TREND_WINDOW, mean));
    const up = before.up === null ? distance >= 0 : before.up ? distance > -TREND_BAND : distance > TREND_BAND;
    const volatile = highVolatility >= (before.volatile ? HIGH_VOLATILITY.leave : HIGH_VOLATILITY.enter);
    const stressed = (state === 2 && volatile) || (before.stressed && state !== 0);
    const target = labelOf(up, volatile, stressed);
    const mayChange = before.label === null || before.age >= MIN_BARS || stressed !== before.stressed;
    const label = mayChange ? target : before.label;
    const memory = { up, highVolatility, volatile, stressed, label, age: label === before.label ? before.age + 1 : 1 };
    const spread = Math.sqrt(history.variances.back(0) * HORIZON);
    return { regime: label, probabilities: probabilitiesOf(distance / spread, highVolatility, stressed), memory };
  }

  commit(reading: RegimeReading): void {
    this.memory = reading.memory;
  }
}

/** The label by trend and volatility alone; null while warming up. */
export const targetOf = ({ memory: { up, volatile } }: RegimeReading): Regime | null =>
  up === null ? null : labelOf(up, volatile, false);

function labelOf(up: boolean, volatile: boolean, stressed: boolean): Regime {
  if (stressed) return 'stress';
  if (up) return volatile ? 'volatile_uptrend' : 'calm_uptrend';
  return volatile ? 'volatile_downtrend' : 'calm_downtrend';
}

/**
 * The filter gives the probability of high volatility. That of an uptrend is the probability that a price
 * without drift is above its current average one horizon from now. In Stress, Stress gets the share of high
 * volatility.
 * @param distance of the price from its average, in deviations of a horizon
 */
function probabilitiesOf(distance: number, high: number, stressed: boolean): Readonly<Record<Regime, number>> {
  const up = Number.isFinite(distance) ? normalShare(distance) : 0.5;
  return {
    calm_uptrend: (1 - high) * up,
    volatile_uptrend: stressed ? 0 : high * up,
    calm_downtrend: (1 - high) * (1 - up),
    volatile_downtrend: stressed ? 0 : high * (1 - up),
    stress: stressed ? high : 0,
  };
}
