// Pure: schemas of webhook subscriptions and of their delivery log.
import { z } from 'zod';
import { EVENT_NAMES, EventNameSchema } from './events.ts';
import {
  EVENT_ID_EXAMPLE,
  EventIdSchema,
  InstantSchema,
  SymbolParamSchema,
  SymbolSchema,
  TimestampSchema,
} from './primitives.ts';

/** Lowercase hex HMAC-SHA256 of the raw body, keyed on the UTF-8 characters of signing_secret. */
export const SIGNATURE_HEADER = 'x-service-signature';
/**
 * The three headers of Standard Webhooks: event_id, seconds of this attempt, space-separated `v1,<base64>`
 * keyed on the decoded secret.
 */
export const STANDARD_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;
/** Makes POST /signals/subscribe idempotent: the same key and body get the same answer for 24 h. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';

const url = z.url({
  protocol: /^https?$/,
  error: 'must be an address that begins with https:// (or with http:// on this computer, where the service allows it)',
});

const IdSchema = z.string().meta({
  description: 'Id of the record; it never changes.',
  example: 'sub_26a4f8c2ee27e866ed682c94',
});
const SubscriptionIdSchema = IdSchema.meta({ description: 'Id of the subscription.' });
const UrlSchema = z.string().meta({ description: 'Address.', example: 'https://example.com/hooks/risk' });
const CreatedAtSchema = TimestampSchema.meta({ description: 'When it was made.' });

export const SubscribeBodySchema = z.object({
  url: url.max(2048).meta({ description: 'Address.', example: 'https://example.com/hooks/risk' }),
  events: z
    .array(EventNameSchema, { error: `must be a list of event names: ${EVENT_NAMES.join(', ')}` })
    .min(1)
    .max(50)
    .nullish()
    .meta({ description: 'Names of the events; without it, all six.', example: ['signal.high_risk'] }),
  symbols: z
    .array(SymbolParamSchema, { error: 'must be a list of symbols' })
    .min(1)
    .max(500)
    .nullish()
    .meta({
      description: 'Symbols; null: all. Events that are about no symbol always pass.',
      example: ['SPY'],
    }),
});
export type SubscribeBody = z.output<typeof SubscribeBodySchema>;

export const SubscriptionSchema = z
  .object({
    id: IdSchema,
    url: UrlSchema,
    events: z.array(EventNameSchema).meta({ description: 'Names of the events.', example: ['signal.high_risk'] }),
    symbols: z
      .array(SymbolSchema)
      .nullable()
      .meta({ description: 'Symbols; null: all.', example: ['SPY'] }),
    status: z.enum(['active', 'paused']).meta({ description: 'active, or paused after 24 hours of failure.' }),
    created_at: CreatedAtSchema,
    paused_at: TimestampSchema.nullable().meta({
      description: 'When it was paused; null while active.',
      example: null,
    }),
    paused_reason: z.string().nullable().meta({
      description: 'Why it was paused; null while active.',
      example: null,
    }),
    failing_since: TimestampSchema.nullable().meta({
      description:
        'First failed delivery with no success since; 24 h after it the subscription pauses. null when the last one succeeded.',
      example: null,
    }),
    // During a rotation webhook-signature has signatures of both secrets, X-Service-Signature of the old
    // secret.
    rotating: z.boolean().meta({
      description: 'True from rotate-secret until promote-secret.',
      example: false,
    }),
  })
  .meta({ id: 'Subscription', description: 'A webhook subscription.' });
export type Subscription = z.infer<typeof SubscriptionSchema>;

/** Answer of subscribe and rotate-secret, the only two that show a secret. */
export const SubscribeReplySchema = SubscriptionSchema.extend({
  signing_secret: z.string().optional().meta({
    description: 'Base64 of 32 random bytes. It is shown here only; keep it.',
    example: 'c2VjcmV0LXRoYXQtaXMtc2hvd24tb25jZS0tLS0tLS0=',
  }),
}).meta({
  id: 'Subscribed',
  description: 'A webhook subscription; the answer that makes a secret shows it, once.',
});
export type SubscribeReply = z.infer<typeof SubscribeReplySchema>;

