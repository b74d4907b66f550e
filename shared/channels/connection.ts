// Pure: the connection in detail, as its page reads it every few seconds: the stream, its signs of life, how the service speaks, what calls cost.
// Nothing in here is a secret. Times are this computer's unless a field says otherwise.
import { z } from 'zod';
import { TimestampSchema } from '../wire/primitives.ts';
import { intent, query } from './channel.ts';

const nothing = z.strictObject({});
const count = z.number().int().nonnegative();
const ms = z.number().nonnegative();

/** What calls are made for, the way a person would name it. */
export const CALL_CAUSES = [
  'signals',
  'events',
  'stream',
  'factors',
  'regimes',
  'briefings',
  'validation',
  'webhooks',
  'other',
] as const;
export type CallCause = (typeof CALL_CAUSES)[number];

export const StreamBreakSchema = z.strictObject({
  at: TimestampSchema,
  cause: z.string(),
  /** ms until a stream was open again; null while it is not. */
  back_after: ms.nullable(),
});
export type StreamBreak = z.infer<typeof StreamBreakSchema>;

export const BeatSchema = z.strictObject({
  at: TimestampSchema,
  /** ms since the sign of life before it, over a reconnection too. */
  gap: ms,
});
export type Beat = z.infer<typeof BeatSchema>;

export const StreamDetailsSchema = z.strictObject({
  /** Without a key: there is none in it. */
  url: z.string(),
  phase: z.enum(['idle', 'connecting', 'open', 'waiting', 'stopped']),
  /** What the service is asked to send. */
  events: z.array(z.string()),
  open_since: TimestampSchema.nullable(),
  last_byte_at: TimestampSchema.nullable(),
  /** ms between two signs of life, as learnt; null until two were heard. */
  heartbeat: ms.nullable(),
  /** Silence from which on the stream counts as dead, ms. */
  limit: ms,
  /** The last 24 minutes, oldest first. */
  beats: z.array(BeatSchema),
  /** The last 24 hours, newest first. */
  breaks: z.array(StreamBreakSchema),
  /** Up to where the log is known without a hole: the last event and its number, where the service numbers. */
  cursor: z.strictObject({ event_id: z.string().nullable(), seq: z.number().int().nullable() }),
  /** World time up to which everything was seen; null before the first time. */
  contiguous_to: TimestampSchema.nullable(),
});

export const CompatibilitySchema = z.strictObject({
  /** Each is null until the service was heard to say it. */
  factors: z.enum(['map', 'rows', 'map_and_rows']).nullable(),
  reset: z.enum(['epoch_seconds', 'epoch_ms', 'seconds']).nullable(),
  /** Paths by the spelling of their error codes. */
  lower_codes: z.array(z.string()),
  upper_codes: z.array(z.string()),
  /** Key under which lists stand ("data"; "" for a bare array), and the name of the cursor. */
  list_key: z.string().nullable(),
  cursor_key: z.string().nullable(),
  /** Name and version by which the service calls itself; the version of its interface. */
  service: z.string().nullable(),
  interface: z.string().nullable(),
});
export type Compatibility = z.infer<typeof CompatibilitySchema>;

export const QuotaSchema = z.strictObject({
  /** null where the service does not tell it. `left_ms`: until the month ends. */
  month: z.strictObject({ limit: count, used: count, left_ms: ms }).nullable(),
  /** Calls at once: how many the service takes, how many of them are taken. */
  burst: z.strictObject({ limit: count, used: count }).nullable(),
  /** Calls a minute: what the plan has, what was called in the last minute. */
  minute: z.strictObject({ limit: count, used: count }).nullable(),
  /** Calls beyond the month's quota; 0 where there are none. */
  overage: count,
  /** The hard cap is reached: no call is taken until then. */
  capped_until: TimestampSchema.nullable(),
  /** True where the service counts calls; a sandbox says headers and counts nothing. */
  counted: z.boolean(),
  /** How many times as seldom as usual the signals are asked for, so that the month lasts. 1: as usual. */
  slowed: z.number().min(1),
});
export type Quota = z.infer<typeof QuotaSchema>;

export const ConnectionDetailsSchema = z.strictObject({
  stream: StreamDetailsSchema,
  /** This computer's clock minus the service's, ms, and how far that may be off; null until known. By the Date of its answers. */
  skew: z.strictObject({ ms: z.number(), within: ms }).nullable(),
  /** How requests leave this computer, and who vouches for the service; as text. */
  network_path: z.strictObject({ proxy: z.string(), certificate: z.string() }),
  compatibility: CompatibilitySchema,
  quota: QuotaSchema,
  /** Calls of the last ten minutes and what they make an hour at that pace, most first; what is not called is not there. */
  calls: z.array(z.strictObject({ cause: z.enum(CALL_CAUSES), made: count, per_hour: count })),
  /** For how long they have been counted, and whether that says something of an hour: what is called at the start is called once. */
  counted_for: z.strictObject({ ms, enough: z.boolean() }),
  /** How often is asked for events while there is no stream, and for signals, ms. */
  polling: z.strictObject({ events: ms, signals: ms }),
});
export type ConnectionDetails = z.infer<typeof ConnectionDetailsSchema>;

export const connectionChannels = {
  /** Tries to connect now instead of at the end of the wait. */
  'connection.retry': intent(nothing, nothing),
  /** Cheap: nothing is asked of the service. */
  'connection.read': query(nothing, ConnectionDetailsSchema),
  /** A report of a problem, as Markdown, for its user to read before it is saved. */
  'report.read': query(nothing, z.strictObject({ text: z.string() })),
} as const;
export type ConnectionChannels = typeof connectionChannels;
