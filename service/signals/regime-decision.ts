// Service, signals: the regime favoured by the data, and what delays its becoming official. Pure.
import { isRegime, type Regime, regimeLabel } from '../../shared/domain/regimes.ts';
import type { RegimeCandidate } from '../../shared/wire/regime.ts';
import { MIN_BARS } from '../engine/regime-rule.ts';
import { MIN_CLOSES } from '../engine/state-rule.ts';
import type { ClosedRow } from './closed-row.ts';
import { percent } from './drafts.ts';

export type Shares = Readonly<Record<Regime, number>>;

/** The regime with the largest probability; `official` on a tie. */
export function mostProbable(shares: Shares, official: string): Regime {
  let best: Regime = isRegime(official) ? official : 'calm_uptrend';
  for (const [regime, share] of Object.entries(shares) as [Regime, number][]) if (share > shares[best]) best = regime;
  return best;
}

/** The regime in force. */
export interface OfficialRegime {
  readonly regime: string;
  /** Index of the last close. */
  readonly index: number;
  /** Index of the first close in it. */
  readonly since: number;
  /** The label by trend and volatility alone; null: not known. */
  readonly target: Regime | null;
}

/**
 * @param present probabilities from the current data
 * @returns null if the data favour the official regime
 */
export function candidateOf(
  days: readonly ClosedRow[],
  { regime: official, index, since, target }: OfficialRegime,
  present: Shares,
): RegimeCandidate | null {
  const regime = mostProbable(present, official);
  if (regime === official) return null;
  const closed = days[index]?.reading;
  const common = {
    regime,
    label: regimeLabel(regime),
    confidence: percent(100 * present[regime]) ?? 0,
    probabilities: six(present),
  };
  // The official regime was set by request; the closes already differ, and the end of its hold needs no
  // close.
  if (closed?.regime !== official) return { ...common, closes_needed: 0, waits_for: 'hold' };
  if (official === 'stress')
    return { ...common, closes_needed: missing(MIN_CLOSES, stateRun(days, index)), waits_for: 'normal_state' };
  const isReached = target === null || target === regime;
  const waits_for = isReached ? 'closes' : isVolatile(target) === isVolatile(regime) ? 'trend' : 'volatility';
  return { ...common, closes_needed: missing(MIN_BARS, index - since + 1), waits_for };
}

/** Number of closes until a change is allowed, including the changing close. */
const missing = (least: number, run: number): number => Math.max(1, least - run + 1);

const isVolatile = (regime: Regime): boolean => regime.startsWith('volatile');

/** Number of closes up to `index` in its state. */
function stateRun(days: readonly ClosedRow[], index: number): number {
  const state = days[index]?.reading.state;
  let first = index;
  while (days[first - 1]?.reading.state === state && first > 0) first -= 1;
  return index - first + 1;
}

export const six = (shares: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, Math.round(share * 1e6) / 1e6]));
