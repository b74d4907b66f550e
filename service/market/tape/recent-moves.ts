// Service, market, tape: the usual move, range and volume of a symbol's last bars.
// Its cost does not depend on the length of the history.
import { RingBuffer } from '../../engine/ring-buffer.ts';
import type { Bar } from '../../engine/types.ts';

const YEAR = 252;
const QUARTER = 63;
/** Weight of the past in the short deviation: about a month. */
const DECAY = 0.94;
/** Fewer bars say nothing about what is usual. */
const FEWEST = 20;

export class RecentMoves {
  readonly #moves = new RingBuffer(YEAR);
  readonly #ranges = new RingBuffer(QUARTER);
  /** Traded shares; bars without a volume are left out. */
  readonly #shares = new RingBuffer(QUARTER);
  /** Medians of `#ranges` and `#shares`; null: not asked for since they changed. */
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
    // Sums of a moving window drift; a sum below zero would be no deviation.
    if (this.#moves.count % YEAR === 0) this.#squares = sumOfSquares(this.#moves.tail(YEAR));
    this.#short = Number.isNaN(this.#short) ? move * move : DECAY * this.#short + (1 - DECAY) * move * move;
  }

  /** Brings the last close and the volumes to a new level; moves and ranges stay. */
  rescale(factor: number): void {
    this.#close *= factor;
    this.#volume = null;
    for (let back = 0; back < Math.min(this.#shares.count, QUARTER); back++)
      this.#shares.set(back, this.#shares.back(back) / factor);
  }

  get isKnown(): boolean {
    return this.#moves.count >= FEWEST && this.deviation > 0;
  }

  /** Deviation of a logarithmic move, the larger of a year's and a month's; NaN before the first move. */
  get deviation(): number {
    const bars = Math.min(this.#moves.count, YEAR);
    return Math.sqrt(Math.max(Math.max(0, this.#squares) / bars, this.#short));
  }

  /** Logarithm of high over low, the median of a quarter. */
  get range(): number {
    this.#range ??= median(this.#ranges, QUARTER);
    return this.#range;
  }

  /**
   * How many times the usual number of shares a bar traded; null: not known. After a fall to the fraction `level` that
   * many shares more may only be smaller ones, so they do not count.
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
