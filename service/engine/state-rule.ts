// Service, engine: the state from drawdown, risk probability and turbulence, with hysteresis.
import type { State } from '../../shared/domain/states.ts';

/**
 * Bounds of High Risk: it needs a drawdown (as a fraction of the breach threshold), a probability, and a
 * turbulent market if the turbulence is known.
 */
const HIGH_RISK = { enter: { drawdown: 0.45, probability: 0.29 }, stay: { drawdown: 0.3, probability: 0.25 } } as const;
/**
 * The drawdown of a breach, which is High Risk at any probability: a new event is improbable while one lasts.
 */
export const BREACH = 1;
/** Bounds of Elevated: it needs a drawdown or a probability. */
const ELEVATED = { enter: { drawdown: 0.6, probability: 0.25 }, stay: { drawdown: 0.2, probability: 0.18 } } as const;
/** Bounds of the drawdown if there is no probability, before the model's first year. */
const BY_DRAWDOWN = { highRisk: { enter: 0.6, stay: 0.48 }, elevated: { enter: 0.45, stay: 0.3 } } as const;
/** Smallest drawdown at which High Risk may begin, at any probability. */
export function entryDrawdown(hasProbability: boolean, isTurbulent: boolean): number {
  if (!hasProbability) return BY_DRAWDOWN.highRisk.enter;
  return isTurbulent ? HIGH_RISK.enter.drawdown : BREACH;
}
/** Minimum number of closes in a state before it may fall. */
export const MIN_CLOSES = 5;

/**
 * Reasons of a state: a bound for entering, a breach, the bounds for leaving, or the minimum of five closes.
 */
export const RULE_PARTS = ['probability', 'drawdown', 'breach', 'exit_bounds', 'five_closes'] as const;
export type RulePart = (typeof RULE_PARTS)[number];

/** Inputs of the rule. */
export interface Evidence {
  /** Fraction of the breach threshold; NaN (no score) retains the state. */
  readonly drawdown: number;
  /** Probability that the warned event follows, 0..1; null: the model has none. */
  readonly probability: number | null;
  /** False if the market is known to be calmer than its three-year median. */
  readonly isTurbulent: boolean;
}

/** The state at the last close, and the number of closes in it, including that one. */
export interface StateRun {
  readonly state: State;
  readonly closes: number;
}
export const NO_RUN: StateRun = { state: 0, closes: 0 };

/**
 * The next state. Rises at once; falls below the state of the closes only after five closes in it. A state
 * entered within the day may end within the day.
 * @param from the live state; at a close, the state of the previous close
 */
export function nextState(evidence: Evidence, from: State, run: StateRun): State {
  const { drawdown, probability } = evidence;
  if (Number.isNaN(drawdown)) return from;
  const target = probability === null ? byDrawdown(drawdown, from) : byBoth(evidence, probability, from);
  const floor = run.closes < MIN_CLOSES ? run.state : 0;
  return Math.max(target, floor) as State;
}

/** The run after a close in `state`. */
export const runAfter = (run: StateRun, state: State): StateRun => ({
  state,
  closes: state === run.state ? run.closes + 1 : 1,
});

/**
 * The part of the rule behind a state out of Normal; null without a drawdown.
 * @param state the result of the rule
 */
export function ruleBehind(evidence: Evidence, state: 1 | 2): RulePart | null {
  const { drawdown, probability } = evidence;
  if (Number.isNaN(drawdown)) return null;
  if (probability === null) {
    const { enter, stay } = state === 2 ? BY_DRAWDOWN.highRisk : BY_DRAWDOWN.elevated;
    return drawdown >= enter ? 'drawdown' : drawdown >= stay ? 'exit_bounds' : 'five_closes';
  }
  if (state === 2) {
    if (drawdown >= BREACH) return 'breach';
    if (isHigh(evidence, probability, HIGH_RISK.enter)) return 'probability';
    return isHigh(evidence, probability, HIGH_RISK.stay) ? 'exit_bounds' : 'five_closes';
  }
  if (probability >= ELEVATED.enter.probability) return 'probability';
  if (drawdown >= ELEVATED.enter.drawdown) return 'drawdown';
  return isElevated(drawdown, probability, ELEVATED.stay) ? 'exit_bounds' : 'five_closes';
}

/** Whether the state would be High Risk in a turbulent market. */
export const isWithheld = (evidence: Evidence, state: State): boolean =>
  state < 2 &&
  !evidence.isTurbulent &&
  isHigh({ ...evidence, isTurbulent: true }, evidence.probability ?? 0, HIGH_RISK.enter);

interface Bounds {
  readonly drawdown: number;
  readonly probability: number;
}

const isHigh = ({ drawdown, isTurbulent }: Evidence, probability: number, least: Bounds): boolean =>
  isTurbulent && drawdown >= least.drawdown && probability >= least.probability;
const isElevated = (drawdown: number, probability: number, least: Bounds): boolean =>
  drawdown >= least.drawdown || probability >= least.probability;

function byBoth(evidence: Evidence, probability: number, from: State): State {
  const { drawdown } = evidence;
  const high = from === 2 ? HIGH_RISK.stay : HIGH_RISK.enter;
  if (drawdown >= BREACH || isHigh(evidence, probability, high)) return 2;
  return isElevated(drawdown, probability, from >= 1 ? ELEVATED.stay : ELEVATED.enter) ? 1 : 0;
}

function byDrawdown(drawdown: number, from: State): State {
  const { highRisk, elevated } = BY_DRAWDOWN;
  if (drawdown >= (from === 2 ? highRisk.stay : highRisk.enter)) return 2;
  return drawdown >= (from >= 1 ? elevated.stay : elevated.enter) ? 1 : 0;
}
