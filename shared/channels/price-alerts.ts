// Pure: channels about price alerts: the test of a rule on past closes.
import { z } from 'zod';
import { RuleSchema } from '../settings/alert-rules.ts';
import { SymbolSchema, TimestampSchema } from '../wire/primitives.ts';
import { query } from './channel.ts';

export const PriceBacktestSchema = z.strictObject({
  /** Number of tested symbols. */
  symbols: z.number().int().nonnegative(),
  /** Untested symbols: beyond the limit, or closes cannot show the condition. */
  untested: z.array(SymbolSchema),
  /** Symbols without closes at the service. */
  without: z.array(SymbolSchema),
  /** World time of the first close of the last 30 days, or null. */
  from: TimestampSchema.nullable(),
  closes: z.number().int().nonnegative(),
  notified: z.number().int().nonnegative(),
  /** The newest notified crossings, newest first. */
  examples: z.array(
    z.strictObject({
      symbol: SymbolSchema,
      at: TimestampSchema,
      price: z.number().positive(),
      /** Percent of a change; null: the condition is a level. */
      change_pct: z.number().nullable(),
    }),
  ),
});
export type PriceBacktest = z.infer<typeof PriceBacktestSchema>;

/** Part of the one table in `channels.ts`. */
export const priceAlertChannels = {
  /**
   * Evaluates a rule on prices, saved or not, on the service's closes of the last 30 days. Notifies nobody.
   */
  'priceAlerts.backtest': query(z.strictObject({ rule: RuleSchema }), PriceBacktestSchema),
} as const;
