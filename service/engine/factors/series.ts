// Service, engine: statistics of a short run of values, by default of all; NaN if undefined.
// Each is computed over the whole run, so that it does not drift.

export function mean(values: Float64Array, start = 0, end = values.length): number {
  let sum = 0;
  for (let i = start; i < end; i++) sum += values[i] as number;
  return sum / (end - start);
}

/** Mean of the values that are not NaN; NaN when fewer than half are known. */
export function meanOfKnown(values: Float64Array, start = 0, end = values.length): number {
  let sum = 0;
  let count = 0;
  for (let i = start; i < end; i++) {
    const value = values[i] as number;
    if (Number.isNaN(value)) continue;
    sum += value;
    count += 1;
  }
  return 2 * count < end - start ? Number.NaN : sum / count;
}

/** Natural logarithm; NaN for zero and below. */
export const logOf = (value: number): number =>
  value > 0 && value < Number.POSITIVE_INFINITY ? Math.log(value) : Number.NaN;

/** a / b; NaN unless b is above zero. */
export const ratio = (a: number, b: number): number => (b > 0 ? a / b : Number.NaN);

/** sign(b) * R^2 of a straight line through the values; 0 for a constant run. */
export function signedFit(values: Float64Array, start = 0, end = values.length): number {
  const n = end - start;
  const centre = (n - 1) / 2;
  const average = mean(values, start, end);
  let xy = 0;
  let yy = 0;
  for (let i = 0; i < n; i++) {
    const y = (values[start + i] as number) - average;
    xy += (i - centre) * y;
    yy += y * y;
  }
  const xx = (n * (n * n - 1)) / 12;
  return yy > 0 ? (Math.sign(xy) * xy * xy) / (xx * yy) : 0;
}

/** The order of three neighbours, one of six codes in 0..7. The earlier of equal values counts as smaller. */
export const orderOf = (a: number, b: number, c: number): number =>
  (a <= b ? 4 : 0) + (b <= c ? 2 : 0) + (a <= c ? 1 : 0);

/** Entropy of orders of three neighbours, 0..1 (1: all are equally frequent). */
export function permutationEntropy(orders: Float64Array, start = 0, end = orders.length): number {
  const counts = new Float64Array(8);
  for (let i = start; i < end; i++) counts[orders[i] as number] = (counts[orders[i] as number] as number) + 1;
  // Adds in ascending order, so that the same counts give the same number to the last bit: ranks must detect
  // ties.
  counts.sort();
  const total = end - start;
  let entropy = 0;
  for (const count of counts) if (count > 0) entropy -= (count / total) * Math.log(count / total);
  return entropy / Math.log(6);
}

/** Kaufman's efficiency: net change over the sum of absolute changes; 0 for a constant run. */
export function efficiency(values: Float64Array, start = 0, end = values.length): number {
  let path = 0;
  for (let i = start + 1; i < end; i++) path += Math.abs((values[i] as number) - (values[i - 1] as number));
  return path > 0 ? Math.abs((values[end - 1] as number) - (values[start] as number)) / path : 0;
}

/** Share of the variance due to jumps: 1 - bipower variation / realised variance. */
export function jumpShare(returns: Float64Array, start = 0, end = returns.length): number {
  const n = end - start;
  let realised = (returns[start] as number) ** 2;
  let bipower = 0;
  for (let i = start + 1; i < end; i++) {
    realised += (returns[i] as number) ** 2;
    bipower += Math.abs((returns[i] as number) * (returns[i - 1] as number));
  }
  return realised > 0 ? 1 - ((Math.PI / 2) * (n / (n - 1)) * bipower) / realised : Number.NaN;
}

const TAIL = 13;

export interface Tail {
  /** The 14th largest loss; 0 with fewer. */
  readonly least: number;
  /** Hill's index: mean log excess of the 13 largest losses over the 14th; larger is a fatter tail. */
  readonly index: number;
}

export function hillTail(returns: Float64Array, start = 0, end = returns.length): Tail {
  const worst = new Float64Array(TAIL + 1);
  for (let i = start; i < end; i++) {
    const loss = -(returns[i] as number);
    if (!(loss > (worst[TAIL] as number))) continue;
    let at = TAIL;
    for (; at > 0 && (worst[at - 1] as number) < loss; at--) worst[at] = worst[at - 1] as number;
    worst[at] = loss;
  }
  const least = worst[TAIL] as number;
  if (!(least > 0)) return { least, index: Number.NaN };
  let sum = 0;
  for (let i = 0; i < TAIL; i++) sum += Math.log((worst[i] as number) / least);
  return { least, index: sum / TAIL };
}
