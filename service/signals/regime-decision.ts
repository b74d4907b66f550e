// Service, signals: which regime the data favour, and what it needs to become official. Pure.
import { isRegime, type Regime, regimeLabel } from '../../shared/domain/regimes.ts';
import type { RegimeCandidate } from '../../shared/wire/regime.ts';
import { MIN_BARS } from '../engine/regime-rule.ts';
import { MIN_CLOSES } from '../engine/state-rule.ts';
import type { ClosedRow } from './closed-row.ts';
import { percent } from './drafts.ts';

export type Shares = Readonly<Record<Regime, number>>;

/** The regime with the largest probability; of equals, `official`. */
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
  /** What the label would be by trend and volatility alone; null when unknown. */
  readonly target: Regime | null;
}

/**
 * @param present probabilities by the present data
 * @returns null where the data favour the official regime
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
  // Set by request: the closes say otherwise already, and the hold ends without one.
  if (closed?.regime !== official) return { ...common, closes_needed: 0, waits_for: 'hold' };
  if (official === 'stress')
    return { ...common, closes_needed: missing(MIN_CLOSES, stateRun(days, index)), waits_for: 'normal_state' };
  const isReached = target === null || target === regime;
  const waits_for = isReached ? 'closes' : isVolatile(target) === isVolatile(regime) ? 'trend' : 'volatility';
  return { ...common, closes_needed: missing(MIN_BARS, index - since + 1), waits_for };
}

/** Closes until a change is allowed, the changing one included. */
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
