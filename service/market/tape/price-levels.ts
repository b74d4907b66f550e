// Service, market, tape: the level of prices after known splits and dividends. Pure.
import type { Bar } from '../../engine/types.ts';
import type { BarActions } from './bar-actions.ts';

/**
 * Level of the forming day over the level before, by splits and dividends. A split shows at least in the
 * open.
 */
export function levelOfDay(actions: BarActions | null, before: Bar, day: Bar): number {
  const dividend = dividendFactor(actions, before);
  const levels = [day, { ...day, close: day.open }].map((bar) => splitFactor(actions, levelled(before, dividend), bar));
  return dividend * (levels.find((level) => level !== 1) ?? 1);
}

export const levelled = (bar: Bar, factor: number): Bar => (factor === 1 ? bar : { ...bar, close: bar.close * factor });

/** The bar at the level before a split. */
export function atLevelBefore(bar: Bar, factor: number): Bar {
  if (factor === 1) return bar;
  const { open, high, low, close, volume } = bar;
  const prices = { open: open / factor, high: high / factor, low: low / factor, close: close / factor };
  return { ...bar, ...prices, volume: volume === null ? null : volume * factor };
}

/** New level over old level of a cash dividend; 1: none, or an impossible amount. */
export function dividendFactor(actions: BarActions | null, before: Bar): number {
  const factor = 1 - (actions?.dividend ?? 0) / before.close;
  return factor > 0 && factor < 1 ? factor : 1;
}

/** New level over old level of a split; 1: none, or the prices are already adjusted. */
export function splitFactor(actions: BarActions | null, before: Bar, bar: Bar): number {
  if (actions?.factor === undefined) return 1;
  const move = Math.log(bar.close / before.close);
  return Math.abs(move - Math.log(actions.factor)) < Math.abs(move) ? actions.factor : 1;
}
