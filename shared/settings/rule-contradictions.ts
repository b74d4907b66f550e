// Pure: conditions of a rule that no event can meet together.
import { type EventName, SIGNAL_EVENTS } from '../wire/events.ts';
import type { Rule } from './alert-rules.ts';

/**
 * below_state: the minimum state excludes the event. no_confidence, no_regime, no_class: the event carries none.
 * all_excepted: every symbol of the rule is an exception too.
 */
export const CONTRADICTIONS = ['below_state', 'no_confidence', 'no_regime', 'no_class', 'all_excepted'] as const;
export type Contradiction = (typeof CONTRADICTIONS)[number];

/** These are about no symbol, so that they have neither confidence nor regime. */
const WITHOUT_ATTRIBUTES: ReadonlySet<EventName> = new Set(['briefing.published', 'model.version']);

type Conditions = Pick<Rule, 'events' | 'scope' | 'except' | 'classes' | 'min_state' | 'min_confidence' | 'regimes'>;

function contradictionWith(event: EventName, rule: Conditions): Contradiction | null {
  const { min_state, min_confidence, regimes, classes, scope, except } = rule;
  const state = (SIGNAL_EVENTS as readonly string[]).indexOf(event);
  if (state !== -1 && state < min_state) return 'below_state';
  if (state === -1 && classes !== null) return 'no_class';
  if (!WITHOUT_ATTRIBUTES.has(event))
    return scope.kind === 'symbols' && scope.symbols.every((symbol) => except.includes(symbol)) ? 'all_excepted' : null;
  if (min_confidence !== null) return 'no_confidence';
  return regimes === null ? null : 'no_regime';
}

/** Why the rule can never notify: each of its events contradicts another condition. null: one event can match. */
export function contradictionOf(rule: Conditions): Contradiction | null {
  const found = rule.events.map((event) => contradictionWith(event, rule));
  return found.includes(null) ? null : (found[0] ?? null);
}
