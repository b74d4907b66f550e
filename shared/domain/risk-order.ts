// Pure: the one order by risk: which symbol or alert is worst. Every list and text uses it.
import { type HoldingLists, type RiskRow, type Stake, stakesOf } from './holdings.ts';
import type { State } from './states.ts';

/** A symbol in a state, as an alert has it. */
export interface RankedAlert {
  readonly symbol: string;
  readonly to_state: State;
  /** Percent; null: the service gives none. */
  readonly confidence: number | null;
}

export interface RiskOrder {
  /** Worst first: by state, then what is at stake, then the fall, then confidence; 0: equal. */
  compare(a: RankedAlert, b: RankedAlert): number;
  /** As `compare`, by the present states of the symbols; those without a state come last. */
  compareSymbols(a: string, b: string): number;
  /** null: not held. */
  stakeOf(symbol: string): Stake | null;
  /** The present fall of the symbol in its own thresholds: 1 at its breach level; null: not known. */
  progressOf(symbol: string): number | null;
}

/** Less than anything at stake. */
const NOT_HELD = -1;
const descending = (a: number, b: number): number => (a === b ? 0 : b - a);

/** Ranks by the present prices of the rows, never by those at the transition. */
export function riskOrder(lists: HoldingLists, rowOf: (symbol: string) => RiskRow | undefined): RiskOrder {
  const computed = stakesOf(lists, rowOf);
  const stakes = new Map<string, Stake | null>();
  const stakeOf = (symbol: string): Stake | null => {
    const known = stakes.get(symbol);
    const stake = known === undefined ? computed(symbol) : known;
    stakes.set(symbol, stake);
    return stake;
  };
  const progressOf = (symbol: string): number | null => rowOf(symbol)?.signal?.breach_progress ?? null;
  // What is unknown counts as the most.
  const fallOf = (symbol: string): number => progressOf(symbol) ?? Number.POSITIVE_INFINITY;
  const shareOf = (symbol: string): number => {
    const stake = stakeOf(symbol);
    return stake === null ? NOT_HELD : (stake.share ?? Number.POSITIVE_INFINITY);
  };
  const compare = (a: RankedAlert, b: RankedAlert): number =>
    b.to_state - a.to_state ||
    descending(shareOf(a.symbol), shareOf(b.symbol)) ||
    descending(fallOf(a.symbol), fallOf(b.symbol)) ||
    (b.confidence ?? -1) - (a.confidence ?? -1);
  return {
    compare,
    compareSymbols(a, b) {
      const [of, than] = [rowOf(a)?.signal ?? null, rowOf(b)?.signal ?? null];
      if (of === null || than === null) return Number(of === null) - Number(than === null);
      return compare({ symbol: a, to_state: of.state, ...of }, { symbol: b, to_state: than.state, ...than });
    },
    stakeOf,
    progressOf,
  };
}
