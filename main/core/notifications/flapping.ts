// Main, core: counts a symbol's recent changes in the ledger; limits of flapping.
import type { EntryStore } from '../ledger/entries.ts';

/** Number of changes within FLAP_WINDOW from which a symbol is labelled as flapping. */
export const FLAPPING = 4;
/** Number of changes within FLAP_WINDOW from which a symbol is notified at most twice a minute. */
export const FLAP_LIMIT = 10;
/** Window of the count, world ms. */
const FLAP_WINDOW = 20 * 60_000;

/** Highest count: beyond 200 changes within 20 minutes, the exact number has no use. */
const MOST = 200;

/**
 * Number of the symbol's transitions in the window up to `at` (world time, ms).
 * @param most limit of the count
 */
export const changesUpTo = (
  { entries }: { readonly entries: Pick<EntryStore, 'countWithin'> },
  symbol: string,
  at: number,
  most = MOST,
): number => entries.countWithin(symbol, Math.floor((at - FLAP_WINDOW) / 1000), Math.floor(at / 1000), most);
