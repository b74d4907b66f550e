// Pure: webhook subscriptions and the log of their deliveries (specification 4.6, 6.1; CONTRACT 27 to 35, "Subscription").
import { z } from 'zod';
import { EVENT_NAMES, EventNameSchema } from './events.ts';
import { InstantSchema, SymbolParamSchema, SymbolSchema, TimestampSchema } from './primitives.ts';

/** Lowercase hex HMAC-SHA256 of the raw body, keyed on the UTF-8 characters of signing_secret. */
export const SIGNATURE_HEADER = 'x-service-signature';
/** The three headers of Standard Webhooks: event_id, seconds of this attempt, space-separated `v1,<base64>` keyed on the decoded secret. */
export const STANDARD_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;
/** Makes POST /signals/subscribe safe to repeat: the same key and body get the same answer for 24 h. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';

const url = z.url({
  protocol: /^https?$/,
  error: 'must be an address that begins with https:// (or with http:// on this computer, where the service allows it)',
});

export const SubscribeBodySchema = z.object({
  url: url.max(2048),
  /** Default: all six. */
  events: z
    .array(EventNameSchema, { error: `must be a list of event names: ${EVENT_NAMES.join(', ')}` })
    .min(1)
    .max(50)
    .nullish(),
  /** Default: all. Events that are about no symbol always pass. */
  symbols: z.array(SymbolParamSchema, { error: 'must be a list of symbols' }).min(1).max(500).nullish(),
});
export type SubscribeBody = z.output<typeof SubscribeBodySchema>;

export const SubscriptionSchema = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(EventNameSchema),
  /** null: all symbols. */
  symbols: z.array(SymbolSchema).nullable(),
  status: z.enum(['active', 'paused']),
  created_at: TimestampSchema,
  paused_at: TimestampSchema.nullable(),
  paused_reason: z.string().nullable(),
  /** First failed delivery with no success since; 24 h after it the subscription pauses. */
  failing_since: TimestampSchema.nullable(),
  /** True from rotate-secret until promote-secret: webhook-signature carries both secrets' signatures, X-Service-Signature the old one's. */
  rotating: z.boolean(),
});
export type Subscription = z.infer<typeof SubscriptionSchema>;

/** Answer of subscribe and rotate-secret: the only two places that ever show a secret. */
export const SubscribeReplySchema = SubscriptionSchema.extend({ signing_secret: z.string().optional() });
export type SubscribeReply = z.infer<typeof SubscribeReplySchema>;

/** Body of replay: which events are sent once more. */
export const ReplayBodySchema = z.object({
  from: InstantSchema,
  to: InstantSchema.optional(),
  /** last_event_id of the answer before, to go on behind it. */
  after: z.string().min(1).max(128).optional(),
});
export type ReplayBody = z.output<typeof ReplayBodySchema>;

export const ReplayReplySchema = z.object({
  subscription_id: z.string(),
  /** Deliveries that were made for it, 1000 at most. */
  queued: z.number().int().nonnegative(),
  /** The last event that was scanned. */
  last_event_id: z.string().nullable(),
  /** True when there may be more of the range behind last_event_id. */
  has_more: z.boolean(),
});
export type ReplayReply = z.infer<typeof ReplayReplySchema>;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

export const DeliverySchema = z.object({
  id: z.string(),
  subscription_id: z.string(),
  event_id: z.string(),
  seq: z.number().int().positive(),
  event: z.string(),
  /** Why it was sent: because it happened, because a replay was asked for, or as a test. */
  kind: z.enum(['event', 'replay', 'test']),
  status: z.enum(DELIVERY_STATUSES),
  created_at: TimestampSchema,
  /** null unless pending. */
  next_attempt_at: TimestampSchema.nullable(),
  /** When it was delivered or given up. */
  settled_at: TimestampSchema.nullable(),
  /** body: exactly the bytes that are sent; null when the event log keeps the event no longer. */
  request: z.object({ method: z.literal('POST'), url: z.string(), body: z.string().nullable() }),
  attempts: z.array(
    z.object({
      number: z.number().int().positive(),
      at: TimestampSchema,
      /** HTTP status; null when there was none. */
      status: z.number().int().nullable(),
      /** Milliseconds to the status line and headers, or until it failed. */
      latency_ms: z.number().int().nonnegative(),
      /** Why it does not count as delivered; null when it does. */
      error: z.string().nullable(),
      /** Beginning of the answer's body. */
      response: z.string().nullable(),
    }),
  ),
});
export type Delivery = z.infer<typeof DeliverySchema>;
