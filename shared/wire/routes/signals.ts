// Pure: endpoints of the service itself, of signals, transitions and alerts.
import { z } from 'zod';
import { AlertEpisodeSchema } from '../alerts.ts';
import { InstantSchema, ListParamSchema, SymbolParamSchema } from '../primitives.ts';
import { KeyIdSchema, NonceSchema, ProofSchema } from '../proof.ts';
import {
  HealthSchema,
  HistoryPointSchema,
  healthFields,
  listOf,
  MAX_PRICE_HOLES,
  PriceAnswerBodySchema,
  PriceAnswerSchema,
  PriceHoleSchema,
  ReadySchema,
  RootSchema,
  SignalSchema,
  TransitionRecordSchema,
} from '../records.ts';
import { get, nothing, page, range, route, signalFilters } from './parameters.ts';

export const signalRoutes = {
  health: route({
    ...get,
    path: '/health',
    access: 'open',
    summary: 'Liveness',
    query: nothing,
    reply: HealthSchema,
    errors: [],
  }),
  healthLive: route({
    ...get,
    path: '/health/live',
    access: 'open',
    summary: 'Whether the process answers at all, for what restarts it (extension)',
    query: nothing,
    reply: HealthSchema,
    errors: [],
  }),
  healthReady: route({
    ...get,
    path: '/health/ready',
    access: 'open',
    summary:
      'Whether every endpoint answers, for balancers; 503 at the start, under overload and before the end (extension)',
    query: nothing,
    reply: ReadySchema,
    errors: ['temporarily_unavailable'],
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
  proof: route({
    ...get,
    path: '/proof',
    access: 'open',
    summary: 'Proof that the service knows a key, before the key is sent over plain http (extension)',
    query: z.object({
      key: KeyIdSchema.meta({
        description: 'Id of the key: key_ and the first 12 hexadecimal digits of its SHA-256.',
        example: 'key_0123456789ab',
      }),
      nonce: NonceSchema.meta({ description: '32 random bytes in hexadecimal.', example: '0f'.repeat(32) }),
      origin: z.string().max(200).meta({
        description: 'The origin that the client asks. The proof holds for the address of this connection alone.',
        example: 'http://127.0.0.1:8787',
      }),
    }),
    reply: ProofSchema,
    errors: ['invalid_request'],
  }),
  snapshot: route({
    ...get,
    path: '/snapshot',
    summary: 'Current signals of all instruments with current prices',
    query: z.object({
      ...page,
      ...signalFilters,
      include: ListParamSchema.pipe(z.array(z.enum(['stale'])))
        .optional()
        .meta({
          description: 'stale: also symbols whose last price is long ago, which are left out otherwise.',
          example: ['stale'],
        }),
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
  answerPrice: route({
    ...get,
    method: 'POST',
    access: 'webhooks',
    path: '/price-questions/:symbol/:date',
    summary: 'Says what a price is that may be a fault of the data; signals use it at once (extension)',
    params: z.object({
      symbol: SymbolParamSchema,
      date: z.iso.date().meta({ description: 'Session date of the price.', example: '2026-03-02' }),
    }),
    query: nothing,
    body: PriceAnswerBodySchema,
    reply: PriceAnswerSchema,
    errors: ['invalid_request', 'forbidden', 'not_found', 'symbol_not_covered'],
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
    reply: listOf(HistoryPointSchema).extend({
      ...healthFields,
      price_holes: z.array(PriceHoleSchema).max(MAX_PRICE_HOLES).optional().meta({
        description: 'Ranges within the 90 days without prices that count, oldest first. Left out where there is none.',
      }),
    }),
    errors: ['invalid_request', 'symbol_not_covered'],
  }),
  alertTransitions: route({
    ...get,
    path: '/alert-transitions',
    summary: 'Changes of state, newest first',
    query: z.object({ ...page, ...signalFilters, ...range }),
    reply: listOf(TransitionRecordSchema),
    errors: ['invalid_request'],
  }),
  alerts: route({
    ...get,
    path: '/alerts',
    summary:
      'Episodes out of Normal with their durations, newest first; state filters the peak, from and to the beginning',
    query: z.object({
      ...page,
      ...signalFilters,
      ...range,
      open_at: InstantSchema.optional().meta({
        description: 'Only episodes that were open at this instant: one a symbol at most, however long ago it began.',
        example: '2026-03-02T14:30:00Z',
      }),
    }),
    reply: listOf(AlertEpisodeSchema),
    errors: ['invalid_request'],
  }),
} as const;
