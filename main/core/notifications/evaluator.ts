// Main, core: decides by the rules whether a new event is notified now, later, or not at all.
import { sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import { signalEvent } from '../../../shared/wire/events.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import type { Decision, Evaluator } from '../ledger/ledger.ts';
import type { Mute } from '../ledger/mutes.ts';
import { MUTE_BIN, type NewNotification } from '../ledger/notifications.ts';
import { attributesOf } from './event-attributes.ts';
import { FLAP_LIMIT } from './flapping.ts';
import { endedBy, mutedBy } from './mutes.ts';
import type { WatchedSymbols } from './past-event.ts';
import type { DispatchPolicy } from './policy.ts';
import type { RuleStore } from './rule-store.ts';
import { evaluateRules, type RuleContext } from './rules.ts';
import { notificationId } from './text.ts';

/** The ledger's data on the time before an event. */
export interface EventHistory {
  mutes(): readonly Mute[];
  /** World time, ms, of the baseline during the first reading of the log; null after its end. */
  baselineAt(): number | null;
  /** Number of changes of the symbol in the window before this event. */
  changesBefore(symbol: string, at: number): number;
}

export interface EvaluatorDeps {
  readonly environment: 'sandbox' | 'production';
  readonly ruleStore: Pick<RuleStore, 'rules' | 'quiet'>;
  readonly watch: WatchedSymbols;
  readonly history: EventHistory;
  /** Percent in the given state; null when unknown. */
  baseRate(symbol: string, state: number): number | null;
  /** World time now, ms, and its speed. */
  readonly world: { now(): number; view(): { readonly speed: number } };
  readonly policy: Pick<DispatchPolicy, 'pause'>;
  /** Takes a slot for a notification of its own at this time; false: none is free. */
  takeSlot(): boolean;
}

/**
 * An event older than this at arrival (world ms at speed 1) was missed: it is batched with other missed ones.
 */
const MISSED_AFTER = 60_000;
export const isLate = (age: number, world: { view(): { readonly speed: number } }): boolean =>
  age > MISSED_AFTER * Math.max(1, world.view().speed);

const LATE_WEBHOOK = 'came late, by webhook';

const NONE: readonly never[] = [];
/** Not notified. Most events end here, so it must be cheap. */
const noNotification = (reason: string | null, ends: Decision['ends']): Decision => ({
  reason,
  why: null,
  notification: null,
  channels: NONE,
  ends,
});

export function createEvaluator(deps: EvaluatorDeps): Evaluator {
  /** Stream events are never history: they were written after the connection began. */
  const isPast = (event: ReceivedEvent, source: ArrivalSource): boolean => {
    if (source === 'stream') return false;
    const before = deps.history.baselineAt();
    return before !== null && event.occurredAt < before;
  };

  /** The first outcome of a notification. A mute precedes all others; immediate dispatch is last. */
  const decideOutcome = (
    event: ReceivedEvent,
    source: ArrivalSource,
    context: RuleContext,
    hold: number,
    mutes: readonly Mute[],
  ): Pick<NewNotification, 'outcome' | 'reason' | 'batch'> => {
    const muted = mutedBy(mutes, deps.ruleStore.quiet(), context.symbol, context.calendar, context.now);
    if (muted !== null) return { outcome: 'muted', reason: muted.reason, batch: MUTE_BIN };
    const pause = deps.policy.pause();
    if (pause !== null) return { outcome: 'dropped', reason: pause, batch: null };
    if (hold > 0) return { outcome: 'pending', reason: `must hold ${hold} s`, batch: `hold:${hold}:${event.eventId}` };
    if (isLate(context.now - context.at, deps.world))
      return {
        outcome: 'batched',
        reason: source === 'relay' ? LATE_WEBHOOK : 'came while nothing was seen',
        batch: 'downtime',
      };
    if (context.symbol !== null && deps.history.changesBefore(context.symbol, context.at) + 1 >= FLAP_LIMIT)
      return { outcome: 'batched', reason: 'flapping', batch: `flap:${context.symbol}` };
    if (!deps.takeSlot()) return { outcome: 'batched', reason: 'one of many', batch: 'burst' };
    return { outcome: 'intent', reason: '', batch: null };
  };

  return (event, source) => {
    const { transition } = event;
    const name = transition === null ? event.event : signalEvent(transition.to_state);
    const rules = deps.ruleStore.rules();
    if (transition === null && !rules.some((rule) => rule.events.some((eventName) => eventName === name)))
      return noNotification(null, NONE);
    const active = deps.history.mutes();
    const ends =
      transition === null || active.length === 0
        ? NONE
        : endedBy(active, transition.symbol, transition.to_state, event.occurredAt);
    const { symbol } = event;
    const { confidence, regime } = attributesOf(event);
    const context: RuleContext = {
      event: name,
      symbol,
      toState: transition?.to_state ?? null,
      confidence,
      regime,
      at: event.occurredAt,
      now: deps.world.now(),
      calendar: sessionCalendarOf(transition?.asset_class ?? 'etf', deps.environment),
      watched: symbol !== null && deps.watch.isWatched(symbol),
      // Few rules need it, and it is expensive for long lists.
      lists: symbol !== null && rules.some(({ scope }) => scope.kind === 'lists') ? deps.watch.listsOf(symbol) : NONE,
    };
    const { matched, nearest } = evaluateRules(rules, context);
    const [first] = matched;
    if (first === undefined)
      return noNotification(nearest === null ? 'no_rule' : `${nearest.miss}:${nearest.rule}`, ends);
    if (isPast(event, source)) return noNotification(`before_baseline:${first.id}`, ends);

    const isFall = transition !== null && transition.to_state < transition.from_state;
    const hold = isFall ? first.hold_down_seconds : first.hold_up_seconds;
    const left = ends.length === 0 ? active : active.filter(({ id }) => !ends.some((end) => end.id === id));
    const decided = decideOutcome(event, source, context, hold, left);
    const names = matched.map((rule) => `"${rule.name}"`).join(', ');
    return {
      reason: `matched:${first.id}`,
      why: `Matches ${names}.${decided.reason === '' ? ' Notified at once.' : ` ${OUTCOME_LABELS[decided.outcome]}: ${decided.reason}.`}`,
      notification: {
        id: notificationId(event.eventId),
        kind: 'alert',
        rules: matched.map(({ id }) => id),
        baseRate: transition === null ? null : deps.baseRate(transition.symbol, transition.to_state),
        ...decided,
      },
      channels: matched.filter(({ channel }) => channel !== null).map(({ id }) => id),
      ends,
    };
  };
}

const OUTCOME_LABELS: Readonly<Record<NewNotification['outcome'], string>> = {
  intent: 'Notified',
  pending: 'Waiting',
  batched: 'Waiting for others',
  muted: 'Suppressed',
  dropped: 'Not notified',
};
