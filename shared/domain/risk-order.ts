// Pure: the one order by risk: which symbol or alert is worst. Every list and text uses it.
import { heldShares, type RiskRow } from './holdings.ts';
import type { State } from './states.ts';
import type { Watchlist } from './watchlists.ts';

/** A symbol in a state, as an alert has it. */
export interface RankedAlert {
  readonly symbol: string;
  readonly to_state: State;
  /** Percent; null: the service gives none. */
  readonly confidence: number | null;
}

/** A watchlist row, with the fields that rank its symbol. */
export interface RankedRow extends RiskRow {
  readonly signal: (NonNullable<RiskRow['signal']> & { readonly breach_progress?: number | null | undefined }) | null;
}

/** What an alert is ranked by, from the first that is known. */
export interface Rank {
  /**
   * money: its share of the holdings times its fall. breach: its fall. confidence: the service does not say how
   * far the price has fallen.
   */
  readonly basis: 'money' | 'breach' | 'confidence';
  /** The present fall of the symbol in its own thresholds: 1 at its breach level; null: unknown. */
  readonly progress: number | null;
}

export interface RiskOrder {
  /** Worst first: by state, then money at risk, then the fall, then confidence; 0: equal. */
  compare(a: RankedAlert, b: RankedAlert): number;
  /** As `compare`, by the present states of the symbols; those without a state come last. */
  compareSymbols(a: string, b: string): number;
  rankOf(symbol: string): Rank;
}

/** Less than any money at risk. */
const NOT_HELD = -1;
const descending = (a: number, b: number): number => (a === b ? 0 : b - a);

/** Ranks by the present prices of the rows, never by those at the transition. */
export function riskOrder(
  lists: readonly Pick<Watchlist, 'holdings'>[],
  rowOf: (symbol: string) => RankedRow | undefined,
): RiskOrder {
  const shares = heldShares(lists, rowOf);
  const progressOf = (symbol: string): number | null => rowOf(symbol)?.signal?.breach_progress ?? null;
  // An unknown fall counts as the deepest.
  const fallOf = (symbol: string): number => progressOf(symbol) ?? Number.POSITIVE_INFINITY;
  const moneyOf = (symbol: string): number => {
    const share = shares.get(symbol);
    return share === undefined ? NOT_HELD : share * fallOf(symbol);
  };
  const compare = (a: RankedAlert, b: RankedAlert): number =>
    b.to_state - a.to_state ||
    descending(moneyOf(a.symbol), moneyOf(b.symbol)) ||
    descending(fallOf(a.symbol), fallOf(b.symbol)) ||
    (b.confidence ?? -1) - (a.confidence ?? -1);
  return {
    compare,
    compareSymbols(a, b) {
      const [of, than] = [rowOf(a)?.signal ?? null, rowOf(b)?.signal ?? null];
      if (of === null || than === null) return Number(of === null) - Number(than === null);
      return compare({ symbol: a, to_state: of.state, ...of }, { symbol: b, to_state: than.state, ...than });
    },
    rankOf(symbol) {
      const progress = progressOf(symbol);
      return { progress, basis: progress === null ? 'confidence' : shares.has(symbol) ? 'money' : 'breach' };
    },
  };
}
