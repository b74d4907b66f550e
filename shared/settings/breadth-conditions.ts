// Pure: conditions of alert rules on the share of a list, and their evaluation (docs/decisions/alerts.md).
import { z } from 'zod';
import type { State } from '../domain/states.ts';
import { SymbolSchema } from '../wire/primitives.ts';

/** The rule of the setting that holds back others while the share of a list is High Risk; none of the user has this id. */
export const INHIBITION_RULE = '(grouping)';

export const BREADTH_PERCENT = { least: 1, most: 100 };

/** A share of a watchlist. */
export const ListShareSchema = z.strictObject({
  /** Id of the watchlist. */
  list: z.string().min(1).max(64),
  /** Of the symbols whose state is known. */
  percent: z.number().int().min(BREADTH_PERCENT.least).max(BREADTH_PERCENT.most),
});
export type ListShare = z.infer<typeof ListShareSchema>;

export const BreadthConditionSchema = ListShareSchema.extend({
  /** The symbols that count are in this state or a higher one. */
  state: z.literal([1, 2]),
});
export type BreadthCondition = z.infer<typeof BreadthConditionSchema>;

/** What the ledger stores of both events. */
export const BreadthSchema = z.strictObject({
  condition: BreadthConditionSchema,
  /** Name of the list at that time. */
  name: z.string().max(80),
  /** The symbols that count, in the order of the list. */
  symbols: z.array(SymbolSchema).max(2000),
  /** How many symbols of the list have a known state, and how many it has. */
  known: z.number().int().positive(),
  of: z.number().int().positive(),
});
export type Breadth = z.infer<typeof BreadthSchema>;

/** Conditions with the same key are one: they have one event, whatever rules ask for it. */
export const breadthKey = ({ list, percent, state }: BreadthCondition): string => `${percent} ${state} ${list}`;

/** What is known of a symbol. */
interface KnownState {
  readonly signal: { readonly state: State; readonly state_word?: string | undefined } | null;
  readonly stale: boolean;
}

export type Measurement = Pick<Breadth, 'symbols' | 'known' | 'of'>;

/** Counts the symbols of a list. The state of a symbol that is stale, unreadable or not covered is not known. */
export function measureBreadth(
  listed: readonly string[],
  rowOf: (symbol: string) => KnownState | undefined,
  least: State,
): Measurement {
  const all = [...new Set(listed)];
  const known = all.flatMap((symbol) => {
    const row = rowOf(symbol);
    const isKnown = row !== undefined && row.signal !== null && !row.stale && row.signal.state_word === undefined;
    return isKnown ? [{ symbol, state: row.signal.state }] : [];
  });
  const symbols = known.flatMap(({ symbol, state }) => (state >= least ? [symbol] : []));
  return { symbols, known: known.length, of: all.length };
}

/** False where fewer than half of the states are known: nothing is concluded from them. */
export const isMeasured = ({ known, of }: Pick<Measurement, 'known' | 'of'>): boolean => known > 0 && known * 2 >= of;

/** Percent of the known symbols. */
export const shareOf = ({ symbols, known }: Measurement): number => (known === 0 ? 0 : (symbols.length * 100) / known);

/** A crossing ends when the share is below this part of its condition. */
export const END_SHARE = 0.8;

/** Whether the share counts as reached after a measurement. @param isReached before it */
export function isBreadthReached(isReached: boolean, percent: number, measured: Measurement): boolean {
  if (!isMeasured(measured)) return isReached;
  const share = shareOf(measured);
  return isReached ? share >= percent * END_SHARE : share >= percent;
}
