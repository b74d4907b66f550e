// Main, core: which transition is told. Pure: what is known goes in, a decision with its reason comes out; a port carries it out.
import type { State } from '../../../shared/domain/states.ts';

export interface Facts {
  readonly toState: State;
  readonly watched: boolean;
  /** It happened before this program first saw the service: it was in the log already when Barograph was set up. */
  readonly beforeFirstSight: boolean;
}

export type Reason = 'high_risk_of_watched' | 'not_high_risk' | 'not_watched' | 'before_first_sight';

export interface Verdict {
  readonly notify: boolean;
  readonly reason: Reason;
}

/** The one rule so far: High Risk of a watched symbol notifies; nothing older than the first sight sounds. */
export function decide(facts: Facts): Verdict {
  if (facts.toState !== 2) return { notify: false, reason: 'not_high_risk' };
  if (!facts.watched) return { notify: false, reason: 'not_watched' };
  if (facts.beforeFirstSight) return { notify: false, reason: 'before_first_sight' };
  return { notify: true, reason: 'high_risk_of_watched' };
}
