// Pure: endpoints of the validation record, what is due, briefings and news.
import { z } from 'zod';
import { BriefingSchema, BriefingTextSchema, BriefingTypeSchema } from '../briefings.ts';
import { NewsSchema } from '../news.ts';
import { countParam, ListParamSchema } from '../primitives.ts';
import { listOf } from '../records.ts';
import { ScheduleSchema } from '../scheduled.ts';
import { PastClosesSchema, ValidationSchema } from '../validation.ts';
import { get, idParam, nothing, page, range, route, symbolFilters } from './parameters.ts';

export const archiveRoutes = {
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
  pastCloses: route({
    ...get,
    path: '/api/validation/closes',
    summary: 'The closes that the validation scored, and which of them were High Risk, by symbol (extension)',
    query: z.object({
      ...page,
      // A row has up to 90 KB.
      limit: countParam(1, 25).default(10).meta({ description: 'Rows per page, at most 25.', example: 10 }),
      ...symbolFilters,
    }),
    reply: listOf(PastClosesSchema),
    errors: ['invalid_request'],
  }),
  scheduled: route({
    ...get,
    path: '/api/scheduled',
    summary: 'What is due: earnings, dividends, splits, central banks, inflation; from files and feeds (extension)',
    query: nothing,
    reply: ScheduleSchema,
    errors: ['invalid_request'],
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
} as const;
