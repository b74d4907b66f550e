// Main, core: notifies the desktop of an outage, sooner while markets are open, and of its end.
// An outage has one notification, which later ones replace, across crashes and restarts.
import { z } from 'zod';
import { isOpen, openTime, type SessionCalendar } from '../../../shared/domain/sessions.ts';
import { type Cancel, type Clock, every } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Logger } from '../ports.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { DispatchPolicy } from './policy.ts';
import type { RuleStore } from './rule-store.ts';
import { durationText, newYorkTime } from './time-text.ts';

/** A period without data: its start, by this computer's clock, and its cause. */
export interface Outage {
  readonly since: string;
  readonly cause: string;
}

/** Whether data arrives, as the outage alarm sees it. */
export interface ConnectionReport {
  /** Null while data arrives, or before that is known. */
  outage(): Outage | null;
  /** The log was read, and the displayed data is current. */
  isConnected(): boolean;
  /** Calendars of the watched symbols. */
  calendars(): readonly SessionCalendar[];
}

export interface OutageAlarmOptions {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'metadata' | 'notifications' | 'transaction'>;
  readonly logger: Logger;
  readonly world: { at(local: number): number };
  readonly connection: ConnectionReport;
  readonly ruleStore: Pick<RuleStore, 'outageAlarm'>;
  readonly policy: Pick<DispatchPolicy, 'pause'>;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
}

export interface OutageAlarm {
  start(): void;
  stop(): void;
}

/** Stored in the ledger, so that an outage continues across a restart. */
const OutageRecordSchema = z.strictObject({
  /** This computer's clock. */
  since: z.string(),
  cause: z.string(),
  /**
   * How long this program ran without data, ms; and how much of it while a market of a watched symbol was
   * open.
   */
  awake: z.number(),
  inMarket: z.number(),
  /** Number of its notifications. */
  notifiedCount: z.number().int(),
  /** Value of `awake` at the next notification, ms. */
  next: z.number(),
});
type OutageRecord = z.infer<typeof OutageRecordSchema>;

/** Interval of the checks of the connection, ms. */
const CHECK_INTERVAL = 5_000;
/** Longest time between two checks that counts, ms: a longer one was sleep, or a clock that was set. */
const MAX_CHECK_INTERVAL = 2 * CHECK_INTERVAL;
/** Delay until the next notification replaces the first, doubled each time, ms. */
const AGAIN = 30 * 60_000;
const MINUTE = 60_000;

export const outageNotificationId = (since: string): string => `barograph:outage:${since}`;

export function createOutageAlarm(options: OutageAlarmOptions): OutageAlarm {
  const { clock, ledger, logger, world, connection } = options;
  let record: OutageRecord | null = null;
  let checkedAt: number | null = null;
  let cancel: Cancel = () => undefined;

  const keep = (next: OutageRecord | null): void =>
    ledger.metadata.set('outage', next === null ? '' : JSON.stringify(next));
  const marketTime = (from: number, to: number): number =>
    Math.max(0, ...connection.calendars().map((calendar) => openTime(calendar, world.at(from), world.at(to))));
  const isMarketOpen = (now: number): boolean =>
    connection.calendars().some((calendar) => isOpen(calendar, world.at(now)));
  /** "since 14:02 New York, for 35 minutes of market time." */
  const howLong = ({ since }: OutageRecord, now: number): string => {
    const from = Date.parse(since);
    const market = marketTime(from, now);
    const length = market >= MINUTE ? `${durationText(market)} of market time` : durationText(now - from);
    return `for ${length}`;
  };
  const write = (id: string, reason: string): void => {
    ledger.notifications.write(
      0,
      { id, kind: 'outage', rules: [], baseRate: null, outcome: 'intent', reason, batch: null },
      clock.now(),
    );
  };
  /** Earlier notifications that no channel accepted are out of date. */
  const withdraw = ({ since, notifiedCount }: OutageRecord): void => {
    for (let turn = 1; turn <= notifiedCount; turn += 1) {
      const { outcome } = ledger.notifications.find(rowId(since, turn)) ?? {};
      if (outcome === 'intent' || outcome === 'failed')
        ledger.notifications.record(rowId(since, turn), 'dropped', clock.now(), 'A newer notification replaces it.');
    }
  };

  const notify = (current: OutageRecord, now: number): OutageRecord => {
    const notifiedCount = current.notifiedCount + 1;
    const at = newYorkTime(world.at(Date.parse(current.since)), world.at(now));
    withdraw(current);
    write(
      rowId(current.since, notifiedCount),
      `Not receiving data since ${at}\n${upper(howLong(current, now))}. ${current.cause} You get no alerts until data returns.`,
    );
    return { ...current, notifiedCount, next: current.awake + AGAIN * 2 ** current.notifiedCount };
  };
  const notifyRecovery = (past: OutageRecord, now: number): void => {
    withdraw(past);
    const from = newYorkTime(world.at(Date.parse(past.since)), world.at(now));
    write(
      `${outageNotificationId(past.since)}@back`,
      `Receiving data again\nNo data from ${from}, ${howLong(past, now)}. Missed events have been fetched.`,
    );
  };

  const isDue = ({ notifiedCount, awake, inMarket, next }: OutageRecord): boolean => {
    if (notifiedCount > 0) return awake >= next;
    const { market_minutes, other_minutes } = options.ruleStore.outageAlarm();
    return inMarket >= market_minutes * MINUTE || awake >= other_minutes * MINUTE;
  };
  const accumulate = ({ since, cause }: Outage, passed: number, now: number): void => {
    const before = record ?? { since, cause, awake: 0, inMarket: 0, notifiedCount: 0, next: 0 };
    let next: OutageRecord = {
      ...before,
      cause,
      awake: before.awake + passed,
      inMarket: before.inMarket + (isMarketOpen(now) ? passed : 0),
    };
    const isNotified = isDue(next) && options.policy.pause() === null;
    ledger.transaction(() => {
      if (isNotified) next = notify(next, now);
      keep(next);
    });
    record = next;
    if (isNotified) options.dispatcher.wake();
  };
  const check = (): void => {
    const now = clock.now();
    const passed = checkedAt === null ? 0 : Math.min(MAX_CHECK_INTERVAL, Math.max(0, now - checkedAt));
    checkedAt = now;
    const outage = connection.outage();
    try {
      if (outage !== null) accumulate(outage, passed, now);
      else if (record !== null && connection.isConnected()) {
        const past = record;
        ledger.transaction(() => {
          if (past.notifiedCount > 0) notifyRecovery(past, now);
          keep(null);
        });
        record = null;
        if (past.notifiedCount > 0) options.dispatcher.wake();
      }
    } catch (error) {
      logger.warn({ problem: messageOf(error) }, 'the outage could not be written; it is tried again');
    }
  };

  return {
    start() {
      record = readOutageRecord(ledger.metadata.get('outage'));
      checkedAt = clock.now();
      cancel = every(clock, CHECK_INTERVAL, check);
    },
    stop: () => cancel(),
  };
}

/** Every row is dispatched once. On the desktop they replace one another: its id is the part before the @. */
const rowId = (since: string, turn: number): string =>
  turn === 1 ? outageNotificationId(since) : `${outageNotificationId(since)}@${turn}`;
const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function readOutageRecord(text: string | null): OutageRecord | null {
  if (text === null || text === '') return null;
  try {
    const record = OutageRecordSchema.parse(JSON.parse(text));
    return Number.isNaN(Date.parse(record.since)) ? null : { ...record, since: timestamp(Date.parse(record.since)) };
  } catch {
    return null;
  }
}
