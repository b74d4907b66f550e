// Pure: conditions of a rule that no event can meet together.

import { SIGNAL_EVENTS } from '../wire/events.ts';
import type { Rule, RuleEvent } from './alert-rules.ts';
import { BREADTH_EVENT, FOREIGN_EVENT, PRICE_EVENT } from './core-events.ts';

/**
 * below_state: the minimum state excludes the event. no_confidence, no_regime, no_class: the event has none.
 * all_excepted: every symbol of the rule is an exception too. no_price: a price is asked for, without a
 * condition on it. price_alone: a condition on the price, with events that have none. price_hold: a price
 * holds no state. impossible_fall: no price falls by its whole. no_share, share_alone, share_hold: the same of the
 * share of a list.
 */
export const CONTRADICTIONS = [
  'below_state',
  'no_confidence',
  'no_regime',
  'no_class',
  'all_excepted',
  'no_price',
  'price_alone',
  'price_hold',
  'impossible_fall',
  'no_share',
  'share_alone',
  'share_hold',
] as const;
export type Contradiction = (typeof CONTRADICTIONS)[number];

/** These have neither confidence nor regime. */
const WITHOUT_ATTRIBUTES: ReadonlySet<RuleEvent> = new Set([
  'briefing.published',
  'model.version',
  PRICE_EVENT,
  FOREIGN_EVENT,
  BREADTH_EVENT,
]);

type Conditions = Pick<
  Rule,
  | 'events'
  | 'scope'
  | 'except'
  | 'classes'
  | 'min_state'
  | 'min_confidence'
  | 'regimes'
  | 'price'
  | 'breadth'
  | 'hold_up_seconds'
  | 'hold_down_seconds'
>;

/** Contradictions of a rule on prices: its event lacks the fields of a signal. */
function contradictionOfPrice({ events, price, hold_up_seconds: up, hold_down_seconds: down }: Conditions) {
  const isAsked = events.includes(PRICE_EVENT);
  if (price === null) return isAsked ? 'no_price' : null;
  if (!isAsked || events.length > 1) return 'price_alone';
  if (up > 0 || down > 0) return 'price_hold';
  return price.kind === 'change' && price.direction === 'down' && price.percent >= 100 ? 'impossible_fall' : null;
}

/** The same of rules on the share of a list. */
function contradictionOfShare({ events, breadth, hold_up_seconds: up, hold_down_seconds: down }: Conditions) {
  const isAsked = events.includes(BREADTH_EVENT);
  if (breadth === null) return isAsked ? 'no_share' : null;
  if (!isAsked || events.length > 1) return 'share_alone';
  return up > 0 || down > 0 ? 'share_hold' : null;
}

const contradictionOfCondition = (rule: Conditions) => contradictionOfPrice(rule) ?? contradictionOfShare(rule);

function contradictionWith(event: RuleEvent, rule: Conditions): Contradiction | null {
  const { min_state, min_confidence, regimes, classes, scope, except } = rule;
  const state = (SIGNAL_EVENTS as readonly string[]).indexOf(event);
  if (state !== -1 && state < min_state) return 'below_state';
  if (state === -1 && event !== PRICE_EVENT && classes !== null) return 'no_class';
  const isExcepted = scope.kind === 'symbols' && scope.symbols.every((symbol) => except.includes(symbol));
  if (isExcepted && (!WITHOUT_ATTRIBUTES.has(event) || event === PRICE_EVENT)) return 'all_excepted';
  if (!WITHOUT_ATTRIBUTES.has(event)) return null;
  if (min_confidence !== null) return 'no_confidence';
  return regimes === null ? null : 'no_regime';
}

/** Events of which a rule can never notify. */
export interface DeadEvents {
  readonly why: Contradiction;
  readonly events: readonly RuleEvent[];
}

/** The events that contradict another condition, by the first contradiction. null: each event can match. */
export function deadEventsOf(rule: Conditions): DeadEvents | null {
  const ofCondition = contradictionOfCondition(rule);
  if (ofCondition !== null) return { why: ofCondition, events: rule.events };
  const why = rule.events.map((event) => contradictionWith(event, rule)).find((found) => found !== null);
  if (why === undefined) return null;
  return { why, events: rule.events.filter((event) => contradictionWith(event, rule) === why) };
}

/** Why the rule can never notify of anything. null: one event can match. */
export function contradictionOf(rule: Conditions): Contradiction | null {
  const isAny =
    contradictionOfCondition(rule) === null && rule.events.some((one) => contradictionWith(one, rule) === null);
  return isAny ? null : (deadEventsOf(rule)?.why ?? null);
}
