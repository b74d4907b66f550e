// Main, core: reads and updates the record of an outage, which survives restarts. Pure.
import { z } from 'zod';
import type { OutageAlarm } from '../../../shared/settings/alert-rules.ts';
import { type Message, MessageSchema, plainMessage } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';

/** A period without data: its start, by this computer's clock, and its cause. */
export interface Outage {
  readonly since: string;
  readonly cause: Message;
  /** True when the service answers and refuses the key, the address or the profile. */
  readonly isRefusal: boolean;
}

const OutageRecordSchema = z.strictObject({
  /** This computer's clock, ISO. */
  since: z.string(),
  /** A string: an earlier version wrote a sentence. */
  cause: z.union([MessageSchema, z.string().transform(plainMessage)]),
  /**
   * Running time of the program without data, ms; `inMarket`: the part of it while a market of a watched
   * symbol was open.
   */
  awake: z.number(),
  inMarket: z.number(),
  /** Number of its notifications. */
  notifiedCount: z.number().int(),
  /** True when a refusal was notified in this outage; absent in records of an earlier version. */
  isRefusalNotified: z.boolean().default(false),
  /** Value of `awake` when the service began to refuse, ms; null: it does not. */
  refusedAt: z.number().nullable().default(null),
  /** Value of `awake` at the next notification, ms. */
  next: z.number(),
});
export type OutageRecord = z.infer<typeof OutageRecordSchema>;

/** Delay of the second notification, doubled for each further one, ms. */
const AGAIN = 30 * 60_000;
/** Shortest refusal that is notified, ms: a key may come within it. */
const REFUSAL_WAIT = 20_000;
const MINUTE = 60_000;

const NEW = { awake: 0, inMarket: 0, notifiedCount: 0, isRefusalNotified: false, refusedAt: null, next: 0 };

/** @param passed time since the last check, ms */
export function prolong(
  record: OutageRecord | null,
  { since, cause, isRefusal }: Outage,
  passed: number,
  isMarketOpen: boolean,
): OutageRecord {
  const before = record ?? { ...NEW, since, cause };
  const awake = before.awake + passed;
  return {
    ...before,
    cause,
    awake,
    refusedAt: isRefusal ? (before.refusedAt ?? awake) : null,
    inMarket: before.inMarket + (isMarketOpen ? passed : 0),
  };
}

/** Duration of an outage, in the parts that count. */
export type OutageTime = Pick<OutageRecord, 'awake' | 'inMarket'>;
const START: OutageTime = { awake: 0, inMarket: 0 };

/**
 * True when a notification is due.
 * @param earlier duration in earlier runs; null once this run has notified it
 */
export function isDue(
  record: OutageRecord,
  { isRefusal }: Outage,
  limits: OutageAlarm,
  earlier: OutageTime | null,
): boolean {
  const { notifiedCount, awake, inMarket, next } = record;
  const refused = isRefusal && !record.isRefusalNotified ? awake - (record.refusedAt ?? awake) : 0;
  if (refused >= REFUSAL_WAIT) return true;
  if (notifiedCount > 0 && awake >= next) return true;
  // A reboot may have removed the notification from the screen: each run notifies once, as for a new outage.
  const from = notifiedCount > 0 ? earlier : START;
  if (from === null) return false;
  return (
    inMarket - from.inMarket >= limits.market_minutes * MINUTE || awake - from.awake >= limits.other_minutes * MINUTE
  );
}

export const notified = (record: OutageRecord, { isRefusal }: Outage): OutageRecord => ({
  ...record,
  isRefusalNotified: record.isRefusalNotified || isRefusal,
  notifiedCount: record.notifiedCount + 1,
  next: record.awake + AGAIN * 2 ** record.notifiedCount,
});

/** @returns null when there is no record, or an unreadable one */
export function readOutageRecord(text: string | null): OutageRecord | null {
  if (text === null || text === '') return null;
  try {
    const record = OutageRecordSchema.parse(JSON.parse(text));
    return Number.isNaN(Date.parse(record.since)) ? null : { ...record, since: timestamp(Date.parse(record.since)) };
  } catch {
    return null;
  }
}
