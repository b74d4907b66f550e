// Test harness: random prices with falls, by the day and by the hour, as a folder of price files.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../shared/lib/time.ts';

export interface RandomPricesOptions {
  readonly seed: number;
  /** World ms of the first and the last day. */
  readonly from: number;
  readonly to: number;
  /** World ms of the first day with hours. */
  readonly hoursFrom: number;
  /** Most that a price falls at once, as a fraction. Default: less than the smallest split. */
  readonly deepest?: number;
}

/**
 * Writes A by the day, B also by the hour, where its prices are twice as high (another adjustment), and C as B,
 * with a regime alone.
 */
export function writeRandomPrices(path: string, options: RandomPricesOptions): void {
  const { seed, from, to, hoursFrom, deepest = 0.07 } = options;
  let drawn = seed;
  const draw = (): number => {
    drawn = (drawn * 48_271) % 2_147_483_647;
    return drawn / 2_147_483_647;
  };
  const moved = (price: number, size: number): number => {
    const fall = draw() < 0.02 ? deepest * draw() : 0;
    return Number((price * (1 + size * (draw() + draw() - 1) - fall)).toFixed(2));
  };
  const days = ['symbol,date,open,high,low,close,volume'];
  const hours = ['symbol,time,open,high,low,close,volume'];
  const row = (symbol: string, at: string, open: number, close: number): string =>
    [symbol, at, open, Math.max(open, close), Math.min(open, close), close, 1000].join();
  let daily = 100;
  const hourly = new Map([
    ['B', 100],
    ['C', 100],
  ]);
  for (let day = Math.floor(from / DAY_MS) * DAY_MS; day <= to; day += DAY_MS) {
    if ([0, 6].includes(new Date(day).getUTCDay())) continue;
    const date = new Date(day).toISOString().slice(0, 10);
    const before = daily;
    daily = moved(daily, 0.03);
    days.push(row('A', date, before, daily));
    for (const [symbol, open] of hourly) {
      let price = open;
      for (let hour = 10; hour < 16; hour++) {
        const last = price;
        price = moved(price, 0.012);
        if (day >= hoursFrom) hours.push(row(symbol, `${date}T${hour}:00`, 2 * last, 2 * price));
      }
      hourly.set(symbol, price);
      days.push(row(symbol, date, open, price));
    }
  }
  writeFileSync(join(path, 'prices.csv'), days.join('\n'));
  writeFileSync(join(path, 'hours.csv'), hours.join('\n'));
  writeFileSync(join(path, 'instruments.csv'), 'symbol,role\nC,regime\n');
}
