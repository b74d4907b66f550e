// Bench: measures product and floor in rounds and computes the ratio.
// They alternate within one run, so that other load on the machine affects both.
import type { Outcome, Side } from './row.ts';

export interface Pair {
  readonly product: readonly number[];
  readonly floor: readonly number[];
}

export interface Turns {
  /** Values of one round of each side. */
  readonly product: () => number | Promise<number>;
  readonly floor: () => number | Promise<number>;
  /** Rounds that are not counted: compilers and caches warm up. Default 1. */
  readonly warmups?: number;
  /** Most rounds; fewer when the time is over. Default 9. */
  readonly rounds?: number;
  /** No round begins after so much time, ms; three are run in any case. Default 35 s. */
  readonly budget?: number;
  /** Garbage is collected before each side. Not for work of microseconds, which would find its compiled code and its caches gone. Default true. */
  readonly collect?: boolean;
}

const MIN_ROUNDS = 3;

/** Product and floor by turns, each first every other time. */
export async function interleave({
  product,
  floor,
  warmups = 1,
  rounds = 9,
  budget = 35_000,
  collect = true,
}: Turns): Promise<Pair> {
  const until = performance.now() + budget;
  const values: { product: number[]; floor: number[] } = { product: [], floor: [] };
  for (let round = -warmups; round < rounds; round += 1) {
    if (round >= MIN_ROUNDS && performance.now() > until) break;
    const order = round % 2 === 0 ? (['product', 'floor'] as const) : (['floor', 'product'] as const);
    for (const side of order) {
      if (collect) collectGarbage();
      const value = await (side === 'product' ? product() : floor());
      if (round >= 0) values[side].push(value);
    }
  }
  return values;
}

/** So that a side does not pay for what the other left behind. The runner starts rows with --expose-gc. */
export const collectGarbage = (): void => void globalThis.gc?.();

/** Milliseconds that a piece of work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** The value below which a share of the values lies, 0..1 (nearest rank). @throws RangeError for no values */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('there is no quantile of nothing');
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] as number;
}

/** The middle value, or the mean of the middle two. @throws RangeError for no values */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('there is no median of nothing');
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[half] as number)
    : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
}

export interface Comparison {
  readonly product: string;
  readonly floor: string;
  readonly unit: string;
  /** What the goal grants on top of the floor, in the same unit: then the ratio is product / (floor + allowance). */
  readonly allowance?: number;
  readonly notes?: readonly string[];
}

/** The ratio of each round, and the median of the ratios: a round in which the machine was busy moves both sides. */
export function compare(pair: Pair, { product, floor, unit, allowance = 0, notes = [] }: Comparison): Outcome {
  const ratios = pair.product.map((value, round) => value / ((pair.floor[round] as number) + allowance));
  return {
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    sides: [
      { label: product, unit, values: pair.product },
      { label: floor, unit, values: pair.floor },
    ],
    notes,
  };
}

export interface SizeSample {
  readonly size: number;
  /** Cost of one round each. */
  readonly values: readonly number[];
}

/** The exponent of growth: cost ~ size ^ exponent, by least squares over the logarithms of the medians. */
export function exponentOf(points: readonly { readonly size: number; readonly cost: number }[]): number {
  const logs = points.map(({ size, cost }) => [Math.log(size), Math.log(cost)] as const);
  const [meanX, meanY] = [0, 1].map(
    (axis) => logs.reduce((sum, point) => sum + (point[axis] as number), 0) / logs.length,
  );
  let [xy, xx] = [0, 0];
  for (const [x, y] of logs) {
    xy += (x - (meanX as number)) * (y - (meanY as number));
    xx += (x - (meanX as number)) ** 2;
  }
  return xy / xx;
}

/** Growth as an outcome: the exponent over all sizes as the ratio; its spread is that between neighbours. */
export function growth(
  sized: readonly SizeSample[],
  what: string,
  unit: string,
  notes: readonly string[] = [],
): Outcome {
  const points = sized.map(({ size, values }) => ({ size, cost: median(values) }));
  const steps = points.slice(1).map((point, index) => exponentOf([points[index] as (typeof points)[number], point]));
  const side = ({ size, values }: SizeSample): Side => ({
    label: `${size.toLocaleString('en-US')} ${what}`,
    unit,
    values,
  });
  // The largest stands where the product stands, the smallest where its floor does.
  const [smallest, ...larger] = sized.map(side);
  const largest = larger.pop();
  const sides = [largest, smallest, ...larger].flatMap((one) => one ?? []);
  return { ratio: exponentOf(points), spread: [Math.min(...steps), Math.max(...steps)], sides, notes };
}
