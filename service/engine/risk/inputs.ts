// Service, engine: the inputs of the risk model, from a price and what was known at the close before it.
import type { FactorCode } from '../../../shared/domain/factors.ts';
import type { PanelReading } from '../factors/panel.ts';
import { type BarHistory, nextVariance } from '../history.ts';

/**
 * In this order everywhere: the symbol's own, what its fellows say, what the market's panel says. Each belongs to the dimension that it is told
 * under.
 */
export const RISK_INPUTS = [
  /** Drawdown from the 21-bar high over the breach threshold. */
  { name: 'drawdown', dimension: 'D-12' },
  /** Short over long volatility. */
  { name: 'volatility_change', dimension: 'D-03' },
  /** 5-bar log return over its usual size. */
  { name: 'five_bar_return', dimension: 'D-11' },
  /** 21-bar log return over its usual size: of two equal drawdowns, the one from a steeper rise. */
  { name: 'month_return', dimension: 'D-08' },
  /** How far down all shares, funds and indices of the folder are together, ranked. */
  { name: 'common_drawdown', dimension: 'D-02' },
  /** How unusual the panel's days are, smoothed. */
  { name: 'turbulence', dimension: 'D-12' },
  /** D-07. */
  { name: 'protection', dimension: 'D-07' },
  /** 5-day log change of the VIX. */
  { name: 'fear_change', dimension: 'D-10' },
] as const satisfies readonly { name: string; dimension: FactorCode }[];

/** How many inputs each kind of vector uses: always the first ones. */
export const TIERS = { own: 4, fellows: 5, market: RISK_INPUTS.length } as const;
export type Tier = keyof typeof TIERS;

/** What the other symbols say at their last close. */
export interface Others {
  readonly commonDrawdown: number;
  readonly market: PanelReading;
}

/**
 * Writes the inputs of a next bar at `price` into `target`; NaN for what is not known. What others say is for shares, funds and indices only.
 * Cheap: a tick asks for it.
 * @param history up to the bar before
 * @param others null for what is no share, fund or index
 */
export function riskInputs(
  target: Float64Array,
  price: number,
  drawdown: number,
  history: BarHistory,
  others: Others | null,
): Float64Array {
  const deviation = history.deviations.back(0);
  const variance = nextVariance(history.variances.back(0), Math.log(price / history.closes.back(0)));
  const change = (bars: number): number =>
    deviation > 0 ? Math.log(price / history.closes.back(bars - 1)) / (deviation * Math.sqrt(bars)) : Number.NaN;
  target[0] = drawdown;
  target[1] = deviation > 0 ? Math.sqrt(variance) / deviation : Number.NaN;
  target[2] = change(5);
  target[3] = change(21);
  target[4] = others?.commonDrawdown ?? Number.NaN;
  target[5] = others?.market.turbulenceLevel ?? Number.NaN;
  target[6] = others?.market.protection ?? Number.NaN;
  target[7] = others?.market.fearChange ?? Number.NaN;
  return target;
}

/** Whether all inputs of a kind of vector are there. */
export function hasTier(inputs: Float64Array, tier: Tier): boolean {
  for (let i = 0; i < TIERS[tier]; i++) if (Number.isNaN(inputs[i])) return false;
  return true;
}
