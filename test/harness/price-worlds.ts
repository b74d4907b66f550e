// Test harness: random days after a year of a share: falls, splits, bad prints, and what the evidence says of them.

import type { Bar } from '../../service/engine/types.ts';
import { doubtOf } from '../../service/market/tape/evidence.ts';
import { RecentMoves } from '../../service/market/tape/recent-moves.ts';
import { createRandom } from '../../shared/lib/random.ts';

export interface PriceWorld {
  readonly before: Bar;
  readonly usual: RecentMoves;
  /** The day after, as an ordinary one. */
  readonly day: Bar;
  readonly between: (from: number, to: number) => number;
}

/** A year of a share with a volatility of 1 to 4 % a day. */
function world(seed: number): PriceWorld {
  const random = createRandom(seed);
  const between = (from: number, to: number): number => from + (to - from) * random();
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const size = between(0.01, 0.04);
  const usual = new RecentMoves();
  const next = (close: number): Bar => {
    const open = close * Math.exp(0.4 * size * normal());
    const end = open * Math.exp(0.9 * size * normal());
    const [up, down] = [Math.abs(normal()), Math.abs(normal())].map((one) => Math.exp(0.4 * size * one)) as [
      number,
      number,
    ];
    const [high, low] = [Math.max(open, end) * up, Math.min(open, end) / down];
    return { date: '2020-01-02', open, high, low, close: end, volume: 1e6 * Math.exp(0.35 * normal()) };
  };
  let before = next(100);
  for (let index = 0; index < 252; index++) {
    usual.push(before);
    before = next(before.close);
  }
  usual.push(before);
  return { before, usual, day: next(before.close), between };
}

const verdict = ({ before, usual }: PriceWorld, bar: Bar): 'price' | 'question' | 'fault' => {
  const doubt = doubtOf(before, bar, {
    ...{ usual, splits: true, inputOnly: false, reportsSplits: false, sessions: 1 },
    ...{ marketMove: () => 0, isClosed: true },
  });
  if (doubt === null) return 'price';
  return doubt.isCertain ? 'fault' : 'question';
};

/** The share of each verdict among so many worlds. */
export function shares(barOf: (one: PriceWorld) => Bar, worlds = 400): Record<'price' | 'question' | 'fault', number> {
  const all = Array.from({ length: worlds }, (_, seed) => world(seed + 1));
  const found = all.map((one) => verdict(one, barOf(one)));
  const share = (name: string): number => found.filter((one) => one === name).length / worlds;
  return { price: share('price'), question: share('question'), fault: share('fault') };
}

/** A fall to `depth` that traded `value` times the usual money, in part overnight. */
export const fall =
  (depth: number, value: number) =>
  ({ before, between }: PriceWorld): Bar => {
    const move = Math.log(1 - depth);
    const at = (share: number): number => before.close * Math.exp(share * move);
    const opening = between(0, 1);
    const [open, close] = [at(opening), at(1)];
    const [high, low] = [at(opening - between(0, 0.1)), at(1 + between(0, 0.2))];
    return { date: '2020-01-03', open, high, low, close, volume: (1e6 * value) / (1 - depth) };
  };

/** An ordinary day at the level of a split. */
export const split =
  (ratio: number) =>
  ({ day }: PriceWorld): Bar => ({
    ...day,
    open: day.open / ratio,
    high: day.high / ratio,
    low: day.low / ratio,
    close: day.close / ratio,
    volume: (day.volume ?? 0) * ratio,
  });

/** An ordinary day whose close alone is wrong, by this factor. */
export const stray =
  (factor: number) =>
  ({ day }: PriceWorld): Bar => {
    const close = day.close * factor;
    return { ...day, close, high: Math.max(day.high, close), low: Math.min(day.low, close) };
  };
