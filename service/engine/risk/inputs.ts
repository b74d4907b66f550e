// Service, engine: the inputs of the risk model, from a price and the data of the previous close.
import type { FactorCode } from '../../../shared/domain/factors.ts';
import type { PanelReading } from '../factors/panel.ts';
import { type BarHistory, nextVariance } from '../history.ts';

/**
 * The same order everywhere: the symbol's own inputs, then those of its peers, then those of the market's
 * panel. Each contributes to the dimension named beside it.
 */
export const RISK_INPUTS = [
  /** Drawdown from the 21-bar high over the breach threshold. */
  { name: 'drawdown', dimension: 'D-12' },
  /** Short over long volatility. */
  { name: 'volatility_change', dimension: 'D-03' },
  /** 5-bar log return over its usual size. */
  { name: 'five_bar_return', dimension: 'D-11' },
  /** 21-bar log return over its usual size: separates equal drawdowns by the rise before them. */
  { name: 'month_return', dimension: 'D-08' },
  /** Rank of the common drawdown of all shares, funds and indices of the folder. */
  { name: 'common_drawdown', dimension: 'D-02' },
  /** Smoothed turbulence of the panel's days. */
  { name: 'turbulence', dimension: 'D-12' },
  { name: 'protection', dimension: 'D-07' },
  /** 5-day log change of the VIX. */
  { name: 'fear_change', dimension: 'D-10' },
] as const satisfies readonly { name: string; dimension: FactorCode }[];

/** Number of inputs of each tier: always the first ones. */
export const TIERS = { own: 4, fellows: 5, market: RISK_INPUTS.length } as const;
export type Tier = keyof typeof TIERS;

/** Data of the other symbols at their last close. */
export interface Others {
  readonly commonDrawdown: number;
  readonly market: PanelReading;
}

/**
 * Writes the inputs of a next bar at `price` into `target`; NaN when unknown. Inputs of others apply to
 * shares, funds and indices only. Cheap enough for every tick.
 * @param history up to the previous bar
 * @param others null for other asset classes
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

/** Reports whether all inputs of a tier are known. */
export function hasTier(inputs: Float64Array, tier: Tier): boolean {
  for (let i = 0; i < TIERS[tier]; i++) if (Number.isNaN(inputs[i])) return false;
  return true;
}
