// Pure: schemas of price feeds, for the operator of the service (an extension).
import { z } from 'zod';
import { SymbolSchema, TimestampSchema } from './primitives.ts';

const count = z.number().int().nonnegative();
const NameSchema = z.string().min(1).max(60).meta({ description: 'Name of the feed.', example: 'alpaca' });

export const FEED_STATUSES = ['following', 'failing', 'refused'] as const;

export const FeedSchema = z
  .object({
    name: NameSchema,
    status: z.enum(FEED_STATUSES).meta({
      description:
        'following: it answers. failing: it does not, and is tried again. refused: a person must do something (key, plan, country); it is tried again in ten minutes.',
      example: 'following',
    }),
    symbols: count.meta({ description: 'Symbols that are followed.', example: 16 }),
    delay_seconds: count.meta({ description: 'How late prices come by the plan of the account.', example: 0 }),
    last_price_at: TimestampSchema.nullable().meta({
      description: 'When the newest price came, by the clock of this computer; null: none since the start.',
      example: '2026-03-02T14:29:59.000Z',
    }),
    budgets: z
      .array(
        z.object({
          account: NameSchema,
          per_minute: count.meta({ description: 'What the service uses of the limit, a minute.', example: 140 }),
          left: count.meta({ description: 'What may be asked at once.', example: 20 }),
          waits_until: TimestampSchema.nullable().meta({
            description: 'The vendor asked for silence until then; null: it did not.',
            example: null,
          }),
        }),
      )
      .meta({ description: 'One for each account: of the vendor, and of the hosts of files beside it.' }),
    last_fault: z
      .object({
        at: TimestampSchema.meta({ description: 'When it went wrong.', example: '2026-03-02T14:29:59.000Z' }),
        message: z.string().meta({ description: 'What went wrong.', example: 'alpaca answered 503.' }),
      })
      .nullable()
      .meta({ description: 'The newest error, healed or not; null: none since the start.' }),
    without_prices: z
      .array(
        z.object({
          symbol: SymbolSchema,
          reason: z.string().meta({ description: 'Why.', example: 'Alpaca has no indices' }),
        }),
      )
      .meta({ description: 'Symbols that the vendor does not serve; at most 100.' }),
    history: z
      .object({
        done: count.meta({ description: 'Symbols with their five years of history.', example: 12 }),
        stopped: z.boolean().meta({ description: 'Nothing more is fetched until it goes on.', example: false }),
      })
      .meta({ description: 'The first fetch of history.' }),
  })
  .meta({ id: 'Feed', description: 'A feed of prices.' });
export type Feed = z.infer<typeof FeedSchema>;

export const FeedHistoryBodySchema = z.object({
  stopped: z.boolean().meta({ description: 'Whether fetching history stops.', example: true }),
});
