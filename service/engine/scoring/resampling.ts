// Service, engine: resamples symbols and calendar years together, for the intervals of scores.
// Resamples years because most uncertainty is between years: the falls of a market come together.
import { createRandom } from '../../../shared/lib/random.ts';

export const RESAMPLES = 500;
/** Share of the resamples outside an interval, at each end. */
const TAIL = 0.05;
/** Minimum number of years for an interval. */
const MIN_YEARS = 3;

/** An interval that contains 90 % of the resamples. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

export type Sums = Float64Array;

/** Sums of one symbol, by year. They add up over symbols and years. */
export type YearlySums = ReadonlyMap<number, Sums>;

export const yearsOf = (rows: readonly YearlySums[]): number[] =>
  [...new Set(rows.flatMap((row) => [...row.keys()]))].sort((a, b) => a - b);

/**
 * The totals of each resample, drawn with replacement; none with fewer than three years.
 * @param tables sums of the same symbols under several rules; a resample weights all of them alike
 */
export function* resamplesOf(tables: readonly (readonly YearlySums[])[], seed: number): Generator<readonly Sums[]> {
  const symbols = tables[0]?.length ?? 0;
  const years = yearsOf(tables[0] ?? []);
  if (years.length < MIN_YEARS) return;
  const random = createRandom(seed);
  for (let resample = 0; resample < RESAMPLES; resample++) {
    const symbolWeights = weights(symbols, random);
    const yearWeights = new Map(years.map((year) => [year, 0]));
    for (const [index, weight] of weights(years.length, random).entries())
      yearWeights.set(years[index] as number, weight);
    yield tables.map((rows) =>
      totalOf(rows, (symbol, year) => (symbolWeights[symbol] ?? 0) * (yearWeights.get(year) ?? 0)),
    );
  }
}

/** Number of times that each of `count` items is drawn, in `count` draws with replacement. */
function weights(count: number, random: () => number): Uint32Array {
  const drawn = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const which = Math.floor(random() * count);
    drawn[which] = (drawn[which] ?? 0) + 1;
  }
  return drawn;
}

/** Adds the sums of all symbols and years, each with its weight. */
export function totalOf(
  rows: readonly YearlySums[],
  weightOf: (symbol: number, year: number) => number = () => 1,
): Sums {
  const width =
    rows
      .find((row) => row.size > 0)
      ?.values()
      .next().value?.length ?? 0;
  const total = new Float64Array(width);
  for (const [index, row] of rows.entries()) {
    for (const [year, sums] of row) {
      const weight = weightOf(index, year);
      if (weight === 0) continue;
      for (let k = 0; k < width; k++) total[k] = (total[k] as number) + weight * (sums[k] as number);
    }
  }
  return total;
}

/** @returns null for a figure that is undefined (NaN) in most of at least one resample */
export function intervalOf(resampled: readonly number[]): Interval | null {
  const values = resampled.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  if (values.length === 0 || values.length < resampled.length / 2) return null;
  const at = (share: number): number => values[Math.round(share * (values.length - 1))] as number;
  return { low: at(TAIL), high: at(1 - TAIL) };
}
