// Pure: channels of the ledger on this computer's disk: its size, retention and older gaps.
import { z } from 'zod';
import { TimestampSchema } from '../wire/primitives.ts';
import { StateSchema } from '../wire/records.ts';
import { intent, query } from './channel.ts';
import { GapSchema, RecordedTransitionSchema } from './state.ts';

const nothing = z.strictObject({});
const count = z.number().int().nonnegative();

/** Limits of age and size of the ledger. Events that need attention, and the newest events, always stay. */
export const LedgerRetentionSchema = z.strictObject({
  /** null: for ever, within the size. Ids of deliveries are unique for thirty days. */
  days: z.number().int().min(30).max(36_500).nullable(),
  /** Required, so that a flooding service cannot fill the disk. */
  megabytes: z.number().int().min(50).max(100_000),
});
export type LedgerRetention = z.infer<typeof LedgerRetentionSchema>;
/**
 * 400 days, because `signalBefore` searches that far back. A usual year of thirty symbols takes a few
 * megabytes, so only a flood reaches a gigabyte.
 */
export const DEFAULT_LEDGER_RETENTION: LedgerRetention = { days: 400, megabytes: 1024 };

export const LedgerDetailsSchema = z.strictObject({
  /** Of the file and its companions, on disk. */
  bytes: count,
  events: count,
  /** Events that retention has removed since the ledger began. */
  removed: count,
  /** Receipt of the oldest event, this computer's time; null: no events. */
  oldest: TimestampSchema.nullable(),
  retention: LedgerRetentionSchema,
});
export type LedgerDetails = z.infer<typeof LedgerDetailsSchema>;

/** Gaps of one page. */
export const GAPS_PAGE = 100;
export const GapPageSchema = z.strictObject({
  /** Newest first. */
  gaps: z.array(GapSchema).max(GAPS_PAGE),
  /** The id before which the next page begins; null at the end. */
  next: z.number().int().positive().nullable(),
});

/** An entry, as `barograph listen` prints it. */
export const LedgerEntrySchema = z.strictObject({
  ledger_id: count,
  event_id: z.string(),
  seq: z.number().int().nullable(),
  event: z.string(),
  symbol: z.string().nullable(),
  /** null: no transition. */
  to_state: StateSchema.nullable(),
  state_name: z.string().nullable(),
  state_word: RecordedTransitionSchema.shape.state_word,
  occurred_at: TimestampSchema,
  received_at: TimestampSchema,
  /** Of its arrivals, in order. */
  sources: z.array(z.string()),
  /** As it arrived. */
  body: z.unknown(),
});
export type LedgerEntry = z.infer<typeof LedgerEntrySchema>;

export const ledgerChannels = {
  /**
   * The next entries, oldest first; waits for some seconds while there are none. `printed`: the last one that a
   * terminal has printed, kept across restarts; null: continue after the kept one.
   */
  'ledger.follow': intent(
    z.strictObject({ printed: count.nullable() }),
    z.strictObject({ entries: z.array(LedgerEntrySchema) }),
  ),
  'ledger.read': query(nothing, LedgerDetailsSchema),
  'ledger.retention': intent(z.strictObject({ retention: LedgerRetentionSchema }), nothing),
  /** Gaps older than the gaps in the snapshot. `before`: an id; null: from the newest. */
  'gaps.list': query(z.strictObject({ before: z.number().int().positive().nullable().default(null) }), GapPageSchema),
} as const;
export type LedgerChannels = typeof ledgerChannels;
