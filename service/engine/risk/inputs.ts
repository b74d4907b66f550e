// Service, engine: the six inputs of the risk model (MODELS 5), from a price and what was known at the close before it.
import type { FactorCode } from '../../../shared/domain/factors.ts';
import type { PanelReading } from '../factors/panel.ts';
import { type BarHistory, nextVariance } from '../history.ts';

/** In this order everywhere; the last three come from the market. Each belongs to the dimension that it is told under. */
export const RISK_INPUTS = [
  /** Drawdown from the 21-bar high over the breach threshold. */
  { name: 'drawdown', dimension: 'D-12' },
  /** Short over long volatility. */
  { name: 'volatility_change', dimension: 'D-03' },
  /** 5-bar log return over its usual size. */
  { name: 'five_bar_return', dimension: 'D-11' },
  /** How unusual the panel's days are, smoothed. */
  { name: 'turbulence', dimension: 'D-12' },
  /** D-07. */
  { name: 'protection', dimension: 'D-07' },
  /** 5-day log change of the VIX. */
  { name: 'fear_change', dimension: 'D-10' },
] as const satisfies readonly { name: string; dimension: FactorCode }[];

/** Inputs from here on are the market's. */
export const FIRST_MARKET_INPUT = 3;

/**
 * Writes the inputs of a next bar at `price` into `target`; NaN for what is not known. The market's inputs are for shares, funds and
 * indices only. Cheap: a tick asks for it.
 * @param history up to the bar before
 */
export function riskInputs(
  target: Float64Array,
  price: number,
  drawdown: number,
  history: BarHistory,
  market: PanelReading,
  isEquityLike: boolean,
): Float64Array {
  const deviation = history.deviations.back(0);
  const variance = nextVariance(history.variances.back(0), Math.log(price / history.closes.back(0)));
  target[0] = drawdown;
  target[1] = deviation > 0 ? Math.sqrt(variance) / deviation : Number.NaN;
  target[2] = deviation > 0 ? Math.log(price / history.closes.back(4)) / (deviation * Math.sqrt(5)) : Number.NaN;
  target[3] = isEquityLike ? market.turbulenceLevel : Number.NaN;
  target[4] = isEquityLike ? market.protection : Number.NaN;
  target[5] = isEquityLike ? market.fearChange : Number.NaN;
  return target;
}

/** Whether all of the market's inputs are there. */
export function hasMarket(inputs: Float64Array): boolean {
  for (let i = FIRST_MARKET_INPUT; i < inputs.length; i++) if (Number.isNaN(inputs[i])) return false;
  return true;
}
