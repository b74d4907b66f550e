// Pure: schemas of briefings, the editorial archive.
import { z } from 'zod';
import { BRIEFING_TYPES } from './events.ts';
import { SymbolSchema, TimestampSchema } from './primitives.ts';

export const BriefingTypeSchema = z.enum(BRIEFING_TYPES).meta({ description: 'Kind of briefing.' });
export type BriefingType = z.infer<typeof BriefingTypeSchema>;

const SUMMARY =
  'Nearest to a breach among funds and indices is GLD: at 279.91 it has gone 40 % of the way, and another 5.2 % down, to 265.48, would complete it. It is Normal with a confidence of 93.9 %.';
const BODY = `Monday 2 March, before the open: two symbols have changed state since the last close.

${SUMMARY}

## What would be a breach

| Symbol | Price | Breach at | Room |
| --- | ---: | ---: | ---: |
| GLD | 279.91 | 265.48 | 5.2 % |
`;

/** A row of GET /api/briefings, newest first. */
export const BriefingSchema = z
  .object({
    id: z.string().min(1).max(128).meta({
      description: 'Id of the record; it never changes.',
      example: 'brf_01KJPRZB000001A7D4F3WE3C',
    }),
    type: BriefingTypeSchema,
    title: z.string().meta({ description: 'Its title.', example: 'GLD is 40 % of the way to a breach' }),
    author: z.string().meta({ description: 'A desk, or the author of an editorial.', example: 'Macro desk' }),
    date: TimestampSchema.meta({ description: 'When it was published.', example: '2026-03-02T08:00:00.000Z' }),
    summary: z.string().meta({ description: 'Summary in a few sentences; may be empty.', example: SUMMARY }),
    symbols: z.array(SymbolSchema).meta({
      description: 'Symbols that it is about; may be empty.',
      example: ['GLD', 'SPY'],
    }),
    reading_minutes: z.number().int().positive().meta({ description: 'Minutes that it takes to read.', example: 1 }),
  })
  .meta({ id: 'Briefing', description: 'A briefing of the archive, without its text.' });
export type BriefingRecord = z.infer<typeof BriefingSchema>;

/** GET /api/briefings/{id}. */
export const BriefingTextSchema = BriefingSchema.extend({
  body: z.string().meta({
    description: 'The text: Markdown (CommonMark with tables), without HTML.',
    example: BODY,
  }),
  content_type: z.literal('text/markdown; charset=utf-8').meta({ description: 'Media type of the body.' }),
}).meta({ id: 'BriefingText', description: 'A briefing with its text.' });
