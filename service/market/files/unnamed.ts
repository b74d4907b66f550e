// Service, price files: the columns of a table without a header, where its numbers leave no doubt.
import { isSymbol } from '../../../shared/domain/instruments.ts';
import type { Positions } from './columns.ts';
import { formatsOf, readWritten } from './dates.ts';
import { writtenNumber } from './numbers.ts';

const SAMPLE_ROWS = 300;
/** Steps from row to row that show that the first price is the open. */
const LEAST_STEPS = 14;
/** An open is this much nearer to the close of the row before than a close is to the open before. */
const NEARER = 0.8;
const TIME = /^\d{1,2}:\d{2}/;
/** Volumes are not of the size of prices, as an adjusted close would be. */
const SIZE_OF_PRICES = 10;

/**
 * An optional symbol, the date, an optional time, four prices and an optional volume. High and low are the highest
 * and the lowest price of every row; of the others the open comes first, as prices follow those of the row before.
 * @returns null: there is doubt
 */
export function positionsByNumbers(all: readonly (readonly string[])[]): Positions | null {
  const rows = all.slice(0, SAMPLE_ROWS).map((cells) => cells.map((cell) => cell.trim()));
  const column = (at: number): string[] => rows.map((cells) => cells[at] ?? '');
  const isText = (at: number): boolean =>
    column(at).every((cell) => /[A-Z]/i.test(cell) && isSymbol(cell.toUpperCase()));
  const symbol = isText(0) ? 0 : -1;
  const date = symbol + 1;
  const days = column(date).map((text, index) => ({ symbol: rows[index]?.[symbol] ?? '', text }));
  const [format] = formatsOf(days, null);
  if (format === undefined || !days.every(({ text }) => readWritten(text, format) !== null)) return null;
  const time = column(date + 1).every((cell) => TIME.test(cell)) ? date + 1 : -1;
  const first = Math.max(date, time) + 1;
  const numbers = (at: number): number[] =>
    column(at).map((cell) => writtenNumber(cell, '.') ?? writtenNumber(cell, ',') ?? Number.NaN);
  const prices = [0, 1, 2, 3].map((at) => numbers(first + at));
  const extremes = (of: (...values: number[]) => number): number[] =>
    [0, 1, 2, 3].filter((at) =>
      prices[at]?.every((price, row) => price === of(...prices.map((list) => list[row] ?? 0))),
    );
  const [[high = 0, ...alsoHigh], [low = 0, ...alsoLow]] = [extremes(Math.max), extremes(Math.min)];
  if (prices.flat().some((price) => !(price > 0)) || alsoHigh.length + alsoLow.length > 0 || high === low) return null;
  const instantOfRow = ({ text }: (typeof days)[number]): number => {
    const when = readWritten(text, format);
    return when?.instant ?? Date.parse(when?.date ?? '');
  };
  const order = days
    .map((day, index) => ({ ...day, index, instant: instantOfRow(day) }))
    .toSorted((a, b) => a.instant - b.instant);
  const steps = order.slice(1).flatMap(({ index, symbol: own }, at) => {
    const before = order[at];
    return before?.symbol === own ? [{ index, before: before.index }] : [];
  });
  const [open = 0, close = 0] = [0, 1, 2, 3].filter((at) => at !== high && at !== low);
  const distance = (from: number, to: number): number =>
    steps.reduce(
      (sum, { index, before }) => sum + Math.abs((prices[to]?.[index] ?? 0) - (prices[from]?.[before] ?? 0)),
      0,
    );
  if (steps.length < LEAST_STEPS || distance(close, open) >= distance(open, close) * NEARER) return null;
  const volumes = numbers(first + 4);
  const hasVolume = volumes.every((volume) => volume >= 0);
  const isPrice = volumes.every((volume, index) => {
    const size = volume / (prices[close]?.[index] ?? 1);
    return size < SIZE_OF_PRICES && size > 1 / SIZE_OF_PRICES;
  });
  if (hasVolume && isPrice) return null;
  const ohlc = { open: first + open, high: first + high, low: first + low, close: first + close };
  return { symbol, date, time, ...ohlc, adjusted: -1, volume: hasVolume ? first + 4 : -1 };
}
