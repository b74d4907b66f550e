// Pure: briefings, the editorial archive (specification 4.7; CONTRACT 48 and "Records").
import { z } from 'zod';
import { BRIEFING_TYPES } from './events.ts';
import { SymbolSchema, TimestampSchema } from './primitives.ts';

export const BriefingTypeSchema = z.enum(BRIEFING_TYPES);
export type BriefingType = z.infer<typeof BriefingTypeSchema>;

/** A row of GET /api/briefings, newest first. */
export const BriefingSchema = z.object({
  id: z.string().min(1).max(128),
  type: BriefingTypeSchema,
  title: z.string(),
  /** A desk, or whoever signed an editorial. */
  author: z.string(),
  /** When it was published. */
  date: TimestampSchema,
  summary: z.string(),
  /** Symbols that it is about; may be empty. */
  symbols: z.array(SymbolSchema),
  reading_minutes: z.number().int().positive(),
});
export type BriefingRecord = z.infer<typeof BriefingSchema>;

/** GET /api/briefings/{id}: the row and its text. */
export const BriefingTextSchema = BriefingSchema.extend({
  /** Markdown (CommonMark with tables); no HTML is meant in it. */
  body: z.string(),
  content_type: z.literal('text/markdown; charset=utf-8'),
});
