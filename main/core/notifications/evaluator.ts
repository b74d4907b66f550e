// Main, core: decides by the rules whether a new event is notified now, later, or never.

import type { Claim } from '../../../shared/domain/claims.ts';
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import type { Decision, Evaluator } from '../ledger/arrival.ts';
import type { Mute } from '../ledger/mutes.ts';
import { notificationId } from '../ledger/notification-ids.ts';
import { type FirstOutcome, type FirstOutcomeDeps, firstOutcome, isLate, type RecentHistory } from './first-outcome.ts';
import { inhibitionRules } from './inhibition.ts';
import { endedBy } from './mutes.ts';
import type { DispatchPolicy } from './policy.ts';
import { type RuleContext, type RuleContextOptions, ruleContextOf } from './rule-context.ts';
import type { RuleStore } from './rule-store.ts';
import { evaluateRules, isDueUnknown } from './rules.ts';

/** Data about the time before an event. */
export interface EventHistory extends RecentHistory {
  mutes(): readonly Mute[];
  /** World time, ms, of the baseline during the first reading of the log; null after its end. */
  baselineAt(): number | null;
  /**
   * State of a notification in the record outside the ledger: accepted by the desktop (shown) or not (open);
   * null: no record. Read only for events that this ledger may not know: late ones, or after a ledger loss.
   */
  recorded(notificationId: string, isLate: boolean): 'shown' | 'open' | null;
}

export interface EvaluatorDeps extends RuleContextOptions, Omit<FirstOutcomeDeps, 'watch'> {
  readonly ruleStore: Pick<RuleStore, 'rules' | 'quiet' | 'grouping'>;
  readonly policy: Pick<DispatchPolicy, 'pause' | 'inhibitor' | 'unknownShare'>;
  readonly history: EventHistory;
  /** Base rate of the event that the confidence is about, percent; null when unknown. */
  baseRate(symbol: string, claim: Claim | undefined): number | null;
}

const NONE: readonly never[] = [];
/** The decision not to notify. Must be cheap: most events end here. */
const noNotification = (reason: string | null, ends: Decision['ends']): Decision => ({
  reason,
  why: null,
  notification: null,
  ends,
});

export function createEvaluator(deps: EvaluatorDeps): Evaluator {
  /**
   * True for history. Stream events are none: the service wrote them after the connection began. Nor are alerts of
   * other programs, which are in no log.
   */
  const isPast = (event: ReceivedEvent, source: ArrivalSource): boolean => {
    if (source === 'stream' || source === 'foreign') return false;
    // The first watch of its symbol decides.
    if (event.assumptions.includes('state')) return !event.assumptions.includes('listed');
    const before = deps.history.baselineAt();
    // An event without a time counts as history when it is listed in the first reading of the log.
    return before !== null && (event.occurredAt < before || event.assumptions.includes('time'));
  };

  return (event, source) => {
    const { transition } = event;
    const { ruleStore, policy } = deps;
    // The share of a list that holds back others is notified, whether a rule asks for it or not.
    const rules =
      event.breadth === undefined
        ? ruleStore.rules()
        : [...ruleStore.rules(), ...inhibitionRules(ruleStore.grouping())];
    if (transition === null && !rules.some((rule) => rule.events.some((name) => name === event.event)))
      return noNotification(null, NONE);
    const active = deps.history.mutes();
    const ends =
      transition === null || active.length === 0
        ? NONE
        : endedBy(active, transition.symbol, transition.to_state, event.occurredAt);
    const context = ruleContextOf(event, deps.world.now(), deps);
    const { matched, nearest } = evaluateRules(rules, context);
    const [first] = matched;
    if (first === undefined)
      return noNotification(nearest === null ? 'no_rule' : `${nearest.miss}:${nearest.rule}`, ends);
    const id = notificationId(event.eventId);
    const recorded = deps.history.recorded(id, isLate(context.now - context.at, deps.world));
    if (isPast(event, source) && recorded !== 'open') return noNotification(`before_baseline:${first.id}`, ends);

    const isFall = transition !== null && transition.to_state < transition.from_state;
    const hold = isFall ? first.hold_down_seconds : first.hold_up_seconds;
    const left = ends.length === 0 ? active : active.filter(({ id }) => !ends.some((end) => end.id === id));
    const decided: FirstOutcome =
      recorded === 'shown'
        ? { outcome: 'shown', reason: message('delivery.before_loss'), batch: null }
        : firstOutcome({ event, source, context, hold, mutes: left }, deps);
    const names = matched.map((rule) => `"${rule.name}"`).join(', ');
    return {
      reason: `matched:${first.id}`,
      why: explanationOf(
        names,
        decided,
        unknownOf(matched, context, transition === null ? null : policy.unknownShare()),
      ),
      notification: {
        id,
        kind: 'alert',
        rules: matched.map(({ id }) => id),
        baseRate: transition === null ? null : deps.baseRate(transition.symbol, transition.confidence_of),
        ...decided,
      },
      ends,
    };
  };
}

/** What is not known that might have kept it back. @param share why the share of a list is unknown */
const unknownOf = (matched: readonly Rule[], context: RuleContext, share: Message | null): Message | null =>
  share ?? (matched.every((rule) => isDueUnknown(rule, context)) ? message('decision.due_unknown') : null);

/** @param unknown why it is not known whether others would be held back */
function explanationOf(rules: string, { outcome, reason }: FirstOutcome, unknown: Message | null): Message {
  if (reason !== null) return message('decision.delayed', { rules, outcome, reason });
  return unknown === null
    ? message('decision.notified', { rules })
    : message('decision.not_inhibited', { rules, unknown });
}
