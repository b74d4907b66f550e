// Service, market feeds: compares the prices of a feed with a second source. Pure.
// The feed's prices count; the second source explains prices in question, and reveals differences.
import { countLeading } from '../../count-leading.ts';
import type { Bar } from '../../engine/types.ts';
import type { BarList } from '../bar-series.ts';
import { splitWithin } from '../tape/evidence.ts';
import type { OpenQuestion } from '../tape/inspected-market.ts';
import type { TapeFault } from '../tape/tape.ts';
import type { TapeAction } from '../tape/tape-action.ts';

/** Share of the move above which the second source confirms it, and below which it refuses it. */
const MOST = 0.6;
const LITTLE = 0.4;
/** Logarithmic difference above which two closes disagree: 50 basis points. */
const DISAGREEMENT = Math.log(1.005);

export interface SecondSource {
  /** Name, for people. */
  readonly name: string;
  /** The bars of a symbol that count, oldest first. */
  bars(symbol: string): BarList;
}

/**
 * Explains a price in question by the second source, as an action of its date; null: the second source lacks
 * one of the closes, may have the same fault, or is inconclusive.
 */
export function secondOpinion({ symbol, doubt, before, bar }: OpenQuestion, second: SecondSource): TapeAction | null {
  const [otherBefore, other] = [before, bar].map(({ date }) => barOf(second.bars(symbol), date));
  if (otherBefore === undefined || other === undefined) return null;
  const move = Math.log(bar.close / before.close);
  const otherMove = Math.log(other.close / otherBefore.close);
  const common = { symbol, date: bar.date, factor: null, close: bar.close };
  const agrees = Math.abs(move - otherMove) <= DISAGREEMENT;
  // Another unadjusted source has the same jump.
  if (agrees && doubt === 'split') return null;
  if (agrees) return { ...common, kind: 'real', note: `${second.name} has the same move` };
  // An equal price after a different move: the second source has adjusted its earlier closes.
  const isSamePrice = Math.abs(Math.log(other.close / bar.close)) <= DISAGREEMENT;
  if (!isSamePrice) {
    const note = `${second.name} has the close ${other.close} and not ${bar.close}`;
    if (Math.abs(otherMove) < LITTLE * Math.abs(move)) return { ...common, kind: 'refuse', note };
    // Venues differ more in a crash. A similar move confirms a price, unless the move may be a split.
    const share = otherMove / move;
    return doubt !== 'split' && share > MOST && share < 1 / MOST ? { ...common, kind: 'real', note } : null;
  }
  const level = move - otherMove;
  const factor = splitWithin(level, DISAGREEMENT) ?? Math.exp(level);
  return { ...common, close: null, kind: 'split', factor, note: `${second.name} has other closes before` };
}

/** The fault if the closes of the newest common day disagree, or null. */
export function disagreement(symbol: string, bars: BarList, second: SecondSource): TapeFault | null {
  const others = second.bars(symbol);
  if (others.length === 0) return null;
  const last = newestCommon(bars, others);
  const other = last === undefined ? undefined : barOf(others, last.date);
  if (last === undefined || other === undefined) return null;
  if (Math.abs(Math.log(other.close / last.close)) <= DISAGREEMENT) return null;
  const note = `${symbol} ${last.date}: close ${last.close}, and ${other.close} in ${second.name}; the first one counts`;
  return { kind: 'disagreement', symbol, date: last.date, note };
}

function barOf(bars: BarList, date: string): Bar | undefined {
  const bar = bars.at(countLeading(bars, (one) => one.date < date));
  return bar?.date === date ? bar : undefined;
}

/** The newest bar whose date the others have too. */
function newestCommon(bars: BarList, others: BarList): Bar | undefined {
  for (let index = bars.length - 1; index >= 0; index--) {
    const bar = bars.at(index);
    if (bar !== undefined && barOf(others, bar.date) !== undefined) return bar;
  }
  return undefined;
}
