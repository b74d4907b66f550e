// Main, core: counts a symbol's recent changes in the ledger, and their limits.
import type { EntryStore } from '../ledger/entries.ts';

/** A symbol with this many changes within FLAP_WINDOW is labelled as flapping. */
export const FLAPPING = 4;
/** A symbol with this many changes is notified twice a minute at most. */
export const FLAP_LIMIT = 10;
/** World time, ms. */
const FLAP_WINDOW = 20 * 60_000;

/** Highest count: nobody distinguishes 200 from 300 within 20 minutes. */
const MOST = 200;

/**
 * Transitions of the symbol in the window up to `at` (world time, ms), as the ledger has them now.
 * @param most limit of the count
 */
export const changesUpTo = (
  { entries }: { readonly entries: Pick<EntryStore, 'countWithin'> },
  symbol: string,
  at: number,
  most = MOST,
): number => entries.countWithin(symbol, Math.floor((at - FLAP_WINDOW) / 1000), Math.floor(at / 1000), most);
