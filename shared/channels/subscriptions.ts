// Pure: the subscriptions that this profile's key has at the service, and what the service delivered to them, as windows see them.
// Read the tolerant way: what a service does not tell is null. A secret is in two answers only, once each.
import { z } from 'zod';
import { EventNameSchema } from '../wire/events.ts';
import { SymbolParamSchema, TimestampSchema } from '../wire/primitives.ts';
import { intent, query } from './channel.ts';

const nothing = z.strictObject({});
const id = z.string().min(1).max(64);

export const SubscriptionViewSchema = z.strictObject({
  id: z.string(),
  /** Without the secret path where it is this computer's own. */
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
  /** A second secret is made and not promoted yet. */
  rotating: z.boolean(),
});
export type SubscriptionView = z.infer<typeof SubscriptionViewSchema>;

export const AttemptSchema = z.strictObject({
  number: z.number().int().positive(),
  at: TimestampSchema.nullable(),
  /** HTTP status; null when there was none. */
  status: z.number().int().nullable(),
  latency_ms: z.number().nonnegative().nullable(),
  /** Why it does not count as delivered; null when it does. */
  error: z.string().nullable(),
  /** Beginning of the answer's body. */
  response: z.string().nullable(),
});
export type Attempt = z.infer<typeof AttemptSchema>;

export const DeliveryViewSchema = z.strictObject({
  id: z.string(),
  event_id: z.string(),
  event: z.string(),
  /** Read from the body; null where it is about none, or the body is not kept. */
  symbol: z.string().nullable(),
  kind: z.enum(['event', 'replay', 'test']),
  status: z.enum(['pending', 'delivered', 'failed']),
  created_at: TimestampSchema.nullable(),
  next_attempt_at: TimestampSchema.nullable(),
  settled_at: TimestampSchema.nullable(),
  /** Exactly the bytes that are sent; null when the service keeps them no longer. */
  body: z.string().nullable(),
  attempts: z.array(AttemptSchema),
});
export type DeliveryView = z.infer<typeof DeliveryViewSchema>;

const ListingSchema = z.strictObject({
  /** False where the service has no list of subscriptions; `message` says so. */
  supported: z.boolean(),
  message: z.string().nullable(),
  subscriptions: z.array(SubscriptionViewSchema),
});

export const subscriptionChannels = {
  /** Refused, saying why, where the service cannot be asked or does not let this key see it. */
  'subscriptions.read': query(nothing, ListingSchema),
  /** The secret is shown in this answer only; null where the service has this address already. */
  'subscriptions.add': intent(
    z.strictObject({
      url: z.url({ protocol: /^https?$/, error: 'must be an address that begins with https://' }).max(2048),
      events: z.array(EventNameSchema).min(1).max(50).nullable(),
      symbols: z.array(SymbolParamSchema).min(1).max(500).nullable(),
    }),
    z.strictObject({ id: z.string(), secret: z.string().nullable() }),
  ),
  'subscriptions.remove': intent(z.strictObject({ id }), nothing),
  /** Makes a paused one active; what it missed since then is sent, of the last seven days at most. */
  'subscriptions.resume': intent(z.strictObject({ id, since: TimestampSchema.nullable() }), nothing),
  /** A second secret, shown in this answer only; it is the only one after `promote`. */
  'subscriptions.rotate': intent(z.strictObject({ id }), z.strictObject({ secret: z.string() })),
  'subscriptions.promote': intent(z.strictObject({ id }), nothing),
  /** The service sends its newest event once more, and says what the address answered. */
  'subscriptions.test': intent(z.strictObject({ id }), z.strictObject({ ok: z.boolean(), message: z.string() })),
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
  /** Everything that happened in a period of the service's time, in its order, once more. `to` null: until now. */
  'deliveries.recover': intent(
    z.strictObject({ subscription: id, from: TimestampSchema, to: TimestampSchema.nullable() }),
    z.strictObject({ queued: z.number().int().nonnegative(), more: z.boolean() }),
  ),
} as const;
export type SubscriptionChannels = typeof subscriptionChannels;
