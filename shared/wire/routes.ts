// Pure: the table of endpoints, one row each; no other file names a path.
import { z } from 'zod';
import { ASSET_CLASSES } from '../domain/instruments.ts';
import { type State, stateFromQuery } from '../domain/states.ts';
import { AlertEpisodeSchema } from './alerts.ts';
import { BriefingSchema, BriefingTextSchema, BriefingTypeSchema } from './briefings.ts';
import { EVENT_NAMES, EventEnvelopeSchema, EventNameSchema } from './events.ts';
import { ArchetypesSchema, FactorsReplySchema } from './factors.ts';
import { NewsSchema } from './news.ts';
import {
  countParam,
  EVENT_ID_EXAMPLE,
  InstantSchema,
  ListParamSchema,
  SymbolParamSchema,
  SymbolSchema,
} from './primitives.ts';
import { HealthSchema, HistoryPointSchema, listOf, RootSchema, SignalSchema, TransitionSchema } from './records.ts';
import { GRANULARITIES, RegimePointSchema, RegimeSchema } from './regime.ts';
import type { RouteSpec } from './route.ts';
import {
  DELIVERY_STATUSES,
  DeliverySchema,
  ReplayBodySchema,
  ReplayReplySchema,
  SubscribeBodySchema,
  SubscribeReplySchema,
  SubscriptionSchema,
} from './subscriptions.ts';
import { ValidationSchema } from './validation.ts';

const nothing = z.object({});

const route = <
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType | null,
  Reply extends z.ZodType,
>(
  spec: RouteSpec<Params, Query, Body, Reply>,
): RouteSpec<Params, Query, Body, Reply> => spec;

const get = { method: 'GET', access: 'read', spelling: 'lower', content: 'json', params: nothing, body: null } as const;

const idParam = (max: number, example: string) =>
  z.string().min(1).max(max).meta({ description: 'Id, as given in the list.', example });
const subscriptionId = z.object({ id: idParam(64, 'sub_26a4f8c2ee27e866ed682c94') });
/** A command to one subscription. */
const deed = { ...get, method: 'POST', access: 'webhooks', params: subscriptionId, query: nothing } as const;

const AfterParamSchema = z.string().min(1).max(512).meta({
  description:
    'next_cursor of the previous page. A cursor is opaque, and valid only for the same list with the same filters.',
  example: 'tLgET-ApwwONxfMbWyJJV00iXQ',
});
/** Every list endpoint takes these. */
const page = {
  limit: countParam(1, 100).default(50).meta({ description: 'Rows per page.', example: 50 }),
  after: AfterParamSchema.optional(),
};
/** Start and end of a list, both included. */
const range = {
  from: InstantSchema.optional().meta({
    description: 'Start, inclusive: an ISO 8601 date, or a date-time with Z or an offset.',
    example: '2026-02-01',
  }),
  to: InstantSchema.optional().meta({
    description: 'End, inclusive: an ISO 8601 date, or a date-time with Z or an offset.',
    example: '2026-03-01T14:30:00Z',
  }),
};

const SymbolsParamSchema = ListParamSchema.transform((symbols) => symbols.map((symbol) => symbol.toUpperCase()))
  .pipe(z.array(SymbolSchema).max(500))
  .meta({
    description: 'Several symbols, separated by commas or as a repeated parameter.',
    example: ['SPY', 'QQQ'],
  });
const StatesParamSchema = ListParamSchema.transform((names, context) => {
  const states: State[] = [];
  for (const name of names) {
    const state = stateFromQuery(name);
    if (state === null)
      context.addIssue({
        code: 'custom',
        message: `"${name}" is no state; use normal, elevated, high_risk or 0, 1, 2`,
      });
    else states.push(state);
  }
  return states;
}).meta({
  description: 'States: normal, elevated, high_risk or 0, 1, 2; separated by commas or repeated.',
  example: ['elevated', 'high_risk'],
});

