// Service, engine: the state from drawdown and risk probability, two triggers with hysteresis.
import type { State } from '../../shared/domain/states.ts';

/** High Risk needs both: a drawdown (as a fraction of the breach threshold) and a probability. */
const HIGH_RISK = { enter: { drawdown: 0.45, probability: 0.25 }, stay: { drawdown: 0.3, probability: 0.18 } } as const;
/**
 * A breach is High Risk at any probability: the model predicts events, and was never fitted on bars after
 * their start.
 */
const BREACH = 1;
/** Elevated needs either. */
const ELEVATED = { enter: { drawdown: 0.6, probability: 0.25 }, stay: { drawdown: 0.2, probability: 0.12 } } as const;
/** Without a probability (before the model's first year) the drawdown alone decides. */
const BY_DRAWDOWN = { highRisk: { enter: 0.6, stay: 0.48 }, elevated: { enter: 0.45, stay: 0.3 } } as const;
/** Minimum number of closes in a state before it may fall. */
const LEAST_CLOSES = 5;

/** The state at the last close, and the number of closes in it, including that one. */
export interface StateRun {
  readonly state: State;
  readonly closes: number;
}
export const NO_RUN: StateRun = { state: 0, closes: 0 };

/**
 * The next state. Rises at once; falls below the state of the closes only after five closes in it. A state
 * entered within the day may end within the day.
 * @param drawdown fraction of the breach threshold; NaN (no score) retains the state
 * @param probability 0..1; null when the model has none
 * @param from the live state; at a close, the state of the previous close
 */
export function nextState(drawdown: number, probability: number | null, from: State, run: StateRun): State {
  if (Number.isNaN(drawdown)) return from;
  const target = probability === null ? byDrawdown(drawdown, from) : byBoth(drawdown, probability, from);
  const floor = run.closes < LEAST_CLOSES ? run.state : 0;
  return Math.max(target, floor) as State;
}

/** The run after a close in `state`. */
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