/** Body of replay: the range of events to send again. */
export const ReplayBodySchema = z.object({
  from: InstantSchema.meta({ description: 'Beginning, included.', example: '2026-03-01T00:00:00Z' }),
  to: InstantSchema.optional().meta({
    description: 'End, included; without it, now.',
    example: '2026-03-02T00:00:00Z',
  }),
  after: z.string().min(1).max(128).optional().meta({
    description: 'last_event_id of the answer before, to go on behind it.',
  }),
});
export type ReplayBody = z.output<typeof ReplayBodySchema>;

export const ReplayReplySchema = z.object({
  subscription_id: SubscriptionIdSchema,
  queued: z.number().int().nonnegative().meta({
    description: 'How many deliveries were made for it, 1000 at most.',
    example: 12,
  }),
  last_event_id: z.string().nullable().meta({
    description: 'The last event that was scanned, to go on after it; null where there was none.',
    example: EVENT_ID_EXAMPLE,
  }),
  has_more: z.boolean().meta({
    description: 'True when there may be more of the range behind last_event_id.',
    example: false,
  }),
});
export type ReplayReply = z.infer<typeof ReplayReplySchema>;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

const AttemptSchema = z.object({
  number: z.number().int().positive().meta({ description: 'Number of the attempt, from 1.', example: 1 }),
  at: TimestampSchema.meta({ description: 'When the attempt began.' }),
  status: z.number().int().nullable().meta({ description: 'HTTP status; null when there was none.', example: null }),
  latency_ms: z.number().int().nonnegative().meta({
    description: 'Milliseconds to the status line and headers, or until it failed.',
    example: 10000,
  }),
  error: z.string().nullable().meta({
    description: 'Why the attempt does not count as delivered; null when it does.',
    example: 'no answer within 10 s',
  }),
  response: z.string().nullable().meta({ description: "Beginning of the answer's body.", example: null }),
});

export const DeliverySchema = z
  .object({
    id: z.string().meta({ description: 'Id of the record; it never changes.', example: 'dlv_1' }),
    subscription_id: SubscriptionIdSchema,
    event_id: z.string().meta({ description: EventIdSchema.description, example: EVENT_ID_EXAMPLE }),
    seq: z.number().int().positive().meta({
      description: "Place in the service's event log, from 1, without holes.",
      example: 681,
    }),
    event: z.string().meta({ description: 'Name of the event.', example: 'signal.high_risk' }),
    kind: z.enum(['event', 'replay', 'test']).meta({
      description: 'Why it was sent: because it happened, because a replay was asked for, or as a test.',
      example: 'test',
    }),
    status: z.enum(DELIVERY_STATUSES).meta({
      description: 'pending until it is delivered or given up.',
      example: 'failed',
    }),
    created_at: CreatedAtSchema,
    next_attempt_at: TimestampSchema.nullable().meta({
      description: 'When it is tried next; null unless pending.',
      example: null,
    }),
    settled_at: TimestampSchema.nullable().meta({
      description: 'When it was delivered or given up; null while pending.',
      example: '2026-03-02T14:30:10.000Z',
    }),
    request: z
      .object({
        method: z.literal('POST').meta({ description: 'Always POST.' }),
        url: UrlSchema,
        body: z
          .string()
          .nullable()
          .meta({
            description: 'Exactly the bytes that are sent; null when the event log keeps the event no longer.',
            example: `{"event_id":"${EVENT_ID_EXAMPLE}","seq":681,"event":"signal.high_risk","timestamp":"2026-03-02T14:30:00.000Z","data":{}}`,
          }),
      })
      .meta({ description: 'What is sent.' }),
    attempts: z.array(AttemptSchema).meta({ description: 'Every attempt so far, oldest first.' }),
  })
  .meta({
    id: 'Delivery',
    description: 'An event on its way to one webhook subscription, with every attempt.',
  });
export type Delivery = z.infer<typeof DeliverySchema>;
