// Main, core: how often a symbol changed lately. Pure limits, and one reading of the ledger.
import type { EntryStore } from '../ledger/entries.ts';

/** A symbol that changed this often within FLAP_WINDOW is said to be flapping. */
export const FLAPPING = 4;
/** One that changed this often is notified twice a minute at most. */
export const FLAP_LIMIT = 10;
/** World time, ms. */
const FLAP_WINDOW = 20 * 60_000;

/** More are not counted: nobody tells 200 from 300 within 20 minutes. */
const MOST = 200;

/**
 * Transitions of the symbol in the window up to `at` (world time, ms), as the ledger has them now.
 * @param most counted no further than this
 */
export const changesUpTo = (
  { entries }: { readonly entries: Pick<EntryStore, 'countWithin'> },
  symbol: string,
  at: number,
  most = MOST,
): number => entries.countWithin(symbol, Math.floor((at - FLAP_WINDOW) / 1000), Math.floor(at / 1000), most);
