// Pure: the scenarios of the sandbox that change its market, by name (docs/commands.md).
import { z } from 'zod';
import { MINUTE_MS } from '../lib/time.ts';

export const MARKET_SCENARIOS = ['burst', 'flap', 'crash'] as const;
export const MarketScenarioSchema = z.enum(MARKET_SCENARIOS);
export type MarketScenario = z.infer<typeof MarketScenarioSchema>;

/** In `crash` the market begins to fall every 20 minutes, 2 minutes after the hour and so on, ms. */
export const CRASHES = { every: 20 * MINUTE_MS, after: 2 * MINUTE_MS } as const;

/** When the next fall of `crash` begins, later than `now`, ms. */
export const nextCrashAt = (now: number): number =>
  (Math.floor((now - CRASHES.after) / CRASHES.every) + 1) * CRASHES.every + CRASHES.after;
