// Pure: the English texts of price alerts: conditions, crossings, and what the window says around them.
import type { Crossing, PriceCondition } from '../../domain/price-conditions.ts';
import { change, price } from '../format.ts';
import { plural } from './plural.ts';

const minutesText = (minutes: number): string =>
  minutes % 60 === 0 ? `${minutes / 60} ${plural(minutes / 60, 'hour', 'hours')}` : `${minutes} minutes`;
const span = (minutes: number | null): string =>
  minutes === null ? 'since the previous close' : `within ${minutesText(minutes)}`;
const LEVELS = { above: 'at or above', below: 'at or below', either: 'crosses' } as const;

/** "at or below 180.00", "down 3 % or more since the previous close". */
export const conditionText = (condition: PriceCondition): string =>
  condition.kind === 'level'
    ? `${LEVELS[condition.direction]} ${price(condition.level)}`
    : `${condition.direction} ${condition.percent} % or more ${span(condition.minutes)}`;

/** "AAPL is at 179.90, at or below 180.00". */
export function crossingText({ symbol, condition, direction, price: at, change_pct }: Crossing): string {
  if (condition.kind === 'change')
    return `${symbol} is ${condition.direction} ${change(change_pct).replace(/^[+\u2212]/, '')} ${span(condition.minutes)}, at ${price(at)}`;
  return condition.direction === 'either'
    ? `${symbol} ${direction === 'up' ? 'rose' : 'fell'} through ${price(condition.level)}, at ${price(at)}`
    : `${symbol} is at ${price(at)}, ${LEVELS[condition.direction]} ${price(condition.level)}`;
}

const names = (symbols: readonly string[]): string =>
  symbols.length <= 4 ? symbols.join(', ') : `${symbols.slice(0, 3).join(', ')} and ${symbols.length - 3} more`;

export const priceAlerts = {
  heading: 'Price alerts',
  condition: conditionText,
  crossed: crossingText,
  /** The rule whose condition the price met, in a notification. */
  byRule: (name: string) => `Rule: ${name}.`,
};
export const priceNames = names;
