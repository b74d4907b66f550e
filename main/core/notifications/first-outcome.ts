// Main, core: decides what a matched event waits for, if it is notified at all. Pure.
import { message } from '../../../shared/text/message.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import type { Mute } from '../ledger/mutes.ts';
import { notificationId } from '../ledger/notification-ids.ts';
import { MUTE_BATCH } from '../ledger/notification-queue.ts';
import type { NewNotification } from '../ledger/notifications.ts';
import { FLAP_LIMIT } from './flapping.ts';
import { DOWNTIME_BATCH, flapBatch, groupBatch, groupOf } from './groups.ts';
import { holdBatch } from './hold-time.ts';
import { heldBackBy } from './inhibition.ts';
import { mutedBy } from './mutes.ts';
import type { DispatchPolicy } from './policy.ts';
import { labelsOf, type PlacedSymbols, type RuleContext } from './rule-context.ts';
import type { RuleStore } from './rule-store.ts';

export interface FirstOutcome extends Pick<NewNotification, 'reason' | 'batch'> {
  readonly outcome: Exclude<NewNotification['outcome'], 'intent'>;
}

/** An event that a rule selects. */
export interface MatchedEvent {
  readonly event: ReceivedEvent;
  readonly source: ArrivalSource;
  readonly context: RuleContext;
  /** Seconds that its state must hold. */
  readonly hold: number;
  /** The mutes that the event does not end. */
  readonly mutes: readonly Mute[];
}

/** What was notified before an event. */
export interface RecentHistory {
  /** Number of changes of the symbol in the window before this event. */
  changesBefore(symbol: string, at: number): number;
}

export interface FirstOutcomeDeps {
  readonly ruleStore: Pick<RuleStore, 'quiet' | 'grouping'>;
  readonly policy: Pick<DispatchPolicy, 'pause' | 'inhibitor'>;
  readonly history: RecentHistory;
  readonly watch: Pick<PlacedSymbols, 'listsOf'>;
  /** World time now, ms, and its speed. */
  readonly world: { now(): number; view(): { readonly speed: number } };
}

/**
 * An event older than this at arrival (world ms at speed 1) was missed: it joins the batch of missed events.
 */
const MISSED_AFTER = 60_000;
export const isLate = (age: number, world: { view(): { readonly speed: number } }): boolean =>
  age > MISSED_AFTER * Math.max(1, world.view().speed);

/** The first outcome of a notification. A mute has precedence; its group comes last, whose wait may be none. */
export function firstOutcome(matched: MatchedEvent, deps: FirstOutcomeDeps): FirstOutcome {
  const { event, source, context, hold, mutes } = matched;
  const inhibitor = deps.policy.inhibitor(context.symbol, event.transition?.to_state ?? null);
  const muted =
    mutedBy(mutes, deps.ruleStore.quiet(), labelsOf(context), context.calendar, context.now) ?? heldBackBy(inhibitor);
  if (muted !== null) return { outcome: 'muted', reason: muted, batch: MUTE_BATCH };
  const pause = deps.policy.pause();
  if (pause !== null) return { outcome: 'dropped', reason: pause, batch: null };
  if (hold > 0)
    return {
      outcome: 'pending',
      reason: message('queued.hold', { seconds: hold }),
      batch: holdBatch(hold, event.eventId),
    };
  if (isLate(context.now - context.at, deps.world))
    return {
      outcome: 'batched',
      reason: message(source === 'relay' ? 'queued.late_webhook' : 'queued.missed'),
      batch: DOWNTIME_BATCH,
    };
  if (context.symbol !== null && deps.history.changesBefore(context.symbol, context.at) + 1 >= FLAP_LIMIT)
    return { outcome: 'batched', reason: message('queued.flapping'), batch: flapBatch(context.symbol) };
  const grouping = deps.ruleStore.grouping();
  const group = groupOf(labelsOf(context), { grouping, listsOf: deps.watch.listsOf });
  const seconds = group === null ? 0 : grouping.wait_seconds;
  return {
    outcome: 'batched',
    reason: seconds === 0 ? null : message('queued.group', { seconds }),
    batch: groupBatch(seconds, group ?? notificationId(event.eventId)),
  };
}
