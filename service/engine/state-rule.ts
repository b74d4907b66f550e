// Service, engine: from the drawdown fraction to a state. Two triggers with hysteresis; the state itself is their whole memory.
import type { State } from '../../shared/domain/states.ts';

/** A trigger switches on at `enter` or above, and off below `leave` (MODELS 2b). */
interface Trigger {
  readonly enter: number;
  readonly leave: number;
}

/** `dd_scaled` of MODELS 2b. */
const HIGH_RISK: Trigger = { enter: 0.5, leave: 0.2 };
const ELEVATED: Trigger = { enter: 0.35, leave: 0.1 };

const isOn = (trigger: Trigger, score: number, was: boolean): boolean => score >= (was ? trigger.leave : trigger.enter);

/**
 * The next state. Because the bounds of Elevated lie below those of High Risk, Elevated is always on where High Risk is, and
 * so the state that one comes from tells both triggers.
 * @param fraction drawdown fraction; NaN (no score) keeps the state
 */
export function nextState(fraction: number, from: State): State {
  if (Number.isNaN(fraction)) return from;
  if (isOn(HIGH_RISK, fraction, from === 2)) return 2;
  return isOn(ELEVATED, fraction, from >= 1) ? 1 : 0;
}
