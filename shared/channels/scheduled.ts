// Pure: the channel of what is due.
import { z } from 'zod';
import { SCHEDULED_KINDS, type Schedule, SESSION_PARTS } from '../domain/scheduled-events.ts';
import { SymbolSchema, TimestampSchema } from '../wire/primitives.ts';
import { query } from './channel.ts';

const KindSchema = z.enum(SCHEDULED_KINDS);
export const ScheduleViewSchema = z.strictObject({
  // A newer service may have further fields.
  events: z.array(
    z.object({
      kind: KindSchema,
      symbol: SymbolSchema.nullable(),
      date: z.iso.date(),
      at: TimestampSchema.nullable(),
      part: z.enum(SESSION_PARTS).nullable(),
      zone: z.string().nullable(),
      title: z.string(),
      source: z.string(),
    }),
  ),
  /** None: the service has no list, or no such endpoint. */
  sources: z.array(
    z.object({
      name: z.string(),
      error: z.string().nullable(),
      covers: z.array(z.object({ kind: KindSchema, until: z.iso.date() })),
    }),
  ),
  /** This computer's time of the answer. */
  read_at: TimestampSchema,
  /** Set where the service could not be reached. */
  cached_at: TimestampSchema.optional(),
});
export type ScheduleView = z.infer<typeof ScheduleViewSchema>;

export const scheduleOf = ({ events, sources, read_at }: ScheduleView): Schedule => ({
  ...{ events, sources, readAt: Date.parse(read_at) },
});

export const scheduledChannels = {
  /** Refused where it was never read. */
  'scheduled.read': query(z.strictObject({}), ScheduleViewSchema),
} as const;
