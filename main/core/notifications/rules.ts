// Main, core: matches an event against the rules. Pure: context in, decision with reason out.
import { appliesIn, type DueCondition, isInScope, isWithin, type Rule } from '../../../shared/settings/alert-rules.ts';
import { type BreadthCondition, breadthKey } from '../../../shared/settings/breadth-conditions.ts';
import { MISSES, type Miss } from '../../../shared/settings/misses.ts';
import type { RuleContext } from './rule-context.ts';

/** @returns null when every condition of the rule holds */
export function missOf(rule: Rule, context: RuleContext): Miss | null {
  if (!rule.enabled) return 'disabled';
  if (hasExpired(rule, context.now)) return 'expired';
  if (!appliesIn(rule, context.profile)) return 'other_profile';
  if (!rule.events.some((name) => name === context.event)) return 'other_event';
  // A price meets the condition of one rule.
  if ((rule.price !== null || context.priceRule !== null) && rule.id !== context.priceRule) return 'other_event';
  if (!isSameBreadth(rule.breadth, context.breadth)) return 'other_event';
  if (context.symbol !== null && !isInScope(rule, context.symbol, context.watch)) return 'other_symbol';
  if (context.symbol !== null && rule.except.includes(context.symbol)) return 'excepted';
  const { confidence, regime, asset_class: assetClass } = context.attributes;
  if (rule.classes !== null && (assetClass == null || !rule.classes.includes(assetClass))) return 'other_class';
  if (context.toState !== null && context.toState < rule.min_state) return 'below_state';
  if (rule.min_confidence !== null && (confidence ?? Number.NEGATIVE_INFINITY) < rule.min_confidence)
    return 'below_confidence';
  if (rule.regimes !== null && (regime === null || !rule.regimes.includes(regime))) return 'other_regime';
  if (rule.due !== null && !isMetByDue(rule.due, context)) return rule.due.when === 'only' ? 'not_due' : 'due';
  return isWithin(rule.hours, context.at, context.calendar) ? null : 'outside_hours';
}

const dueOf = ({ kinds, sessions: within }: DueCondition, { symbol, calendar, at, scheduled }: RuleContext) =>
  scheduled.due({ symbol, calendar, at, within, kinds });

/** Unknown holds: a rule must not be silent because a list is missing. */
function isMetByDue(condition: DueCondition, context: RuleContext): boolean {
  const { events, isWhole } = dueOf(condition, context);
  return condition.when === 'not' ? events.length === 0 : events.length > 0 || !isWhole;
}

/** Whether a rule matches although it is not known what is due. */
export function isDueUnknown({ due }: Pick<Rule, 'due'>, context: RuleContext): boolean {
  if (due === null) return false;
  const { events, isWhole } = dueOf(due, context);
  return events.length === 0 && !isWhole;
}

const isSameBreadth = (rule: BreadthCondition | null, event: BreadthCondition | null): boolean =>
  rule === null || event === null ? rule === event : breadthKey(rule) === breadthKey(event);

export const hasExpired = (rule: Rule, now: number): boolean =>
  rule.expires_at !== null && Date.parse(rule.expires_at) <= now;

export interface Evaluation {
  /** The matching rules, in order: the first names the notification. */
  readonly matched: readonly Rule[];
  /** Without a match: the nearest rule, and the condition that failed. */
  readonly nearest: { readonly rule: string; readonly miss: Miss } | null;
}

export function evaluateRules(rules: readonly Rule[], context: RuleContext): Evaluation {
  const matched: Rule[] = [];
  let nearest: Evaluation['nearest'] = null;
  let furthest = -1;
  for (const rule of rules) {
    const miss = missOf(rule, context);
    if (miss === null) matched.push(rule);
    else if (MISSES.indexOf(miss) > furthest) {
      furthest = MISSES.indexOf(miss);
      nearest = { rule: rule.id, miss };
    }
  }
  return { matched, nearest: matched.length > 0 ? null : nearest };
}
