// Service, market, tape: the usual move, range and volume of a symbol's last bars.
// Takes constant time per bar.
import { RingBuffer } from '../../engine/ring-buffer.ts';
import type { Bar } from '../../engine/types.ts';

const YEAR = 252;
const QUARTER = 63;
/** Decay of the short deviation: about a month. */
const DECAY = 0.94;
/** Minimum number of moves, or of volumes, for a usual value. */
const FEWEST = 20;

export class RecentMoves {
  readonly #moves = new RingBuffer(YEAR);
  readonly #ranges = new RingBuffer(QUARTER);
  /** Traded shares of the bars that have a volume. */
  readonly #shares = new RingBuffer(QUARTER);
  /** Cached medians of `#ranges` and `#shares`; null: outdated. */
  #range: number | null = null;
  #volume: number | null = null;
  #close = Number.NaN;
  #squares = 0;
  #short = Number.NaN;

  push({ close, high, low, volume }: Bar): void {
    const move = Math.log(close / this.#close);
    this.#close = close;
    this.#ranges.push(Math.log(high / low));
    [this.#range, this.#volume] = [null, null];
    if (volume !== null) this.#shares.push(volume);
    if (Number.isNaN(move)) return;
    const oldest = this.#moves.back(YEAR - 1);
    this.#moves.push(move);
    this.#squares += move * move - (Number.isNaN(oldest) ? 0 : oldest * oldest);
    // A running sum drifts and could fall below zero; recompute it once a year.
    if (this.#moves.count % YEAR === 0) this.#squares = sumOfSquares(this.#moves.tail(YEAR));
    this.#short = Number.isNaN(this.#short) ? move * move : DECAY * this.#short + (1 - DECAY) * move * move;
  }

  /** Converts the last close and the volumes to a new price level; moves and ranges do not change. */
  rescale(factor: number): void {
    this.#close *= factor;
    this.#volume = null;
    for (let back = 0; back < Math.min(this.#shares.count, QUARTER); back++)
      this.#shares.set(back, this.#shares.back(back) / factor);
  }

  get isKnown(): boolean {
    return this.#moves.count >= FEWEST && this.deviation > 0;
  }

  /** Deviation of a logarithmic move: the larger of a year's and a month's; NaN before the first move. */
  get deviation(): number {
    const bars = Math.min(this.#moves.count, YEAR);
    return Math.sqrt(Math.max(Math.max(0, this.#squares) / bars, this.#short));
  }

  /** Logarithm of high over low: the median of a quarter. */
  get range(): number {
    this.#range ??= median(this.#ranges, QUARTER);
    return this.#range;
  }

  /**
   * Volume of a bar as a multiple of the usual volume; null: not known. Scaled down by `level` below 1,
   * because after a split to that level the same value trades as more shares.
   */
  volumeOf({ volume }: Bar, level: number): number | null {
    if (volume === null || this.#shares.count < FEWEST) return null;
    this.#volume ??= median(this.#shares, QUARTER);
    return (volume / this.#volume) * Math.min(1, level);
  }
}

function sumOfSquares(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return sum;
}

function median(values: RingBuffer, size: number): number {
  const sorted = values.tail(Math.min(values.count, size)).toSorted();
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
