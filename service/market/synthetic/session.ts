// Service, sandbox world: the price path of one day, without shocks, which gives the closed bar.

import { DAY_MS } from '../../../shared/lib/time.ts';
import type { Bar } from '../../engine/types.ts';
import { startOf } from './days.ts';
import { keyOf, ln, normalDraw, quoted, unit } from './numbers.ts';

/** Intraday deviation as share of the day's. There is no overnight jump, as prices never stop. */
const WITHIN = 0.85;
/** Halvings of a leg of the day: the smallest steps are about half a second. */
const HALVINGS = 16;
/** Number of cached draws: the first nine halvings, which every minute of the day needs. */
const CACHED_NODES = 512;
/**
 * Deviation of the n-th midpoint displacement, 2^-n / 2. It falls faster than that of a Brownian bridge
 * (sqrt(2)^-n / 2): a price that passes a level rarely turns at once, so that a state lasts.
 */
const DISPLACEMENTS = Float64Array.from({ length: HALVINGS }, (_, n) => 2 ** -(n + 1));

/**
 * The closed bar of a day. High and low are drawn as those of a Brownian bridge from open to close
 * (reflection principle).
 * @param key of the instrument and the day
 * @param open,close prices as quoted
 * @param deviation standard deviation of the day's return
 * @param volume of the whole day, null when unknown
 */
export function closedBar(
  key: number,
  date: string,
  open: number,
  close: number,
  deviation: number,
  volume: number | null,
): Bar {
  const net = close / open - 1;
  const within = WITHIN * deviation;
  const spread = 2 * within * within;
  const up = (net + Math.sqrt(net * net - spread * ln(unit(keyOf(key, 1)) + 1e-9))) / 2;
  const down = (Math.sqrt(net * net - spread * ln(unit(keyOf(key, 2)) + 1e-9)) - net) / 2;
  const high = Math.max(open, close, quoted(open * (1 + up)));
  const low = Math.min(open, close, quoted(open / (1 + down)));
  return { date, open, high, low, close, volume };
}

/**
 * The price path of one session day of one instrument. It passes through the bar's high and low at random
 * times: three bridges (Levy's midpoint construction, smoothed), with each instant computed independently.
 */
export class Session {
  readonly bar: Bar;
  readonly day: number;
  readonly #start: number;
  /** Ends of the three legs: instant within the day (0..1) and price. */
  readonly #at: readonly [number, number, number, number];
  readonly #through: readonly [number, number, number, number];
  readonly #noise: readonly [number, number, number];
  readonly #bridges: readonly [Bridge, Bridge, Bridge];

  /** @param key of the instrument and the day, as in the draw of the bar */
  constructor(key: number, day: number, bar: Bar, deviation: number) {
    this.day = day;
    this.bar = bar;
    this.#start = startOf(day);
    const { open, high, low, close } = bar;
    const first = 0.06 + 0.4 * unit(keyOf(key, 3));
    const second = first + (0.94 - first) * (0.15 + 0.8 * unit(keyOf(key, 4)));
    const lowFirst = unit(keyOf(key, 5)) < (close > open ? 0.75 : 0.25);
    this.#at = [0, first, second, 1];
    this.#through = lowFirst ? [open, low, high, close] : [open, high, low, close];
    const noise = open * WITHIN * deviation;
    this.#bridges = [new Bridge(keyOf(key, 16)), new Bridge(keyOf(key, 17)), new Bridge(keyOf(key, 18))];
    this.#noise = [noise * Math.sqrt(first), noise * Math.sqrt(second - first), noise * Math.sqrt(1 - second)];
  }

  /** The price without shocks, not rounded, at an instant of this day (ms). */
  price(ms: number): number {
    const dayFraction = (ms - this.#start) / DAY_MS;
    const at = this.#at;
    const leg = dayFraction < at[1] ? 0 : dayFraction < at[2] ? 1 : 2;
    const from = at[leg] as number;
    const inLeg = (dayFraction - from) / ((at[leg + 1] as number) - from);
    const start = this.#through[leg] as number;
    const price =
      start +
      ((this.#through[leg + 1] as number) - start) * inLeg +
      (this.#noise[leg] as number) * this.#bridges[leg].at(inLeg);
    const { high, low } = this.bar;
    if (price > high) return Math.max(low, 2 * high - price);
    if (price < low) return Math.min(high, 2 * low - price);
    return price;
  }
}

/**
 * A smoothed Brownian bridge over [0, 1], with deviation 1 at the end of the free motion: a sum of tents, one
 * per halving.
 */
class Bridge {
  readonly #key: number;
  /** By node, from 1; NaN until drawn. */
  readonly #drawn = new Float64Array(CACHED_NODES).fill(Number.NaN);

  constructor(key: number) {
    this.#key = key;
  }

  at(fraction: number): number {
    let sum = 0;
    let left = fraction;
    let node = 1;
    for (let n = 0; n < HALVINGS; n++) {
      const upper = left >= 0.5;
      const tent = upper ? 2 - 2 * left : 2 * left;
      sum += tent * (DISPLACEMENTS[n] as number) * this.#draw(node);
      node = 2 * node + (upper ? 1 : 0);
      left = upper ? 2 * left - 1 : 2 * left;
    }
    return sum;
  }

  #draw(node: number): number {
    const cached = node < CACHED_NODES ? (this.#drawn[node] as number) : Number.NaN;
    if (!Number.isNaN(cached)) return cached;
    const key = keyOf(this.#key, node);
    const value = normalDraw(key, Math.imul(key, 0x2545f491));
    if (node < CACHED_NODES) this.#drawn[node] = value;
    return value;
  }
}
