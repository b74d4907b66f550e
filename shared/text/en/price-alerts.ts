// Pure: the English texts of price alerts: conditions, crossings and the window.
import { type Crossing, type PriceCondition, REARM_LEVEL, rearmAt } from '../../settings/price-conditions.ts';
import { change, count, price } from '../format.ts';
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

/** The price, or the change in percent, at which a met condition can be notified again. */
const rearmText = (condition: PriceCondition): string =>
  condition.kind === 'level' ? price(rearmAt(condition)) : `${change(rearmAt(condition))} ${span(condition.minutes)}`;

export const priceAlerts = {
  heading: 'Price alerts',
  condition: conditionText,
  crossed: crossingText,
  /** The rule whose condition the price met, in a notification. */
  byRule: (name: string) => `Rule: ${name}.`,

  /** The fields of a condition. */
  fields: {
    what: 'Notify me of',
    kinds: { events: 'Events', price: 'A price', breadth: 'Market breadth' },
    condition: 'When the price',
    conditions: {
      above: 'Is at or above',
      below: 'Is at or below',
      either: 'Crosses',
      up: 'Rises by',
      down: 'Falls by',
    },
    level: 'Price',
    percent: 'Percent',
    window: 'Measured',
    windows: { close: 'Since the previous close', minutes: 'Within minutes' },
    minutes: 'Minutes',
    note: `Notified once; again only after the price was ${100 * REARM_LEVEL} % away from the level, or the change a fifth smaller. Prices are those that Barograph receives: a move between two of them is not seen.`,
  },
  problems: {
    level: 'A price above 0, like 180 or 1.0845.',
    percent: (least: number, most: number) => `A percentage from ${least} to ${most}, like 3.`,
    minutes: (least: number, most: number) => `Whole minutes from ${least} to ${most}.`,
  },
  /** Status of a rule on prices, in the list of rules and beside the form. */
  status: {
    watching: (symbols: number) => `Watching ${symbols} ${plural(symbols, 'price', 'prices')}.`,
    met: (symbols: readonly string[], condition: PriceCondition) =>
      `${names(symbols)} ${plural(symbols.length, 'meets', 'meet')} it already: notified once it was back at ${rearmText(condition)} and meets it again.`,
    stale: (symbols: readonly string[]) =>
      `${names(symbols)} ${plural(symbols.length, 'has an old price', 'have old prices')}: nothing is notified until a new one comes.`,
    without: (symbols: readonly string[]) =>
      `${names(symbols)} ${plural(symbols.length, 'has', 'have')} no price here and ${plural(symbols.length, 'is', 'are')} not watched.`,
    unwatched: (symbols: readonly string[]) =>
      `${names(symbols)} ${plural(symbols.length, 'is', 'are')} in no watchlist, so no price is received.`,
    none: 'No symbol of this rule has a price here: it would never notify.',
  },
  backtest: {
    loading: 'Reading the closes of the last 30 days',
    notified: (notified: number, closes: number, symbols: number, from: string) =>
      `From close to close it would ${notified === 0 ? 'not have notified you' : `have notified you ${count(notified)} ${plural(notified, 'time', 'times')}`}: ${count(closes)} closes of ${symbols} ${plural(symbols, 'symbol', 'symbols')}, from ${from} on.`,
    closes:
      'Closes alone are known: what a price did within a day is not in this, nor are hours, mutes and quiet hours.',
    within: 'Daily closes cannot show a move within minutes, so this rule cannot be tested.',
    untested: (symbols: readonly string[]) => `Not tested, because each is a request: ${names(symbols)}.`,
    without: (symbols: readonly string[]) => `No closes of ${names(symbols)} are known.`,
    nothing: 'The service has no closes of the last 30 days.',
    price: 'Price',
    change: 'Change',
  },

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
