// Main, core: sends a notification to further channels, step by step, while nobody has dealt with it.
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { ESCALATION_MINUTES, isWithin, type Rule } from '../../../shared/settings/alert-rules.ts';
import { message } from '../../../shared/text/message.ts';
import type { Followers } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { EscalatingNotification } from '../ledger/notification-escalation.ts';
import type { Logger } from '../ports.ts';
import type { Dispatcher } from './dispatcher.ts';
import { hasOpenEvent } from './open-events.ts';
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
  readonly ruleStore: Pick<RuleStore, 'rules' | 'get'>;
  readonly policy: Pick<DispatchPolicy, 'snoozedBy' | 'calendarOf'>;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  readonly clock: Clock;
  readonly world: { now(): number };
  readonly logger: Logger;
}

/** A notification of an earlier day was seen, or missed by everyone: the list of alerts has it. */
const LONGEST = DAY_MS + ESCALATION_MINUTES.most * MINUTE_MS;
/** Pause before a check, ms: a burst of alerts is one check. */
const PAUSE = 500;
/** Delay before hours that a step waits for are looked at again, and after a failed write, ms. */
const LOOK_AGAIN = MINUTE_MS;

export function createEscalation(deps: EscalationDeps): Escalation {
  const { ledger, ruleStore, dispatcher, clock, logger } = deps;
  let pending: { readonly at: number; readonly cancel: Cancel } | null = null;
  let isStopped = false;

  const hasSteps = (rule: Rule | null): rule is Rule => (rule?.escalation.steps.length ?? 0) > 0;
  /** Writes the due steps. @returns the time of its next one, this computer's clock, ms */
  const escalate = (one: EscalatingNotification, now: number): number => {
    let next = Number.POSITIVE_INFINITY;
    const rules = one.rules.map(ruleStore.get).filter(hasSteps);
    if (rules.length === 0 || !hasOpenEvent(deps, one.id)) return next;
    for (const { escalation } of rules)
      for (const step of escalation.steps) {
        const due = one.at + step.after_minutes * MINUTE_MS;
        if (due > now) next = Math.min(next, due);
        else if (isWithinHours(escalation.hours, one.id)) add(one.id, step, now);
        else next = Math.min(next, now + LOOK_AGAIN);
      }
    return next;
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
    pending = null;
    if (isStopped || !ruleStore.rules().some(hasSteps)) return;
    const now = clock.now();
    let next = Number.POSITIVE_INFINITY;
    try {
      ledger.transaction(() => {
        for (const one of ledger.notifications.escalating(now - LONGEST, now))
          next = Math.min(next, escalate(one, now));
      });
      dispatcher.wake();
    } catch (error) {
      next = now + LOOK_AGAIN;
      logger.warn({ problem: messageOf(error) }, 'the steps of an escalation could not be written; retrying');
    }
    if (next < Number.POSITIVE_INFINITY) checkAfter(next - now);
  };
  /** An earlier check stays: events without end must not put it off. */
  const checkAfter = (ms: number): void => {
    const at = clock.now() + ms;
    if (isStopped || (pending !== null && pending.at <= at)) return;
    pending?.cancel();
    pending = { at, cancel: clock.after(ms, check) };
  };
  const checkSoon = (): void => checkAfter(PAUSE);
  return {
    on: { alertsChanged: checkSoon, mutesChanged: checkSoon, rulesChanged: checkSoon },
    start: check,
    stop() {
      isStopped = true;
      pending?.cancel();
    },
  };
}
