// Pure: channels of this key's webhook subscriptions at the service, and their deliveries.
// Read tolerantly: unreported values are null. Only two answers contain a secret, each once.
import { z } from 'zod';
import { MessageSchema } from '../text/message.ts';
import { EventNameSchema } from '../wire/events.ts';
import { SymbolParamSchema, TimestampSchema } from '../wire/primitives.ts';
import { intent, query } from './channel.ts';

const nothing = z.strictObject({});
const id = z.string().min(1).max(64);

export const SubscriptionViewSchema = z.strictObject({
  id: z.string(),
  /** Without the secret path where the address is this computer's own. */
  url: z.string(),
  /** It is this computer's relay. */
  own: z.boolean(),
  /** null: all. */
  events: z.array(z.string()).nullable(),
  symbols: z.array(z.string()).nullable(),
  status: z.enum(['active', 'paused', 'unknown']),
  created_at: TimestampSchema.nullable(),
  paused_at: TimestampSchema.nullable(),
  paused_reason: z.string().nullable(),
  failing_since: TimestampSchema.nullable(),
  /** A second secret exists and is not yet promoted. */
  rotating: z.boolean(),
});
export type SubscriptionView = z.infer<typeof SubscriptionViewSchema>;

export const AttemptSchema = z.strictObject({
  number: z.number().int().positive(),
  at: TimestampSchema.nullable(),
  /** HTTP status; null when there was none. */
  status: z.number().int().nullable(),
  latency_ms: z.number().nonnegative().nullable(),
  /** Why it is not delivered; null when it is. */
  error: z.string().nullable(),
  /** Beginning of the answer's body. */
  response: z.string().nullable(),
});
export type Attempt = z.infer<typeof AttemptSchema>;

export const DeliveryViewSchema = z.strictObject({
  id: z.string(),
  event_id: z.string(),
  event: z.string(),
  /** Read from the body; null where the event is about none, or the body is gone. */
  symbol: z.string().nullable(),
  kind: z.enum(['event', 'replay', 'test']),
  status: z.enum(['pending', 'delivered', 'failed']),
  created_at: TimestampSchema.nullable(),
  next_attempt_at: TimestampSchema.nullable(),
  settled_at: TimestampSchema.nullable(),
  /** The exact bytes sent; null when the service no longer keeps them. */
  body: z.string().nullable(),
  attempts: z.array(AttemptSchema),
});
export type DeliveryView = z.infer<typeof DeliveryViewSchema>;

const ListingSchema = z.strictObject({
  /** False: the service has no list of subscriptions; `message` says so. */
  supported: z.boolean(),
  message: MessageSchema.nullable(),
  subscriptions: z.array(SubscriptionViewSchema),
});

export const subscriptionChannels = {
  /** Refused with a reason if the service is unreachable or does not allow this key. */
  'subscriptions.read': query(nothing, ListingSchema),
  /** Only this answer shows the secret; null: the service already has this address. */
  'subscriptions.add': intent(
    z.strictObject({
      url: z.url({ protocol: /^https?$/, error: 'must be an address that begins with https://' }).max(2048),
      events: z.array(EventNameSchema).min(1).max(50).nullable(),
      symbols: z.array(SymbolParamSchema).min(1).max(500).nullable(),
    }),
    z.strictObject({ id: z.string(), secret: z.string().nullable() }),
  ),
  'subscriptions.remove': intent(z.strictObject({ id }), nothing),
  /** Activates a paused subscription; the service sends missed events of the last seven days. */
  'subscriptions.resume': intent(z.strictObject({ id, since: TimestampSchema.nullable() }), nothing),
  /** Creates a second secret, shown only in this answer; after `promote` it is the only one. */
  'subscriptions.rotate': intent(z.strictObject({ id }), z.strictObject({ secret: z.string() })),
  'subscriptions.promote': intent(z.strictObject({ id }), nothing),
  /** Makes the service send its newest event again; answers the endpoint's reply. */
  'subscriptions.test': intent(z.strictObject({ id }), z.strictObject({ ok: z.boolean(), message: MessageSchema })),
  /** Newest first; `after` is the last page's `next`. */
  'deliveries.page': query(
    z.strictObject({
      subscription: id,
      status: z.enum(['pending', 'delivered', 'failed']).nullable(),
      after: z.string().max(512).nullable(),
    }),
    z.strictObject({ deliveries: z.array(DeliveryViewSchema), next: z.string().nullable() }),
  ),
  /** The same id, the same bytes. */
  'deliveries.replay': intent(z.strictObject({ subscription: id, delivery: id }), nothing),
  /** Sends every event of a period again, in order. Service time; `to` null: until now. */
  'deliveries.recover': intent(
    z.strictObject({ subscription: id, from: TimestampSchema, to: TimestampSchema.nullable() }),
    z.strictObject({ queued: z.number().int().nonnegative(), more: z.boolean() }),
  ),
} as const;
export type SubscriptionChannels = typeof subscriptionChannels;
