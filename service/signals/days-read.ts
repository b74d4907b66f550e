// Service, signals: identifies the closed days that an engine has read, in their order.
import { createHash } from 'node:crypto';
import type { ClosedDay, MarketSource } from '../market/types.ts';

/** The days as a value. */
export interface SavedDays {
  readonly count: number;
  /** Of every bar: symbol, date, prices, volume, missing sessions and instant of the close. */
  readonly hash: string;
  /** Date of the last day, and its newest close, world ms. */
  readonly date: string;
  readonly closedAt: number;
}

/**
 * If closed bars of the source never change, it is a function of its settings: then its first and its last day
 * stand for all.
 */
export class DaysRead {
  count = 0;
  closedAt = Number.NEGATIVE_INFINITY;
  readonly #hash = createHash('sha256');
  readonly isWhole: boolean;
  #last: ClosedDay | null = null;

  constructor({ revisions }: Pick<MarketSource, 'revisions'>) {
    this.isWhole = revisions !== undefined;
  }

  add(day: ClosedDay): void {
    if (this.isWhole || this.count === 0) this.#hash.update(bytesOf(day));
    this.#last = day;
    this.closedAt = closeOf(day);
    this.count += 1;
  }

  save(): SavedDays {
    const hash = this.#hash.copy();
    if (this.#last !== null) hash.update(bytesOf(this.#last));
    return { count: this.count, hash: hash.digest('hex'), date: this.#last?.date ?? '', closedAt: this.closedAt };
  }
}

/** World ms of the newest close of a day. */
export const closeOf = ({ closesAt }: ClosedDay): number => Math.max(...closesAt.values());

const NUMBERS = 7;

function bytesOf({ date, closesAt, bars }: ClosedDay): Buffer {
  const symbols = Buffer.from(`${date} ${[...bars.keys()].join(' ')}\n`);
  const numbers = new Float64Array(NUMBERS * bars.size);
  let at = 0;
  for (const [symbol, bar] of bars) {
    numbers[at] = closesAt.get(symbol) ?? 0;
    numbers[at + 1] = bar.open;
    numbers[at + 2] = bar.high;
    numbers[at + 3] = bar.low;
    numbers[at + 4] = bar.close;
    numbers[at + 5] = bar.volume ?? Number.NaN;
    numbers[at + 6] = bar.missing ?? 0;
    at += NUMBERS;
  }
  return Buffer.concat([symbols, new Uint8Array(numbers.buffer)]);
}
