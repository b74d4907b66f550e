// Pure: English, my book: what is at stake in a position, and the import of positions.
import type { CurrencyWorth, Stake } from '../../domain/holdings.ts';
import { amount, count, money, percent, signedMoney } from '../format.ts';
import { plural } from './plural.ts';

/** A small share is not none. */
const shareText = (share: number): string =>
  Math.abs(share) < 0.1 && share !== 0 ? 'less than 0.1\u00a0%' : percent(share);

/** As an amount, and below 1 with four digits that count: a small quantity is not none. */
const quantityText = (value: number): string =>
  value >= 1 || value === 0
    ? amount(value)
    : value.toFixed(Math.min(100, 3 - Math.floor(Math.log10(value)))).replace(/\.?0+$/, '');

function partText({ share, part, currency }: Stake): string {
  if (share === null) return '';
  const of = currency === null ? 'my positions without a currency' : `my ${currency} positions`;
  const whole = { book: 'my book', currency: of, priced: 'the part of my book that has a price' }[part];
  return `${shareText(share)} of ${whole}`;
}

/** Why a row of a file is no position, and what to do. */
const left = {
  short: 'a short position: a fall is a gain to it, and only falls are warned of',
  option: 'an option: enter its underlying, with as many shares as it moves like',
  other: (kind: string) => `${kind}: only shares, funds, coins and currencies have signals`,
  cash: 'cash has no signal',
  total: 'a total',
  lot: 'part of a position that has a row of its own',
  amount: (cell: string) => `${cell === '' ? 'no amount' : `"${cell}" is no amount above 0`}: write one like 40`,
  symbol: (cell: string) =>
    `${cell === '' ? 'no symbol' : `"${cell}" is no symbol`}: use 1 to 15 letters, digits or . ^ = -`,
  currency: (cell: string) => `"${cell}" is no currency: write three letters like USD`,
  cents: 'its cost is in cents of a rand: enter rand, as ZAR',
  mixed: (currency: string | null, main: string | null) =>
    `its value is ${currency === null ? 'without a currency' : `in ${currency}`}, those of most rows ${main === null ? 'are without one' : `in ${main}`}, and no rate is known`,
  currencies: (symbol: string, currency: string) =>
    `${symbol} has a row in ${currency === '' ? 'no currency' : currency} already, and no rate is known`,
  cost: (cell: string) => `its cost "${cell}" is no number, and is left out`,
} as const;

export const book = {
  /** One sentence: in money and as a share of the book. The same wherever an alert or a symbol says it. */
  stake(stake: Stake): string {
    const { of, isFurther, quantity, money: sum, currency, share } = stake;
    if (sum === null && share === null) return `I hold ${quantityText(quantity)} of it; what it is worth is not known.`;
    const more = of === 'fall' && isFurther ? ' more' : '';
    const part = partText(stake);
    if (sum === null) return of === 'fall' ? `It would cost me ${part}${more}.` : `It is ${part}.`;
    return of === 'fall'
      ? `It would cost me ${money(sum, currency)}${more}${part === '' ? '' : `, ${part}`}.`
      : `I hold ${money(sum, currency)} of it${part === '' ? '' : `, ${part}`}.`;
  },
  /** The same as a figure of a column: "6,896 \u00b7 1.2 %". */
  stakeFigure: ({ money: sum, currency, share, part }: Stake): string =>
    [
      sum === null ? '' : money(sum, part === 'currency' ? currency : null),
      share === null ? '' : shareText(share).replace('less than', '<'),
    ]
      .filter((figure) => figure !== '')
      .join(' \u00b7 ') || 'no price',
  quantity: quantityText,
  today: (loss: string) => `Today ${loss}.`,
  worth: ({ currency, worth, gain, withoutCost, falls, withoutFall }: CurrencyWorth) =>
    [
      `Worth ${money(worth, currency)}`,
      gain === null ? '' : `, ${signedMoney(gain)} since bought`,
      gain === null || withoutCost === 0 ? '' : ` (${withoutCost} of unknown cost left out)`,
      '.',
      falls === null
        ? ' What falls would cost is not known.'
        : ` Their falls together would cost ${money(falls, currency)}`,
      falls === null ? '' : withoutFall.length === 0 ? '.' : `; ${withoutFall.length} of unknown size are not in it.`,
    ].join(''),
  foreign: (symbols: readonly string[]) =>
    `In other currencies, so in no share: ${symbols.slice(0, 3).join(', ')}${symbols.length > 3 ? ` and ${symbols.length - 3} more` : ''}.`,
  left,
  import: {
    from: (source: string | null) => (source === null ? 'Choose its columns.' : `Read as ${source}.`),
    remembered: 'your columns of the last time',
    ownFile: 'a file with a header',
    columns: 'Columns',
    preview: 'The first positions',
    none: 'none',
    column: {
      symbol: 'Symbol',
      amount: 'Quantity or weight',
      cost: 'Cost',
      currency: 'Currency',
    },
    unit: 'Amounts are',
    costIs: 'The cost is',
    costs: { share: 'of one', total: 'of all' },
    everyCurrency: 'Currency of all rows',
    columnNumber: (number: number) => `Column ${number}`,
    found: (positions: number, leftOut: number, notes: number) =>
      `${count(positions)} ${plural(positions, 'position', 'positions')}${leftOut === 0 ? '' : `, ${count(leftOut)} ${plural(leftOut, 'row', 'rows')} left out`}${notes === 0 ? '' : `, ${count(notes)} without ${plural(notes, 'its', 'their')} cost`}.`,
    row: (row: number, name: string, why: string) => `Row ${row}${name === '' ? '' : `, ${name}`}: ${why}.`,
    use: (positions: number, replaced: number) =>
      `Use ${count(positions)} ${plural(positions, 'position', 'positions')}${replaced === 0 ? '' : `, replacing ${count(replaced)}`}`,
    leftOut: 'Rows left out',
    back: 'Back',
    noPrice: 'A price is taken to be in the currency of its position.',
  },
} as const;
