// Pure: endpoints of regimes and factors.
import { z } from 'zod';
import { GRANULARITIES } from '../../domain/regimes.ts';
import { ArchetypesSchema, FactorsReplySchema } from '../factors.ts';
import { InstantSchema, SymbolParamSchema } from '../primitives.ts';
import { RegimeHistorySchema, RegimeSchema } from '../regime.ts';
import { get, page, range, route } from './parameters.ts';

export const factorRoutes = {
  regime: route({
    ...get,
    path: '/regime/:symbol',
    summary: 'Regime of one symbol, now or as of an instant of the past two years; for regime-only symbols too',
    params: z.object({ symbol: SymbolParamSchema }),
    query: z.object({
      as_of: InstantSchema.optional().meta({
        description:
          'The instant asked for: an ISO 8601 date, or date and time; without a zone it is UTC. Without it: now.',
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
        .meta({
          description:
            'Interval between rows; the answer says the one that it has. minute needs the Institutional plan.',
          example: 'day',
        }),
    }),
    reply: RegimeHistorySchema,
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
} as const;
