// Pure: the English texts of rules on prices: fields, problems, the status of their symbols, their test.
import { type PriceCondition, REARM_LEVEL, rearmAt } from '../../settings/price-conditions.ts';
import { change, count, price } from '../format.ts';
import { plural } from './plural.ts';
import { span } from './price-alerts.ts';

const names = (symbols: readonly string[]): string =>
  symbols.length <= 4 ? symbols.join(', ') : `${symbols.slice(0, 3).join(', ')} and ${symbols.length - 3} more`;

/** The price, or the change in percent, at which a met condition can be notified again. */
const rearmText = (condition: PriceCondition): string =>
  condition.kind === 'level' ? price(rearmAt(condition)) : `${change(rearmAt(condition))} ${span(condition.minutes)}`;

export const priceRules = {
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
    now: (symbol: string, now: string) => `${symbol} now: ${now}`,
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
};