/** Filters of the lists that have symbols. */
const symbolFilters = { symbol: SymbolParamSchema.optional(), symbols: SymbolsParamSchema.optional() };
const RegimesParamSchema = ListParamSchema.pipe(
  z.array(z.string().regex(/^[a-z_]{1,40}$/, 'must be a regime name')),
).meta({
  description: 'Names of regimes, separated by commas or repeated.',
  example: ['stress', 'volatile_downtrend'],
});
const signalFilters = {
  ...symbolFilters,
  state: StatesParamSchema.optional(),
  regime: RegimesParamSchema.optional(),
  class: ListParamSchema.pipe(z.array(z.enum(ASSET_CLASSES)))
    .optional()
    .meta({ description: 'Asset classes, separated by commas or repeated.', example: ['etf', 'index'] }),
};

export const StreamQuerySchema = z.object({
  ...symbolFilters,
  severity: StatesParamSchema.optional().meta({
    description: 'States that were entered: normal, elevated, high_risk or 0, 1, 2; separated by commas or repeated.',
    example: ['high_risk'],
  }),
  regime: RegimesParamSchema.optional(),
  events: ListParamSchema.pipe(z.array(EventNameSchema))
    .optional()
    .meta({
      description: 'Names of events, separated by commas or repeated. Without it: signal.* and regime.flip.',
      example: ['signal.high_risk', 'briefing.published'],
    }),
});
export type StreamQuery = z.output<typeof StreamQuerySchema>;

