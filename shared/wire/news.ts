// Pure: market news with sentiment (specification 4.2; CONTRACT, "Records").
import { z } from 'zod';
import { SymbolSchema, TimestampSchema } from './primitives.ts';

export const SENTIMENT_LABELS = ['negative', 'neutral', 'positive'] as const;

/** A row of GET /market-news, newest first. */
export const NewsSchema = z.object({
  id: z.string().min(1).max(128),
  headline: z.string(),
  /** Plain text; may be empty. */
  summary: z.string(),
  /** Who published it. */
  source: z.string(),
  /** http or https; never opened by the service. */
  url: z.url({ protocol: /^https?$/ }),
  published_at: TimestampSchema,
  /** Symbols of this service that it names; may be empty. */
  symbols: z.array(SymbolSchema),
  sentiment: z.object({
    /** From -1 (bad) to 1 (good), of the words of headline and summary. */
    score: z.number().min(-1).max(1),
    label: z.enum(SENTIMENT_LABELS),
  }),
});
export type NewsRecord = z.infer<typeof NewsSchema>;
