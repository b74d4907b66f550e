// Pure: channels of the relay: its address, its deliveries and refusals, its targets.
// Only the answers of `relay.reveal` and `relay.target.add` contain secrets.
import { z } from 'zod';
import { ForeignMappingSchema } from '../settings/foreign-alerts.ts';
import { MessageSchema } from '../text/message.ts';
import { SymbolParamSchema, SymbolSchema, TimestampSchema } from '../wire/primitives.ts';
import { StateSchema } from '../wire/records.ts';
import { intent, push, query } from './channel.ts';

const nothing = z.strictObject({});

/**
 * off: switched off. waiting: not registered yet, or the service does not answer. registered: the service
 * delivers here. paused: the service stopped delivering, and the relay asks it to resume. by_hand: the
 * service cannot reach this computer, or has no registration: the user has to do it. refused: the service
 * refused.
 */
export const REGISTRATION_STATES = ['off', 'waiting', 'registered', 'paused', 'by_hand', 'refused'] as const;

/**
 * stored: a new event. known: a duplicate. quarantined: signed, but too old, from the future or no event.
 */
export const ARRIVAL_RESULTS = ['stored', 'known', 'quarantined'] as const;

export const REFUSAL_REASONS = [
  'wrong_host',
  'has_origin',
  'wrong_path',
  'wrong_method',
  'wrong_type',
  'too_large',
  'too_slow',
  'not_http',
  'loop',
  'no_secret',
  'unsigned',
  'unreadable_signature',
  'other_form',
  'wrong_signature',
  'not_stored',
  'too_many',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export const FindingSchema = z.strictObject({
  /** fits: correct. fault: why the signature is refused. note: a remark. */
  kind: z.enum(['fits', 'fault', 'note']),
  message: MessageSchema,
});
export type Finding = z.infer<typeof FindingSchema>;

export const ArrivalSchema = z.strictObject({
  at: TimestampSchema,
  event_id: z.string(),
  event: z.string(),
  symbol: z.string().nullable(),
  result: z.enum(ARRIVAL_RESULTS),
  /**
   * How the signature was verified: header and form ("X-Service-Signature, hex"), and which of the two
   * secrets.
   */
  proof: z.string(),
  secret: z.enum(['current', 'previous']),
  /** Details of the result, or null. */
  message: MessageSchema.nullable(),
});
export type Arrival = z.infer<typeof ArrivalSchema>;

export const RejectedRequestSchema = z.strictObject({
  id: z.number().int().positive(),
  /** Time of the last refusal. */
  at: TimestampSchema,
  reason: z.enum(REFUSAL_REASONS),
  message: MessageSchema,
  /** Number of identical refusals in a row. */
  times: z.number().int().positive(),
  /** True where the signature doctor can examine it. */
  examinable: z.boolean(),
});
export type RejectedRequest = z.infer<typeof RejectedRequestSchema>;

/**
 * The filter of a target. null: all events. `states` applies to signal.*, `symbols` to events with a symbol;
 * other events pass.
 */
export const TargetFilterSchema = z.strictObject({
  events: z.array(z.string().min(1).max(80)).min(1).max(50).nullable(),
  symbols: z.array(SymbolSchema).min(1).max(500).nullable(),
  states: z.array(StateSchema).min(1).max(3).nullable(),
});
export type TargetFilter = z.infer<typeof TargetFilterSchema>;

export const TargetSchema = z.strictObject({
  id: z.string(),
  url: z.string(),
  filter: TargetFilterSchema,
  /** Allows addresses beyond this computer and its private networks. */
  allow_public: z.boolean(),
  queue: z.number().int().nonnegative(),
  delivered: z.number().int().nonnegative(),
  given_up: z.number().int().nonnegative(),
  last: z
    .strictObject({
      at: TimestampSchema,
      event_id: z.string(),
      status: z.number().int().nullable(),
      error: MessageSchema.nullable(),
    })
    .nullable(),
  /** Next retry of the oldest queued event; null: the queue is empty. */
  next_at: TimestampSchema.nullable(),
});
export type Target = z.infer<typeof TargetSchema>;

export const RelayViewSchema = z.strictObject({
  on: z.boolean(),
  /** http://127.0.0.1:PORT, without the secret path. */
  listening: z.strictObject({ address: z.string(), as_configured: z.boolean() }).nullable(),
  /** Why the relay does not work, or null. */
  problem: MessageSchema.nullable(),
  registration: z.strictObject({ state: z.enum(REGISTRATION_STATES), message: MessageSchema, since: TimestampSchema }),
  /** The address by which the service reaches this computer, where that is not this computer itself. */
  public_url: z.string().nullable(),
  /** True where the service runs on this computer and needs no public address. */
  reachable: z.boolean(),
  secrets: z.strictObject({ current: z.boolean(), previous: z.boolean() }),
  /**
   * The first accepted spelling of X-Service-Signature, the only one accepted since; null before the first.
   */
  form: z.string().nullable(),
  /** Newest first, at most 50. */
  arrivals: z.array(ArrivalSchema),
  /** Newest first, at most 50. */
  refused: z.array(RejectedRequestSchema),
  quarantined: z.number().int().nonnegative(),
  targets: z.array(TargetSchema),
  /** Alerts of other programs: how they are read, and when the last came. */
  inbound: z.strictObject({ mapping: ForeignMappingSchema, last_at: TimestampSchema.nullable() }),
});
export type RelayView = z.infer<typeof RelayViewSchema>;

const secret = z.string().trim().min(16).max(512);
const url = z.url({ protocol: /^https?$/ }).max(2048);

export const relayChannels = {
  'relay.read': query(nothing, RelayViewSchema),
  'relay.changed': push(RelayViewSchema),
  /** The whole address with its secret path, for a manual registration. */
  'relay.reveal': query(nothing, z.strictObject({ url: z.string().nullable() })),
  'relay.switch': intent(z.strictObject({ on: z.boolean() }), nothing),
  /** null: none. The service delivers to it (a tunnel of the user's). */
  'relay.public_url': intent(z.strictObject({ url: url.nullable() }), nothing),
  /**
   * The secret that the service signs with from now on; the previous one stays valid until the service has
   * switched.
   */
  'relay.secret': intent(z.strictObject({ secret }), nothing),
  /** Asks the service for a new secret and switches to it; one of both is valid at any time. */
  'relay.rotate': intent(nothing, nothing),
  /** The service sends its newest event once more; the answer says how it arrived. */
  'relay.test': intent(nothing, z.strictObject({ ok: z.boolean(), message: MessageSchema })),
  /** The whole inbound address with its secret path. */
  'relay.inbound.reveal': query(nothing, z.strictObject({ url: z.string().nullable() })),
  /** The last body that came there, for the preview of the mapping. */
  'relay.inbound.last': query(nothing, z.strictObject({ body: z.string().nullable() })),
  'relay.inbound.rotate': intent(nothing, nothing),
  'relay.inbound.mapping': intent(ForeignMappingSchema, nothing),
  /** Sends an alert to the address on this computer. */
  'relay.inbound.test': intent(nothing, z.strictObject({ ok: z.boolean(), message: MessageSchema })),
  'relay.diagnose': query(
    z.strictObject({ refused: z.number().int().positive() }),
    z.strictObject({ findings: z.array(FindingSchema) }),
  ),
  /** Generates a secret where none is given. Only this answer shows it. */
  'relay.target.add': intent(
    z.strictObject({
      url,
      secret: secret.nullish(),
      filter: TargetFilterSchema.extend({ symbols: z.array(SymbolParamSchema).min(1).max(500).nullable() }),
      allow_public: z.boolean(),
    }),
    z.strictObject({ id: z.string(), secret: z.string() }),
  ),
  'relay.target.remove': intent(z.strictObject({ id: z.string().max(64) }), nothing),
} as const;
export type RelayChannels = typeof relayChannels;
