// Pure: the connection in detail: stream, heartbeats, compatibility, the cost of calls.
// Nothing here is a secret. Times are this computer's unless a field says otherwise.
import { z } from 'zod';
import { MessageSchema } from '../text/message.ts';
import { TimestampSchema } from '../wire/primitives.ts';
import { intent, query } from './channel.ts';

const nothing = z.strictObject({});
const count = z.number().int().nonnegative();
const ms = z.number().nonnegative();

/** Purposes of calls, named for the user. */
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
  cause: MessageSchema,
  /** ms until a stream was open again; null: not yet. */
  back_after: ms.nullable(),
});
export type StreamBreak = z.infer<typeof StreamBreakSchema>;

export const BeatSchema = z.strictObject({
  at: TimestampSchema,
  /** ms since the previous heartbeat, across a reconnection too. */
  gap: ms,
});
export type Beat = z.infer<typeof BeatSchema>;

export const StreamDetailsSchema = z.strictObject({
  /** Without the key. */
  url: z.string(),
  phase: z.enum(['idle', 'connecting', 'open', 'waiting', 'refused']),
  /** Events that the stream subscribes to. */
  events: z.array(z.string()),
  open_since: TimestampSchema.nullable(),
  last_byte_at: TimestampSchema.nullable(),
  /** ms between two heartbeats, as measured; null before the second. */
  heartbeat: ms.nullable(),
  /** Silence after which the stream counts as dead, ms. */
  limit: ms,
  /** The last 24 minutes, oldest first. */
  beats: z.array(BeatSchema),
  /** The last 24 hours, newest first. */
  breaks: z.array(StreamBreakSchema),
  /** The point up to which the log is complete: the last event and its number, where the service numbers. */
  cursor: z.strictObject({ event_id: z.string().nullable(), seq: z.number().int().nullable() }),
  /** World time up to which every event is known; null before the first time. */
  contiguous_to: TimestampSchema.nullable(),
});

export const CompatibilitySchema = z.strictObject({
  /** Observed forms of the service; null: not observed yet. */
  factors: z.enum(['map', 'rows', 'map_and_rows']).nullable(),
  reset: z.enum(['epoch_seconds', 'epoch_ms', 'seconds']).nullable(),
  /** Paths by the spelling of their error codes. */
  lower_codes: z.array(z.string()),
  upper_codes: z.array(z.string()),
  /** Key of the rows of lists ("data"; "" for a bare array), and the name of the cursor. */
  list_key: z.string().nullable(),
  cursor_key: z.string().nullable(),
  /** The service's own name and version; the version of its interface. */
  service: z.string().nullable(),
  interface: z.string().nullable(),
});
export type Compatibility = z.infer<typeof CompatibilitySchema>;

export const QuotaSchema = z.strictObject({
  /** null where the service does not report it. `left_ms`: until the month ends. */
  month: z.strictObject({ limit: count, used: count, left_ms: ms }).nullable(),
  /** Concurrent calls: the service's limit, and how many are in use. */
  burst: z.strictObject({ limit: count, used: count }).nullable(),
  /** Calls a minute: the plan's limit, and calls in the last minute. */
  minute: z.strictObject({ limit: count, used: count }).nullable(),
  /** Calls beyond the month's quota. */
  overage: count,
  /** The hard cap is reached: the service refuses every call until then. */
  capped_until: TimestampSchema.nullable(),
  /** True where the service counts calls; a sandbox sends the headers and counts nothing. */
  counted: z.boolean(),
  /** Factor by which polling of signals is slowed so that the month lasts. 1: not slowed. */
  slowed: z.number().min(1),
});
export type Quota = z.infer<typeof QuotaSchema>;

export const ConnectionDetailsSchema = z.strictObject({
  stream: StreamDetailsSchema,
  /**
   * This computer's clock minus the service's, ms, and the uncertainty; null until known. Measured by the
   * Date header.
   */
  skew: z.strictObject({ ms: z.number(), within: ms }).nullable(),
  /** Proxy and certificate authority of requests. */
  network_path: z.strictObject({ proxy: MessageSchema, certificate: MessageSchema }),
  compatibility: CompatibilitySchema,
  quota: QuotaSchema,
  /** Calls of the last ten minutes and their hourly rate, most first; omits purposes without calls. */
  calls: z.array(z.strictObject({ cause: z.enum(CALL_CAUSES), made: count, per_hour: count })),
  /** Duration of the count, and whether it suffices for an hourly rate: start-up calls happen once. */
  counted_for: z.strictObject({ ms, enough: z.boolean() }),
  /** Intervals of polling events while there is no stream, and signals, ms. */
  polling: z.strictObject({ events: ms, signals: ms }),
});
export type ConnectionDetails = z.infer<typeof ConnectionDetailsSchema>;

export const connectionChannels = {
  /** Connects now instead of at the end of the wait. */
  'connection.retry': intent(nothing, nothing),
  /** Sends the key to the unidentified program at the profile's address. */
  'connection.trust': intent(nothing, nothing),
  /** Cheap: makes no request to the service. */
  'connection.read': query(nothing, ConnectionDetailsSchema),
  /** A problem report as Markdown, for the user to read before it is saved. */
  'report.read': query(nothing, z.strictObject({ text: z.string() })),
} as const;
export type ConnectionChannels = typeof connectionChannels;
