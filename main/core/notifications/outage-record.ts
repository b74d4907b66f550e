// Main, core: reads and updates the ledger's record of an outage, which outlasts restarts. Pure.
import { z } from 'zod';
import type { OutageAlarm } from '../../../shared/settings/alert-rules.ts';
import { type Message, MessageSchema, plainMessage } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';

/** A period without data: its start, by this computer's clock, and its cause. */
export interface Outage {
  readonly since: string;
  readonly cause: Message;
  /** The service answers, and refuses the key, the address or the profile. */
  readonly isRefusal: boolean;
}

const OutageRecordSchema = z.strictObject({
  /** This computer's clock. */
  since: z.string(),
  /** A sentence, as an earlier version wrote it. */
  cause: z.union([MessageSchema, z.string().transform(plainMessage)]),
  /**
   * How long this program ran without data, ms; and how much of it while a market of a watched symbol was
   * open.
   */
  awake: z.number(),
  inMarket: z.number(),
  /** Number of its notifications. */
  notifiedCount: z.number().int(),
  /** A refusal was notified in this outage; an earlier version did not record it. */
  isRefusalNotified: z.boolean().default(false),
  /** Value of `awake` at the next notification, ms. */
  next: z.number(),
});
export type OutageRecord = z.infer<typeof OutageRecordSchema>;

/** Delay until the next notification replaces the first, doubled each time, ms. */
const AGAIN = 30 * 60_000;
const MINUTE = 60_000;

/** @param passed time since the last check, ms */
export function prolong(
  record: OutageRecord | null,
  { since, cause }: Outage,
  passed: number,
  isMarketOpen: boolean,
): OutageRecord {
  const before = record ?? { since, cause, awake: 0, inMarket: 0, notifiedCount: 0, isRefusalNotified: false, next: 0 };
  return {
    ...before,
    cause,
    awake: before.awake + passed,
    inMarket: before.inMarket + (isMarketOpen ? passed : 0),
  };
}

/** How long an outage lasted, of which a part may count. */
export type OutageTime = Pick<OutageRecord, 'awake' | 'inMarket'>;
const START: OutageTime = { awake: 0, inMarket: 0 };

/**
 * Whether it is time for a notification.
 * @param earlier how long it lasted in earlier runs; null once this run has notified it
 */
export function isDue(
  record: OutageRecord,
  { isRefusal }: Outage,
  limits: OutageAlarm,
  earlier: OutageTime | null,
): boolean {
  const { notifiedCount, awake, inMarket, next } = record;
  if (isRefusal && !record.isRefusalNotified) return true;
  if (notifiedCount > 0 && awake >= next) return true;
  // A reboot may have removed the notification from the screen: a run says it once, as it would a new outage.
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

/** @returns null where there is none, or it cannot be read */
export function readOutageRecord(text: string | null): OutageRecord | null {
  if (text === null || text === '') return null;
  try {
    const record = OutageRecordSchema.parse(JSON.parse(text));
    return Number.isNaN(Date.parse(record.since)) ? null : { ...record, since: timestamp(Date.parse(record.since)) };
  } catch {
    return null;
  }
}
