// Main, core: replaces an impossible date of an event by its time of arrival (docs/contract.md 28).
// A date in the future would hide every later event, and a date long ago the event itself.
import { DAY_MS, HOUR_MS } from '../../../shared/lib/time.ts';
import { message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import { baselineAt } from '../ledger/baseline.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { classifyAge } from '../relay/delivery.ts';
import type { WorldClock } from '../time/world-clock.ts';

export type DateCheck = (event: ReceivedEvent) => ReceivedEvent;

export interface DateCheckDeps {
  readonly world: WorldClock;
  readonly ledger: Pick<Ledger, 'metadata' | 'newestTransition'>;
}

/** Largest lag of this computer's clock that is corrected, world ms at speed 1. */
const SLOW_CLOCK = 2 * HOUR_MS;
/** Largest move of a stopped clock during an outage, world ms. */
const LARGEST_MOVE = 366 * DAY_MS;

/**
 * @returns the check of one batch. It returns the same event for a possible date: at most five minutes ahead,
 * unless a later transition is known or a stopped clock may have been moved, and at most thirty days before the log was last followed; during the
 * first reading of a log, any past date is possible.
 */
export function createDateCheck({ world, ledger }: DateCheckDeps, source: ArrivalSource): DateCheck {
  if (!world.isKnown()) return (event) => event;
  const { speed } = world.view();
  const { metadata } = ledger;
  /** Corrects for a local clock that was set back; ignores implausible differences. */
  const notBefore = (known: number | null, present: number): number =>
    known !== null && known > present && known - present <= SLOW_CLOCK * Math.max(1, speed) ? known : present;
  const baseline = metadata.get('baseline');
  // A date before the baseline would turn a new event into history.
  const now = notBefore(baseline === null ? null : Date.parse(baseline), world.now());
  const arrival = (): number => notBefore(ledger.newestTransition(), now);
  let followed: number | null | undefined;
  /** World time until which the log was followed; null: it is read for the first time. */
  const followedUntil = (): number | null => {
    if (followed !== undefined) return followed;
    const until = baselineAt(metadata) === null ? metadata.get('connected_until') : null;
    followed = until === null ? null : Math.min(now, Date.parse(until));
    return followed;
  };
  const isPossible = ({ occurredAt }: ReceivedEvent): boolean => {
    const age = classifyAge(occurredAt, { now, speed });
    // A known transition at that time or later shows that the local clock is behind.
    if (age === 'ahead') return occurredAt <= (world.mayHaveMoved() ? now + LARGEST_MOVE : arrival());
    // The relay has asked the service about an old event.
    if (age !== 'too_old' || source === 'relay') return true;
    const until = followedUntil();
    return until === null || classifyAge(occurredAt, { now: until, speed }) !== 'too_old';
  };
  return (event) => {
    if (event.assumptions.includes('time') || isPossible(event)) return event;
    const at = timestamp(arrival());
    return {
      ...event,
      occurredAt: Date.parse(at),
      transition: event.transition === null ? null : { ...event.transition, occurred_at: at },
      assumptions: [...event.assumptions, 'date'],
      problem: event.problem ?? message('event.dated', { id: event.eventId, stated: timestamp(event.occurredAt), at }),
    };
  };
}