export const routes = {
  health: route({
    ...get,
    path: '/health',
    access: 'open',
    summary: 'Liveness',
    query: nothing,
    reply: HealthSchema,
    errors: [],
  }),
  root: route({
    ...get,
    path: '/',
    access: 'open',
    summary: 'What this service is',
    query: nothing,
    reply: RootSchema,
    errors: [],
  }),
  snapshot: route({
    ...get,
    path: '/snapshot',
    summary: 'Current signals of all instruments',
    query: z.object({
      ...page,
      ...signalFilters,
    }),
    reply: listOf(SignalSchema),
    errors: ['invalid_request'],
  }),
  signal: route({
    ...get,
    path: '/signal',
    summary: 'Current signal of one symbol',
    query: z.object({ symbol: SymbolParamSchema }),
    reply: SignalSchema,
    errors: ['invalid_request', 'symbol_not_covered'],
  }),
  history: route({
    ...get,
    path: '/history',
    summary: '90 days of one symbol, oldest first',
    query: z.object({
      ...page,
      symbol: SymbolParamSchema,
      ...range,
    }),
    reply: listOf(HistoryPointSchema),
    errors: ['invalid_request', 'symbol_not_covered'],
  }),
  alertTransitions: route({
    ...get,
    path: '/alert-transitions',
    summary: 'Changes of state, newest first',
    query: z.object({ ...page, ...signalFilters, ...range }),
    reply: listOf(TransitionSchema),
    errors: ['invalid_request'],
  }),
  alerts: route({
    ...get,
    path: '/alerts',
    summary:
      'Episodes out of Normal with their durations, newest first; state filters the peak, from and to the beginning',
    query: z.object({ ...page, ...signalFilters, ...range }),
    reply: listOf(AlertEpisodeSchema),
    errors: ['invalid_request'],
  }),
  regime: route({
    ...get,
    path: '/regime/:symbol',
    summary: 'Regime of one symbol, now or as of an instant of the past two years; for regime-only symbols too',
    params: z.object({ symbol: SymbolParamSchema }),
    query: z.object({
      as_of: InstantSchema.optional().meta({
        description: 'The instant asked for: an ISO 8601 date, or a date-time with Z or an offset. Without it: now.',
        example: '2026-02-13T20:00:00Z',
      }),
    }),
    reply: RegimeSchema,
    errors: ['invalid_request', 'not_found', 'symbol_not_covered'],
  }),
  regimeHistory: route({
    ...get,
    path: '/regime/:symbol/history',
    summary: 'Regimes of the past two years, oldest first; minute is for the Institutional plan',
    params: z.object({ symbol: SymbolParamSchema }),
    query: z.object({
      ...page,
      from: InstantSchema.meta({ description: range.from.description, example: '2026-02-01' }),
      to: range.to,
      granularity: z
        .enum(GRANULARITIES, { error: `must be one of ${GRANULARITIES.join(', ')}` })
        .default('day')
        .meta({ description: 'Interval between rows. minute needs the Institutional plan.', example: 'day' }),
    }),
    reply: listOf(RegimePointSchema),
    errors: ['invalid_request', 'forbidden', 'symbol_not_covered'],
  }),
  factors: route({
    ...get,
    path: '/factors',
    summary:
      'What moves the risk of one symbol; with a range, a list of the powers of the past two years, oldest first',
    query: z.object({
      ...page,
      symbol: SymbolParamSchema.default('SPY'),
      ...range,
    }),
    reply: FactorsReplySchema,
    errors: ['invalid_request', 'symbol_not_covered'],
  }),
  archetypes: route({
    ...get,
    path: '/api/archetypes/current',
    spelling: 'capital',
    refusesQueryAs: 'invalid_symbol',
    summary: 'Present power of the twelve dimensions',
    query: z.object({ symbol: SymbolParamSchema.default('SPY') }),
    reply: ArchetypesSchema,
    errors: ['invalid_symbol', 'backend_unavailable'],
  }),
  validation: route({
    ...get,
    path: '/api/validation/metrics',
    spelling: 'capital',
    summary:
      'How often the signals were right, in the full and the hold-out window; expensive, so keep the answer and send its ETag',
    success: [200, 304],
    query: nothing,
    reply: ValidationSchema,
    errors: [],
  }),
  briefings: route({
    ...get,
    path: '/api/briefings',
    summary: 'The archive of briefings, newest first; the text is at /api/briefings/{id}',
    query: z.object({
      ...page,
      type: ListParamSchema.pipe(z.array(BriefingTypeSchema))
        .optional()
        .meta({
          description: 'Kinds of briefing, separated by commas or repeated.',
          example: ['pre-market', 'weekly'],
        }),
      author: z.string().max(80).optional().meta({
        description: 'Author; case does not matter.',
        example: 'Macro desk',
      }),
      ...range,
    }),
    reply: listOf(BriefingSchema),
    errors: ['invalid_request'],
  }),
  briefing: route({
    ...get,
    path: '/api/briefings/:id',
    summary: 'One briefing with its text, as Markdown',
    params: z.object({ id: idParam(128, 'brf_01KJPRZB000001A7D4F3WE3C') }),
    query: nothing,
    reply: BriefingTextSchema,
    errors: ['invalid_request', 'not_found'],
  }),
  marketNews: route({
    ...get,
    path: '/market-news',
    summary: 'Market news with sentiment, newest first',
    query: z.object({
      ...page,
      ...symbolFilters,
      ...range,
    }),
    reply: listOf(NewsSchema),
    errors: ['invalid_request'],
  }),
  events: route({
    ...get,
    path: '/events',
    summary: 'The event log in its own order: how a client proves that it missed nothing',
    query: z.object({ ...page, after: AfterParamSchema.meta({ example: EVENT_ID_EXAMPLE }).optional() }),
    reply: listOf(EventEnvelopeSchema, EVENT_ID_EXAMPLE),
    errors: ['invalid_request'],
  }),
  stream: route({
    ...get,
    path: '/stream',
    content: 'stream',
    summary: 'Server-sent events',
    query: StreamQuerySchema,
    reply: EventEnvelopeSchema,
    errors: ['invalid_request'],
  }),
  trigger: route({
    ...get,
    method: 'POST',
    path: '/sandbox/trigger',
    only: 'sandbox',
    summary: 'Makes an event happen now, through the ordinary path',
    query: nothing,
    body: z.object({
      event: z
        .enum([...EVENT_NAMES, 'signal.created'])
        .meta({ description: 'Name of the event.', example: 'signal.high_risk' }),
      symbol: SymbolParamSchema.optional(),
    }),
    reply: z.object({ data: z.array(EventEnvelopeSchema).meta({ description: 'The events that were written.' }) }),
    errors: ['invalid_request', 'not_found', 'symbol_not_covered'],
  }),
  subscribe: route({
    ...get,
    method: 'POST',
    access: 'webhooks',
    path: '/signals/subscribe',
    summary: 'Registers a webhook endpoint; the answer that creates it shows the signing secret, once',
    success: [201, 200],
    idempotent: true,
    query: nothing,
    body: SubscribeBodySchema,
    reply: SubscribeReplySchema,
    errors: ['invalid_request', 'forbidden', 'symbol_not_covered'],
  }),
  subscriptions: route({
    ...get,
    access: 'webhooks',
    path: '/signals/subscriptions',
    summary: 'Webhook subscriptions, newest first (extension)',
    query: z.object(page),
    reply: listOf(SubscriptionSchema),
    errors: ['invalid_request', 'forbidden'],
  }),
  subscription: route({
    ...get,
    access: 'webhooks',
    path: '/signals/subscriptions/:id',
    summary: 'One webhook subscription (extension)',
    params: subscriptionId,
    query: nothing,
    reply: SubscriptionSchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  deleteSubscription: route({
    ...get,
    method: 'DELETE',
    access: 'webhooks',
    path: '/signals/subscriptions/:id',
    summary: 'Ends a webhook subscription and forgets its deliveries (extension)',
    params: subscriptionId,
    query: nothing,
    reply: z.object({
      id: SubscriptionSchema.shape.id,
      deleted: z.literal(true).meta({ description: 'Always true.' }),
    }),
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  resumeSubscription: route({
    ...deed,
    path: '/signals/subscriptions/:id/resume',
    summary: 'Makes a subscription active and sends what it missed, of the last 7 days at most (extension)',
    body: z
      .object({
        since: InstantSchema.optional().meta({
          description:
            'Events that occurred at or after this instant are sent; 7 days back at most, which is also the default.',
          example: '2026-03-01T00:00:00Z',
        }),
      })
      .nullish(),
    reply: SubscriptionSchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  rotateSecret: route({
    ...deed,
    path: '/signals/subscriptions/:id/rotate-secret',
    summary:
      'Makes a second signing secret, shown once; webhook-signature carries both signatures from now on (extension)',
    reply: SubscribeReplySchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  promoteSecret: route({
    ...deed,
    path: '/signals/subscriptions/:id/promote-secret',
    summary: 'Ends a rotation: the second secret is the only one (extension)',
    reply: SubscriptionSchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  testSubscription: route({
    ...deed,
    path: '/signals/subscriptions/:id/test',
    summary: 'Sends the newest fitting event once more, now, and says what the endpoint answered (extension)',
    reply: DeliverySchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  deliveries: route({
    ...get,
    access: 'webhooks',
    path: '/signals/subscriptions/:id/deliveries',
    summary: 'What was sent, what came back, what is still to be sent; newest first, 7 days (extension)',
    params: subscriptionId,
    query: z.object({
      ...page,
      status: z
        .enum(DELIVERY_STATUSES)
        .optional()
        .meta({ description: 'Deliveries of this status only.', example: 'failed' }),
    }),
    reply: listOf(DeliverySchema),
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  replaySubscription: route({
    ...deed,
    path: '/signals/subscriptions/:id/replay',
    summary:
      'Sends the events of a range once more, in their order, as far back as the log goes; 1000 at a time (extension)',
    body: ReplayBodySchema,
    reply: ReplayReplySchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
  replayDelivery: route({
    ...deed,
    path: '/signals/subscriptions/:id/deliveries/:delivery/replay',
    summary: 'Sends the event of a delivery once more, the same bytes (extension)',
    params: subscriptionId.extend({
      delivery: z.string().min(1).max(64).meta({ description: 'Id of a delivery.', example: 'dlv_1' }),
    }),
    reply: DeliverySchema,
    errors: ['invalid_request', 'forbidden', 'not_found'],
  }),
} as const;

export type RouteName = keyof typeof routes;
