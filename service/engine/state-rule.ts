// Service, engine: from drawdown and risk probability to a state. Two triggers with hysteresis, and a state that closes have to bear out.
import type { State } from '../../shared/domain/states.ts';

/** High Risk asks for both: a drawdown (as a fraction of the breach threshold) and a probability. */
const HIGH_RISK = { enter: { drawdown: 0.45, probability: 0.25 }, stay: { drawdown: 0.3, probability: 0.18 } } as const;
/** A breach is High Risk whatever the probability: that says what is to come, and has never learned from bars on which the event had begun. */
const BREACH = 1;
/** Elevated asks for either. */
const ELEVATED = { enter: { drawdown: 0.6, probability: 0.25 }, stay: { drawdown: 0.2, probability: 0.12 } } as const;
/** Where the model says nothing (before its first year) the drawdown decides alone. */
const BY_DRAWDOWN = { highRisk: { enter: 0.6, stay: 0.48 }, elevated: { enter: 0.45, stay: 0.3 } } as const;
/** A state is left downwards only after so many closes in it. */
const LEAST_CLOSES = 5;

/** The state at the last close, and for how many closes it has lasted, that one included. */
export interface StateRun {
  readonly state: State;
  readonly closes: number;
}
export const NO_RUN: StateRun = { state: 0, closes: 0 };

/**
 * The next state. Upwards at once; downwards past the state of the closes only when that has stood for five of them. What the day alone had
 * entered may be left within the day.
 * @param drawdown fraction of the breach threshold; NaN (no score) keeps the state
 * @param probability 0..1; null where the model has none
 * @param from the live state, or at a close that of the close before
 */
export function nextState(drawdown: number, probability: number | null, from: State, run: StateRun): State {
  if (Number.isNaN(drawdown)) return from;
  const target = probability === null ? byDrawdown(drawdown, from) : byBoth(drawdown, probability, from);
  const floor = run.closes < LEAST_CLOSES ? run.state : 0;
  return Math.max(target, floor) as State;
}

/** The rule's state after a close in `state`. */
export const runAfter = (run: StateRun, state: State): StateRun => ({
  state,
  closes: state === run.state ? run.closes + 1 : 1,
});

function byBoth(drawdown: number, probability: number, from: State): State {
  const high = from === 2 ? HIGH_RISK.stay : HIGH_RISK.enter;
  if (drawdown >= BREACH || (drawdown >= high.drawdown && probability >= high.probability)) return 2;
  const elevated = from >= 1 ? ELEVATED.stay : ELEVATED.enter;
  return drawdown >= elevated.drawdown || probability >= elevated.probability ? 1 : 0;
}

function byDrawdown(drawdown: number, from: State): State {
  const { highRisk, elevated } = BY_DRAWDOWN;
  if (drawdown >= (from === 2 ? highRisk.stay : highRisk.enter)) return 2;
  return drawdown >= (from >= 1 ? elevated.stay : elevated.enter) ? 1 : 0;
}
