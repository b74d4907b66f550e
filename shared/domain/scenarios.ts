// Pure: the scenarios of the sandbox that change its market, by name (docs/commands.md).
import { z } from 'zod';

export const MARKET_SCENARIOS = ['calm', 'burst', 'flap', 'crash'] as const;
export const MarketScenarioSchema = z.enum(MARKET_SCENARIOS);
export type MarketScenario = z.infer<typeof MarketScenarioSchema>;
