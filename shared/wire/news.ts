// Pure: schema of market news with sentiment.
import { z } from 'zod';
import { SymbolSchema, TimestampSchema } from './primitives.ts';

export const SENTIMENT_LABELS = ['negative', 'neutral', 'positive'] as const;

/** A row of GET /market-news, newest first. */
export const NewsSchema = z
  .object({
    id: z.string().min(1).max(128).meta({
      description: 'Id of the record; it never changes.',
      example: 'nws_01KJNXSJZ0000YGVX398GWTM',
    }),
    headline: z.string().meta({
      description: 'Its headline.',
      example: 'SPY ends the day 0.12 % higher; JNJ best, NVDA weakest',
    }),
    summary: z.string().meta({
      description: 'Plain text, a few sentences; may be empty.',
      example: 'SPY closed at 525.45. JNJ rose most, by 1.3 %; NVDA fell most, by 1.9 %. Up: 27 of 45.',
    }),
    source: z.string().meta({ description: 'Who published it.', example: 'Sandbox Wire' }),
    url: z.url({ protocol: /^https?$/ }).meta({
      description: 'Address, http or https; the service never opens it.',
      example: 'https://wire.sandbox.example/2026/03/02/nws_01KJNXSJZ0000YGVX398GWTM',
    }),
    published_at: TimestampSchema.meta({
      description: 'When it was published.',
      example: '2026-03-02T00:05:00.000Z',
    }),
    symbols: z.array(SymbolSchema).meta({
      description: 'Symbols of this service that it names; may be empty.',
      example: ['SPY', 'JNJ', 'NVDA'],
    }),
    sentiment: z
      .object({
        score: z.number().min(-1).max(1).meta({ description: 'From -1 (bad) to 1 (good).', example: 0.17 }),
        label: z.enum(SENTIMENT_LABELS).meta({ description: 'The score as a word.', example: 'positive' }),
      })
      .meta({ description: 'Sentiment of the words of headline and summary.' }),
  })
  .meta({ id: 'News', description: 'One piece of market news.' });
export type NewsRecord = z.infer<typeof NewsSchema>;
