// Pure: the shared type, parameters and filters of the rows of the table of endpoints.
import { z } from 'zod';
import { ASSET_CLASSES } from '../../domain/instruments.ts';
import { REGIMES } from '../../domain/regimes.ts';
import { type State, stateFromQuery } from '../../domain/states.ts';
import { countParam, InstantSchema, ListParamSchema, SymbolParamSchema, SymbolSchema } from '../primitives.ts';
import type { RouteSpec } from '../route.ts';

export const nothing = z.object({});

export const route = <
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType | null,
  Reply extends z.ZodType,
>(
  spec: RouteSpec<Params, Query, Body, Reply>,
): RouteSpec<Params, Query, Body, Reply> => spec;

export const get = {
  method: 'GET',
  access: 'read',
  spelling: 'lower',
  content: 'json',
  params: nothing,
  body: null,
} as const;

export const idParam = (max: number, example: string) =>
  z.string().min(1).max(max).meta({ description: 'Id, as given in the list.', example });

export const AfterParamSchema = z.string().min(1).max(512).meta({
  description:
    'next_cursor of the previous page. A cursor is opaque, and valid only for the same list with the same filters.',
  example: 'tLgET-ApwwONxfMbWyJJV00iXQ',
});
/** Every list endpoint takes these. */
export const page = {
  limit: countParam(1, 100).default(50).meta({ description: 'Rows per page.', example: 50 }),
  after: AfterParamSchema.optional(),
};
/** Start and end of a list, both included. */
export const range = {
  from: InstantSchema.optional().meta({
    description: 'Start, inclusive: an ISO 8601 date, or date and time; without a zone it is UTC.',
    example: '2026-02-01',
  }),
  to: InstantSchema.optional().meta({
    description: 'End, inclusive: an ISO 8601 date, or date and time; without a zone it is UTC.',
    example: '2026-03-01T14:30:00Z',
  }),
};

const SymbolsParamSchema = ListParamSchema.transform((symbols) => symbols.map((symbol) => symbol.toUpperCase()))
  .pipe(z.array(SymbolSchema).max(500))
  .meta({
    description: 'Several symbols, separated by commas or as a repeated parameter.',
    example: ['SPY', 'QQQ'],
  });
export const StatesParamSchema = ListParamSchema.transform((names, context) => {
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
export const symbolFilters = { symbol: SymbolParamSchema.optional(), symbols: SymbolsParamSchema.optional() };
/** A name that no regime has would open a stream that never says anything. */
export const RegimesParamSchema = ListParamSchema.pipe(
  z.array(z.enum(REGIMES, { error: ({ input }) => `"${input}" is no regime; use ${REGIMES.join(', ')}` })),
).meta({
  description: `Names of regimes (${REGIMES.join(', ')}), separated by commas or repeated.`,
  example: ['stress', 'volatile_downtrend'],
});
export const signalFilters = {
  ...symbolFilters,
  state: StatesParamSchema.optional(),
  regime: RegimesParamSchema.optional(),
  class: ListParamSchema.pipe(z.array(z.enum(ASSET_CLASSES)))
    .optional()
    .meta({ description: 'Asset classes, separated by commas or repeated.', example: ['etf', 'index'] }),
};
