// Service, market, tape: sentences for people about faults in prices.
import { splitRatio } from '../../../shared/domain/price-questions.ts';
import type { PriceQuestion } from './inspect.ts';

const number = (value: number): string => String(Number(value.toPrecision(6)));
const times = (value: number): string => String(Number(value.toPrecision(2)));

type Asked = Omit<PriceQuestion, 'from' | 'settledBy'>;

/**
 * @param by date of the bar that settled it; null: open, or settled by its own date
 * @param noun what the price is
 * @returns null for a price that is one
 */
export function questionText(
  symbol: string,
  date: string,
  asked: Asked,
  by: string | null,
  noun: 'close' | 'price' = 'close',
): string | null {
  const { close, before, kind, factor, answer, countsAs } = asked;
  if (answer === 'price') return null;
  const move = `${symbol} ${date}: ${noun} ${number(close)} after ${number(before)}`;
  const since = by === null || by === date ? '' : ` by ${by}`;
  if (answer === 'no_price') return `${move} was gone${since}: it was no price, and is not used`;
  if (answer === 'split') return `${move} was a split ${splitRatio(factor)}; the prices before it were adjusted`;
  const cause = {
    split: `looks like a split ${splitRatio(factor)} that is not adjusted`,
    level: 'looks like a change of level, as by a spin-off or a special dividend',
    stray: 'is a single price that nothing else of its day confirms',
  }[kind];
  const confirm = `\`confirm ${symbol} ${date}`;
  const use = {
    price: `it counts, and needs a decision: ${confirm}\` with --real, --split RATIO or --refuse`,
    split: `the prices before it are adjusted; ${confirm} --real\` undoes that`,
    no_price: `it is not used, unless ${confirm} --real\` says that it is a price`,
  }[countsAs];
  return `${move} ${cause} (${dayText(asked)}); ${use}`;
}

/** What was traded on the day, were the price a fault. */
function dayText({ volume, range }: Asked): string {
  const traded = volume === null ? 'no volume is known' : `${times(volume)} times the usual volume`;
  return range === null ? traded : `${traded}, ${times(range)} times the usual range`;
}

export const gapText = (symbol: string, date: string, sessions: number): string =>
  `${symbol} ${date}: ${sessions} sessions before it are missing; nothing was made up for them`;
