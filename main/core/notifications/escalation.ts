// Main, core: while nobody has dealt with a notification, sends it to further channels, step by step, and again.
import type { Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { ESCALATION_MINUTES, isWithin, type Rule } from '../../../shared/settings/alert-rules.ts';
import { message } from '../../../shared/text/message.ts';
import type { Followers } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { EscalatingNotification } from '../ledger/notification-escalation.ts';
import type { Logger } from '../ports.ts';
import type { Dispatcher } from './dispatcher.ts';
import { createNextCheck } from './next-check.ts';
import { hasOpenEvent, openSince } from './open-events.ts';
import type { DispatchPolicy } from './policy.ts';
import type { RuleStore } from './rule-store.ts';

export interface Escalation {
  readonly on: Required<Pick<Followers, 'alertsChanged' | 'mutesChanged' | 'rulesChanged'>>;
  /** Continues the escalations of an earlier run. */
  start(): void;
  stop(): void;
}

export interface EscalationDeps {
  readonly ledger: Ledger;
  readonly ruleStore: Pick<RuleStore, 'rules' | 'get' | 'grouping'>;
  readonly policy: Pick<
    DispatchPolicy,
    'snoozedBy' | 'calendarOf' | 'mutedBy' | 'pause' | 'pauseLength' | 'channelsOf'
  >;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  readonly clock: Clock;
  readonly world: { now(): number };
  readonly logger: Logger;
}

/** Age up to which a notification is escalated, ms. An older one is in the list of alerts. */
const LONGEST = DAY_MS + ESCALATION_MINUTES.most * MINUTE_MS;
/** Pause before a check, ms: a burst of alerts is one check. */
const PAUSE = 500;
/** Delay of the next check where a step waits for its hours, and after a failed write, ms. */
const RECHECK_DELAY = MINUTE_MS;

export function createEscalation(deps: EscalationDeps): Escalation {
  const { ledger, ruleStore, dispatcher, clock, logger } = deps;

  const next = createNextCheck(clock);
  /** This computer's clock, ms; it may be set back. */
  let lastReminder = Number.NEGATIVE_INFINITY;

  const hasSteps = (rule: Rule | null): rule is Rule => (rule?.escalation.steps.length ?? 0) > 0;
  /** Writes the due steps. @returns the time of its next one, this computer's clock, ms */
  const escalate = (one: EscalatingNotification, now: number): number => {
    let at = Number.POSITIVE_INFINITY;
    const rules = one.rules.map(ruleStore.get).filter(hasSteps);
    const since = rules.length === 0 ? null : openSince(deps, one.id);
    if (since === null) return at;
    for (const { escalation } of rules)
      for (const step of escalation.steps) {
        // Where an alert joined after the others were dealt with, the time counts from then on.
        const due = Math.max(one.at, since) + step.after_minutes * MINUTE_MS;
        if (due > now) at = Math.min(at, due);
        else if (isWithinHours(escalation.hours, one.id)) add(one.id, step, now);
        else at = Math.min(at, now + RECHECK_DELAY);
      }
    return at;
  };
  /**
   * Sends it again where that is due.
   * @param named events of newer notifications, as after a snooze: those are sent again
   * @returns the time of the next reminder, this computer's clock, ms
   */
  const remind = (
    { id, at, newestAt, rules }: EscalatingNotification,
    now: number,
    named: ReadonlySet<number>,
  ): number => {
    const { repeat_minutes: minutes } = ruleStore.grouping();
    const isOpen = (heldBackBy: DispatchPolicy['mutedBy']): boolean =>
      hasOpenEvent(deps, id, (row) => (named.has(row.ledger_id) ? message('delivery.replaced') : heldBackBy(row)));
    if (minutes === null || !isOpen(deps.policy.snoozedBy)) return Number.POSITIVE_INFINITY;
    const due = newestAt + minutes * MINUTE_MS;
    if (due > now) return due;
    const sinceLast = Math.abs(now - lastReminder);
    if (sinceLast < (deps.policy.pauseLength() ?? 0)) return now + RECHECK_DELAY;
    // Quiet hours and pauses end without an event.
    if (!isOpen(deps.policy.mutedBy) || deps.policy.pause() !== null) return now + RECHECK_DELAY;
    lastReminder = now;
    ledger.notifications.grow(id, [], now);
    for (const channel of deps.policy.channelsOf(rules)) ledger.notifications.copyTo(channel, id, now);
    const why = message('trace.reminded', { minutes: Math.round((now - at) / MINUTE_MS) });
    ledger.trace.appendToAll(ledger.notifications.eventsOf(id), 'escalated', why, now);
    return now + minutes * MINUTE_MS;
  };
  const isWithinHours = (hours: Rule['escalation']['hours'], id: string): boolean => {
    const [entry] = ledger.entries.byLedgerIds(ledger.notifications.eventsOf(id).slice(0, 1));
    return entry === undefined || isWithin(hours, deps.world.now(), deps.policy.calendarOf(entry));
  };
  const add = (id: string, step: Rule['escalation']['steps'][number], now: number): void => {
    for (const channel of step.channels) {
      if (!ledger.notifications.escalate(id, channel, step.after_minutes, now)) continue;
      const why = message('trace.escalated', { channel, minutes: step.after_minutes });
      ledger.trace.appendToAll(ledger.notifications.eventsOf(id), 'escalated', why, now);
    }
  };
  const check = (): void => {
    if (ruleStore.grouping().repeat_minutes === null && !ruleStore.rules().some(hasSteps)) return;
    const now = clock.now();
    let at = Number.POSITIVE_INFINITY;
    try {
      ledger.transaction(() => {
        const named = new Set<number>();
        for (const one of ledger.notifications.escalating(now - LONGEST, now).toReversed()) {
          at = Math.min(at, escalate(one, now), remind(one, now, named));
          for (const id of ledger.notifications.eventsOf(one.id)) named.add(id);
        }
      });
      dispatcher.wake();
    } catch (error) {
      at = now + RECHECK_DELAY;
      logger.warn({ problem: messageOf(error) }, 'the steps of an escalation could not be written; retrying');
    }
    if (at < Number.POSITIVE_INFINITY) next.within(at - now, check);
  };
  const checkSoon = (): void => next.within(PAUSE, check);
  return {
    on: { alertsChanged: checkSoon, mutesChanged: checkSoon, rulesChanged: checkSoon },
    start: check,
    stop: next.stop,
  };
}
