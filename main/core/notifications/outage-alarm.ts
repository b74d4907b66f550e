// Main, core: notifies the desktop of an outage and its end, for all data or for one market.
// A refusal is notified after twenty seconds. Later notifications of an outage replace the first, also after a restart.

import { isOpen, openTime, type SessionCalendar } from '../../../shared/domain/sessions.ts';
import { type Cancel, type Clock, every } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { DEFAULT_ZONE, type Zone } from '../../../shared/text/format.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Logger } from '../ports.ts';
import type { Dispatcher } from './dispatcher.ts';
import {
  isDue,
  notified,
  type Outage,
  type OutageRecord,
  type OutageTime,
  prolong,
  readOutageRecord,
} from './outage-record.ts';
import type { DispatchPolicy } from './policy.ts';
import type { RuleStore } from './rule-store.ts';

/** Times of an outage in world time; `length` is in local time. */
interface OutageTimes {
  readonly since: number;
  readonly now: number;
  readonly length: number;
  readonly market: number;
  readonly zone: Zone;
}

/** The subject of an alarm: all data, or one market. */
export interface OutageSubject {
  /** Metadata key of its record in the ledger. */
  readonly key: 'outage' | `outage_${SessionCalendar}`;
  /** Prefix of the ids of its notifications. */
  readonly prefix: string;
  began(times: OutageTimes, cause: Message): Message;
  ended(times: OutageTimes, cause: Message): Message;
}

export const OF_EVERYTHING: OutageSubject = {
  key: 'outage',
  prefix: 'barograph:outage:',
  began: (times, cause) => message('outage.began', { ...times, cause }),
  ended: (times) => message('outage.ended', { ...times }),
};

/** A market whose signals are all stale, while signals of another market are current. */
export const ofMarket = (market: SessionCalendar): OutageSubject => ({
  key: `outage_${market}`,
  prefix: `barograph:outage:${market}:`,
  began: (times, cause) => message('outage.market_began', { ...times, cause }),
  ended: (times, cause) => message('outage.market_ended', { ...times, cause }),
});

/** Reports whether data arrives. */
export interface ConnectionReport {
  /** The current outage; null: none, or not known yet. `since` null: it began after the last check. */
  outage(): (Omit<Outage, 'since'> & { readonly since: string | null }) | null;
  /** True when the log was read and the displayed data is current. */
  isConnected(): boolean;
  /** Calendars of the watched symbols. */
  calendars(): readonly SessionCalendar[];
}

export interface OutageAlarmOptions {
  readonly subject: OutageSubject;
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'metadata' | 'notifications' | 'transaction'>;
  readonly logger: Logger;
  readonly world: { at(local: number): number };
  readonly connection: ConnectionReport;
  readonly ruleStore: Pick<RuleStore, 'outageAlarm' | 'zone'>;
  readonly policy: Pick<DispatchPolicy, 'pause'>;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
}

export interface OutageAlarm {
  start(): void;
  stop(): void;
}

/** Interval of the checks of the connection, ms. */
const CHECK_INTERVAL = 5_000;
/** Longest time between two checks that counts, ms: a longer one was sleep, or a change of the clock. */
const MAX_CHECK_INTERVAL = 2 * CHECK_INTERVAL;

export function createOutageAlarm(options: OutageAlarmOptions): OutageAlarm {
  const { subject, clock, ledger, logger, world, connection, policy, dispatcher } = options;
  const notifications = createOutageNotifications(options);
  let record: OutageRecord | null = null;
  let earlier: OutageTime | null = null;
  let checkedAt: number | null = null;
  let cancel: Cancel = () => undefined;

  const keep = (next: OutageRecord | null): void =>
    ledger.metadata.set(subject.key, next === null ? '' : JSON.stringify(next));
  const accumulate = (outage: Outage, passed: number, now: number): void => {
    const isMarketOpen = connection.calendars().some((calendar) => isOpen(calendar, world.at(now)));
    const grown = prolong(record, outage, passed, isMarketOpen);
    const isNotified = isDue(grown, outage, options.ruleStore.outageAlarm(), earlier) && policy.pause() === null;
    const next = isNotified ? notified(grown, outage) : grown;
    ledger.transaction(() => {
      if (isNotified) notifications.write(next, now);
      keep(next);
    });
    record = next;
    if (!isNotified) return;
    earlier = null;
    dispatcher.wake();
  };
  const end = (past: OutageRecord, now: number): void => {
    const wasNotified = past.notifiedCount > 0;
    ledger.transaction(() => {
      if (wasNotified) notifications.writeRecovery(past, now);
      keep(null);
    });
    [record, earlier] = [null, null];
    if (wasNotified) dispatcher.wake();
  };
  const check = (): void => {
    const now = clock.now();
    const passed = checkedAt === null ? 0 : Math.min(MAX_CHECK_INTERVAL, Math.max(0, now - checkedAt));
    checkedAt = now;
    const outage = connection.outage();
    try {
      if (outage !== null) accumulate({ ...outage, since: outage.since ?? timestamp(now - passed) }, passed, now);
      else if (record !== null && connection.isConnected()) end(record, now);
    } catch (error) {
      logger.warn({ problem: messageOf(error) }, 'the outage could not be written; retrying');
    }
  };

  return {
    start() {
      record = readOutageRecord(ledger.metadata.get(subject.key));
      earlier = record;
      checkedAt = clock.now();
      cancel = every(clock, CHECK_INTERVAL, check);
    },
    stop: () => cancel(),
  };
}

/** Writes the notifications of an outage; each replaces the previous one. */
function createOutageNotifications({ subject, clock, ledger, world, connection, ruleStore }: OutageAlarmOptions) {
  const idOf = (since: string): string => `${subject.prefix}${since}`;
  /** Rows replace one another on the desktop, whose id is the part before the @. */
  const rowId = (since: string, turn: number): string => (turn === 1 ? idOf(since) : `${idOf(since)}@${turn}`);
  const timesOf = ({ since }: OutageRecord, now: number): OutageTimes => {
    const began = Date.parse(since);
    const [from, to] = [world.at(began), world.at(now)];
    const market = connection.calendars().map((calendar) => openTime(calendar, from, to));
    return {
      since: from,
      now: to,
      length: now - began,
      market: Math.max(0, ...market),
      zone: ruleStore.zone() ?? DEFAULT_ZONE,
    };
  };
  const put = (id: string, reason: Message): void => {
    ledger.notifications.writeNotice({ id, kind: 'outage', reason }, clock.now());
  };
  /** Earlier notifications that no channel accepted are out of date. */
  const withdraw = (since: string, count: number): void => {
    for (let turn = 1; turn <= count; turn += 1) ledger.notifications.replaceNotice(rowId(since, turn), clock.now());
  };
  return {
    write(current: OutageRecord, now: number): void {
      const { since, cause, notifiedCount } = current;
      withdraw(since, notifiedCount - 1);
      put(rowId(since, notifiedCount), subject.began(timesOf(current, now), cause));
    },
    writeRecovery(past: OutageRecord, now: number): void {
      const { since, cause, notifiedCount } = past;
      withdraw(since, notifiedCount);
      put(`${idOf(since)}@back`, subject.ended(timesOf(past, now), cause));
    },
  };
}
