// Pure: conditions of a rule that no event can meet together.
import { type EventName, SIGNAL_EVENTS } from '../wire/events.ts';
import type { Rule } from './alert-rules.ts';

/** below_state: the minimum state excludes the event. no_confidence, no_regime: the event carries none. */
export const CONTRADICTIONS = ['below_state', 'no_confidence', 'no_regime'] as const;
export type Contradiction = (typeof CONTRADICTIONS)[number];

/** These are about no symbol, so that they have neither confidence nor regime. */
const WITHOUT_ATTRIBUTES: ReadonlySet<EventName> = new Set(['briefing.published', 'model.version']);

type Conditions = Pick<Rule, 'events' | 'min_state' | 'min_confidence' | 'regimes'>;

function contradictionWith(event: EventName, { min_state, min_confidence, regimes }: Conditions): Contradiction | null {
  const state = (SIGNAL_EVENTS as readonly string[]).indexOf(event);
  if (state !== -1 && state < min_state) return 'below_state';
  if (!WITHOUT_ATTRIBUTES.has(event)) return null;
  if (min_confidence !== null) return 'no_confidence';
  return regimes === null ? null : 'no_regime';
}

/** Why the rule can never notify: each of its events contradicts another condition. null: one event can match. */
export function contradictionOf(rule: Conditions): Contradiction | null {
  const found = rule.events.map((event) => contradictionWith(event, rule));
  return found.includes(null) ? null : (found[0] ?? null);
}
