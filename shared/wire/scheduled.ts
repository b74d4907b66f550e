// Pure: schemas of what is due (an extension).
import { z } from 'zod';
import { SCHEDULED_KINDS, SESSION_PARTS } from '../domain/scheduled-events.ts';
import { SymbolSchema, TimestampSchema } from './primitives.ts';

const KindSchema = z.enum(SCHEDULED_KINDS).meta({ description: 'What is due.', example: 'earnings' });

export const ScheduledEventSchema = z
  .object({
    kind: KindSchema,
    symbol: SymbolSchema.nullable().meta({
      description: 'The symbol that it concerns; null: every market.',
      example: 'AAPL',
    }),
    date: z.iso.date().meta({ description: 'The day, on the clock of `zone`.', example: '2026-03-03' }),
    at: TimestampSchema.nullable().meta({
      description: 'The instant, where a time is stated.',
      example: '2026-03-03T21:30:00.000Z',
    }),
    part: z.enum(SESSION_PARTS).nullable().meta({
      description: 'Before, during or after the session of that day, by its time or as stated; null: not known.',
      example: 'after_close',
    }),
    zone: z.string().min(1).max(60).nullable().meta({
      description: 'IANA time zone of `date`; null: that day on the clock of each market.',
      example: 'America/New_York',
    }),
    title: z.string().max(200).meta({ description: 'As its source names it.', example: 'AAPL results' }),
    source: z
      .string()
      .min(1)
      .max(120)
      .meta({ description: 'The file that it is from, or the feed.', example: 'earnings.csv' }),
  })
  .meta({ id: 'ScheduledEvent', description: 'Something that is due on a day that was known before.' });

export const ScheduleSchema = z
  .object({
    events: z
      .array(ScheduledEventSchema)
      .max(5_000)
      .meta({ description: 'In the order of their days, from 45 days ago to 200 days ahead.' }),
    sources: z
      .array(
        z.object({
          name: z.string().min(1).max(120).meta({ description: 'The file or the feed.', example: 'earnings.csv' }),
          error: z.string().nullable().meta({
            description: 'Why it could not be read; then its last contents are given.',
            example: null,
          }),
          covers: z
            .array(
              z.object({ kind: KindSchema, until: z.iso.date().meta({ description: 'Day.', example: '2026-06-30' }) }),
            )
            .meta({ description: 'The last day that it covers of each kind: it says nothing of later ones.' }),
          refused: z.number().int().nonnegative().meta({ description: 'Rows that are not used.', example: 0 }),
        }),
      )
      .meta({ description: 'The lists that were read. None: what is due is not known.' }),
  })
  .meta({ id: 'Schedule', description: 'What is due, as files and feeds list it; never computed from prices.' });
export type ScheduleRecord = z.infer<typeof ScheduleSchema>;
