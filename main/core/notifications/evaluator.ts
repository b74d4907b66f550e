// Main, core: decides by the rules whether a new event is notified now, later, or never.
import type { Claim } from '../../../shared/domain/claims.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import type { Decision, Evaluator } from '../ledger/arrival.ts';
import type { Mute } from '../ledger/mutes.ts';
import type { RecentNotification } from '../ledger/notification-growth.ts';
import { notificationId } from '../ledger/notification-ids.ts';
import { MUTE_BATCH } from '../ledger/notification-queue.ts';
import type { NewNotification } from '../ledger/notifications.ts';
import { groupBatch } from './batching.ts';
import { FLAP_LIMIT } from './flapping.ts';
import { groupOf, joinedBy } from './growth.ts';
import type { Inhibitor } from './inhibition.ts';
import { endedBy, mutedBy } from './mutes.ts';
import type { DispatchPolicy } from './policy.ts';
import { labelsOf, type RuleContext, type RuleContextOptions, ruleContextOf } from './rule-context.ts';
import type { RuleStore } from './rule-store.ts';
import { evaluateRules } from './rules.ts';

/** Data about the time before an event. */
export interface EventHistory {
  mutes(): readonly Mute[];
  /** World time, ms, of the baseline during the first reading of the log; null after its end. */
  baselineAt(): number | null;
  /**
   * State of a notification in the record outside the ledger: accepted by the desktop (shown) or not (open);
   * null: no record. Read only for events that this ledger may not know: late ones, or after a ledger loss.
   */
  recorded(notificationId: string, isLate: boolean): 'shown' | 'open' | null;
  /** Number of changes of the symbol in the window before this event. */
  changesBefore(symbol: string, at: number): number;
  /** The High Risk that holds back an alert of this symbol now; null: none. */
  inhibitor(symbol: string | null): Inhibitor | null;
  /** Notifications about events that may still grow, newest first. */
  recent(): readonly RecentNotification[];
}

export interface EvaluatorDeps extends RuleContextOptions {
  readonly ruleStore: Pick<RuleStore, 'rules' | 'quiet' | 'grouping'>;
  readonly history: EventHistory;
  /** Base rate of the event that the confidence is about, percent; null when unknown. */
  baseRate(symbol: string, claim: Claim | undefined): number | null;
  /** World time now, ms, and its speed. */
  readonly world: { now(): number; view(): { readonly speed: number } };
  readonly policy: Pick<DispatchPolicy, 'pause' | 'inhibitedBy'>;
  /** This computer's clock. */
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * An event older than this at arrival (world ms at speed 1) was missed: it joins the batch of missed events.
 */
const MISSED_AFTER = 60_000;
export const isLate = (age: number, world: { view(): { readonly speed: number } }): boolean =>
  age > MISSED_AFTER * Math.max(1, world.view().speed);

const NONE: readonly never[] = [];
/** The decision not to notify. Must be cheap: most events end here. */
const noNotification = (reason: string | null, ends: Decision['ends']): Decision => ({
  reason,
  why: null,
  notification: null,
  channels: NONE,
  ends,
});

export function createEvaluator(deps: EvaluatorDeps): Evaluator {
  /** True for history. Stream events are none: the service wrote them after the connection began. */
  const isPast = (event: ReceivedEvent, source: ArrivalSource): boolean => {
    if (source === 'stream') return false;
    // The first watch of its symbol decides.
    if (event.assumptions.includes('state')) return !event.assumptions.includes('listed');
    const before = deps.history.baselineAt();
    // An event without a time counts as history when it is listed in the first reading of the log.
    return before !== null && (event.occurredAt < before || event.assumptions.includes('time'));
  };

  /** The first outcome of a notification. A mute has precedence; immediate dispatch comes last. */
  const decideOutcome = (
    event: ReceivedEvent,
    source: ArrivalSource,
    context: RuleContext,
    hold: number,
    mutes: readonly Mute[],
  ): Pick<NewNotification, 'outcome' | 'reason' | 'batch' | 'joins'> => {
    const { symbol, toState } = context;
    const muted =
      mutedBy(mutes, deps.ruleStore.quiet(), labelsOf(context), context.calendar, context.now) ??
      deps.policy.inhibitedBy(symbol, toState);
    if (muted !== null) return { outcome: 'muted', reason: muted, batch: MUTE_BATCH };
    const pause = deps.policy.pause();
    if (pause !== null) return { outcome: 'dropped', reason: pause, batch: null };
    const inhibitor = (toState ?? 0) > 0 ? deps.history.inhibitor(symbol) : null;
    if (inhibitor !== null && inhibitor.notificationId !== null)
      return {
        outcome: 'digest',
        reason: message('queued.inhibited', { symbol: inhibitor.symbol }),
        batch: null,
        joins: inhibitor.notificationId,
      };
    if (hold > 0)
      return {
        outcome: 'pending',
        reason: message('queued.hold', { seconds: hold }),
        batch: `hold:${hold}:${event.eventId}`,
      };
    if (isLate(context.now - context.at, deps.world))
      return {
        outcome: 'batched',
        reason: message(source === 'relay' ? 'queued.late_webhook' : 'queued.missed'),
        batch: 'downtime',
      };
    if (context.symbol !== null && deps.history.changesBefore(context.symbol, context.at) + 1 >= FLAP_LIMIT)
      return { outcome: 'batched', reason: message('queued.flapping'), batch: `flap:${context.symbol}` };
    const grouping = deps.ruleStore.grouping();
    const groups = { grouping, listsOf: deps.watch.listsOf };
    const labels = labelsOf(context);
    const occurredAt = Math.floor(event.occurredAt / 1000);
    const joins = joinedBy(deps.history.recent(), { labels, occurredAt }, deps.clock.now(), groups);
    if (joins !== null) return { outcome: 'digest', reason: null, batch: null, joins };
    const group = groupOf(labels, groups);
    const { wait_seconds: seconds } = grouping;
    if (group !== null && seconds > 0)
      return {
        outcome: 'batched',
        reason: message('queued.group', { seconds }),
        batch: groupBatch(seconds, group),
      };
    return { outcome: 'intent', reason: null, batch: null };
  };

  return (event, source) => {
    const { transition } = event;
    const rules = deps.ruleStore.rules();
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
    const decided: ReturnType<typeof decideOutcome> =
      recorded === 'shown'
        ? { outcome: 'shown', reason: message('delivery.before_loss'), batch: null }
        : decideOutcome(event, source, context, hold, left);
    const names = matched.map((rule) => `"${rule.name}"`).join(', ');
    return {
      reason: `matched:${first.id}`,
      why: explanationOf(names, decided),
      notification: {
        id,
        kind: 'alert',
        rules: matched.map(({ id }) => id),
        baseRate: transition === null ? null : deps.baseRate(transition.symbol, transition.confidence_of),
        ...decided,
      },
      channels: recorded === 'shown' ? NONE : [...new Set(matched.flatMap(({ channels }) => channels))],
      ends,
    };
  };
}

const explanationOf = (rules: string, { outcome, reason }: Pick<NewNotification, 'outcome' | 'reason'>): Message =>
  outcome === 'intent' || reason === null
    ? message('decision.notified', { rules })
    : message('decision.delayed', { rules, outcome, reason });
