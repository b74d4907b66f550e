// Pure: endpoints of the event log: its list, its stream, and the sandbox trigger.
import { z } from 'zod';
import { EVENT_NAMES, EventEnvelopeSchema, EventNameSchema } from '../events.ts';
import { EVENT_ID_EXAMPLE, ListParamSchema, SymbolParamSchema } from '../primitives.ts';
import { listOf, StateSchema } from '../records.ts';
import {
  AfterParamSchema,
  get,
  nothing,
  page,
  RegimesParamSchema,
  route,
  StatesParamSchema,
  symbolFilters,
} from './parameters.ts';

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

export const eventRoutes = {
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
    errors: ['invalid_request', 'symbol_not_covered'],
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
      state: StateSchema.optional().meta({
        description: 'State that signal.created announces; that of any other event is in its name.',
        example: 2,
      }),
      confidence: z
        .number()
        .min(0)
        .max(100)
        .optional()
        .meta({ description: 'Confidence of the event, in place of the present one.', example: 83.3 }),
      note: z.string().max(500).optional().meta({
        description: 'Note of the event, in place of the one that is written for it.',
        example: 'A rehearsal.',
      }),
    }),
    reply: z.object({ data: z.array(EventEnvelopeSchema).meta({ description: 'The events that were written.' }) }),
    errors: ['invalid_request', 'not_found', 'symbol_not_covered'],
  }),
} as const;
