// Pure: the English texts of price alerts: conditions, crossings, inbox.
import type { Crossing, PriceCondition } from '../../settings/price-conditions.ts';
import { change, price } from '../format.ts';
import { plural } from './plural.ts';

const minutesText = (minutes: number): string =>
  minutes % 60 === 0 ? `${minutes / 60} ${plural(minutes / 60, 'hour', 'hours')}` : `${minutes} minutes`;
export const span = (minutes: number | null): string =>
  minutes === null ? 'since the previous close' : `within ${minutesText(minutes)}`;
const LEVELS = { above: 'at or above', below: 'at or below', either: 'crosses' } as const;

/** "at or below 180.00", "down 3 % or more since the previous close". */
export const conditionText = (condition: PriceCondition): string =>
  condition.kind === 'level'
    ? `${LEVELS[condition.direction]} ${price(condition.level)}`
    : `${condition.direction} ${condition.percent} % or more ${span(condition.minutes)}`;

/** "AAPL is at 179.90, at or below 180.00". */
export function crossingText({ symbol, condition, direction, price: at, currency, change_pct }: Crossing): string {
  if (condition.kind === 'change')
    return `${symbol} is ${condition.direction} ${change(change_pct).replace(/^[+\u2212]/, '')} ${span(condition.minutes)}, at ${price(at, currency)}`;
  return condition.direction === 'either'
    ? `${symbol} ${direction === 'up' ? 'rose' : 'fell'} through ${price(condition.level)}, at ${price(at, currency)}`
    : `${symbol} is at ${price(at, currency)}, ${LEVELS[condition.direction]} ${price(condition.level)}`;
}

export const priceAlerts = {
  heading: 'Price alerts',
  condition: conditionText,
  crossed: crossingText,
  /** The rule whose condition the price met, in a notification. */
  byRule: (name: string) => `Rule: ${name}.`,

  /** Opens the editor with a rule on the price of a symbol. */
  add: (symbol: string) => `Price alert for ${symbol}`,
  addWhy: 'at a level, or after a change in percent',
  /** Label of the palette's action, with the typed condition. */
  alertMe: (symbol: string, condition: PriceCondition) =>
    `Alert me when ${symbol} ${condition.kind === 'level' ? `${condition.direction === 'above' ? 'rises to' : 'falls to'} ${price(condition.level)}` : `${condition.direction === 'up' ? 'rises' : 'falls'} ${condition.percent} % in a day`}`,
  keywords: 'price alert alarm level target stop when reaches above below falls rises percent notify',
  ruleName: (symbol: string, condition: PriceCondition | null) =>
    condition === null ? `${symbol} price` : `${symbol} ${conditionText(condition)}`.slice(0, 80),
  line: 'Alert',

  /** Texts of the inbox and of the page Alerts. */
  list: 'Price alerts, market breadth and alerts of other programs, newest first',
  none: 'No price and no share of a list has met the condition of a rule yet, and no other program sent an alert.',
  addRule: 'Add a rule on a price',
  columns: {
    at: 'At',
    symbol: 'Symbol',
    what: 'What',
    price: 'Price',
    rule: 'Rule',
    outcome: 'Notification',
    act: 'Actions',
  },
  acknowledge: (symbol: string) => `Acknowledge the alert of ${symbol}`,
  acknowledged: (symbol: string) => `Alert of ${symbol} acknowledged`,
  ruleGone: (id: string) => `${id} (deleted)`,
  outcomes: {
    needs: 'Needs attention',
    acknowledged: 'Acknowledged',
    notified: 'Notified',
    waiting: 'Held back',
    dropped: 'Not notified',
    none: 'No rule matched',
  },
  why: (symbol: string, at: string) => `${symbol} ${at}: why`,
  older: 'Show older',
  exported: 'Export price alerts',
};
