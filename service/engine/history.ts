// Service, engine: the recent bars of one symbol, as series for measures.
// A forming bar is pushed, measured and undone.

import type { Bar } from './bar.ts';
import { orderOf } from './factors/series.ts';
import { RingBuffer, type RingState } from './ring-buffer.ts';
import { sampleDeviation, VOLATILITY_WINDOW } from './threshold.ts';

/** Number of retained bars: enough for a year, and for the twelve-month return that ends a month ago. */
const LONG = 256;
const SPREAD_SCALE = 3 - 2 * Math.SQRT2;

const SEED = 21;
const DECAY = 0.94;

/** @param logReturn per session; after missing sessions, applied `sessions` times (see `sessionReturn`) */
export function nextVariance(variance: number, logReturn: number, sessions = 1): number {
  const kept = sessions === 1 ? DECAY : DECAY ** sessions;
  return kept * variance + (1 - kept) * logReturn * logReturn;
}

/** Scales a move over several sessions to one session: its size grows with the root of their number. */
export const sessionReturn = (logReturn: number, missing: number): number =>
  missing === 0 ? logReturn : logReturn / Math.sqrt(1 + missing);

export class BarHistory {
  readonly closes = new RingBuffer(LONG);
  /** Log returns of a session; 0 on the first bar. */
  readonly returns = new RingBuffer(LONG);
  readonly logCloses = new RingBuffer(64);
  /** Orders of the last three returns. */
  readonly orders = new RingBuffer(64);
  /** Yang-Zhang's parts of a bar: overnight return, intraday return, Rogers-Satchell term. */
  readonly overnight = new RingBuffer(32);
  readonly body = new RingBuffer(32);
  readonly wander = new RingBuffer(32);
  /** 1 for a bar with a range, 0 for high = low. */
  readonly ranged = new RingBuffer(32);
  readonly trueRanges = new RingBuffer(64);
  /** Corwin-Schultz spread of this and the previous bar; NaN without ranges. */
  readonly spreads = new RingBuffer(32);
  /** Amihud: |return| per money traded; NaN without volume. */
  readonly illiquidity = new RingBuffer(32);
  /** Chaikin: volume weighted by the position of the close in the range, and volume; NaN when unknown. */
  readonly flow = new RingBuffer(32);
  readonly volume = new RingBuffer(32);
  /** Standard deviation of the last 252 returns; NaN with fewer. */
  readonly deviations = new RingBuffer(32);
  /** Exponentially weighted variance of the returns; NaN until its seed of 21 returns is complete. */
  readonly variances = new RingBuffer(8);
  readonly #highs = new RingBuffer(4);
  readonly #lows = new RingBuffer(4);
  readonly #buffers: readonly RingBuffer[] = [
    ...Object.values(this).filter((value) => value instanceof RingBuffer),
    this.#highs,
    this.#lows,
  ];

  get count(): number {
    return this.closes.count;
  }

  push(bar: Bar): void {
    const first = this.closes.count === 0;
    const before = first ? bar.open : this.closes.back(0);
    const missing = bar.missing ?? 0;
    const logReturn = first ? 0 : sessionReturn(Math.log(bar.close / before), missing);
    this.returns.push(logReturn);
    this.orders.push(orderOf(this.returns.back(2), this.returns.back(1), logReturn));
    this.closes.push(bar.close);
    this.logCloses.push(Math.log(bar.close));
    const up = Math.log(bar.high / bar.open);
    const down = Math.log(bar.low / bar.open);
    const body = Math.log(bar.close / bar.open);
    this.overnight.push(Math.log(bar.open / before));
    this.body.push(body);
    this.wander.push(up * (up - body) + down * (down - body));
    this.ranged.push(bar.high > bar.low ? 1 : 0);
    this.trueRanges.push(Math.max(bar.high, before) - Math.min(bar.low, before));
    this.spreads.push(first ? Number.NaN : this.#spread(bar, before));
    const { volume } = bar;
    this.illiquidity.push(volume === null ? Number.NaN : Math.abs(logReturn) / (bar.close * volume));
    const closeLocation = bar.high > bar.low ? (2 * bar.close - bar.high - bar.low) / (bar.high - bar.low) : 0;
    this.flow.push(volume === null ? Number.NaN : closeLocation * volume);
    this.volume.push(volume ?? Number.NaN);
    this.#highs.push(bar.high);
    this.#lows.push(bar.low);
    this.variances.push(
      this.count > SEED ? nextVariance(this.variances.back(0), logReturn, 1 + missing) : this.#seedVariance(),
    );
    this.deviations.push(
      this.count < VOLATILITY_WINDOW ? Number.NaN : this.returns.over(VOLATILITY_WINDOW, sampleDeviation),
    );
  }

  /** Undoes the last push. */
  undo(): void {
    for (const buffer of this.#buffers) buffer.undo();
  }

  save(): RingState[] {
    return this.#buffers.map((buffer) => buffer.save());
  }

  /** Fills a new history with what another saved. */
  restore(saved: readonly RingState[]): void {
    for (const [index, buffer] of this.#buffers.entries()) buffer.restore(saved[index] as RingState);
  }

  /** The mean of the first 21 squared returns, with the recursion applied to them too. */
  #seedVariance(): number {
    if (this.count < SEED) return Number.NaN;
    const first = this.returns.tail(SEED);
    const mean = first.reduce((sum, value) => sum + value * value, 0) / SEED;
    return first.reduce((variance, value) => nextVariance(variance, value), mean);
  }

  /** Corwin and Schultz 2012, without the overnight gap; a negative estimate becomes 0. */
  #spread(bar: Bar, close: number): number {
    const highBefore = this.#highs.back(0);
    const lowBefore = this.#lows.back(0);
    if (!(bar.high > bar.low) || !(highBefore > lowBefore)) return Number.NaN;
    const gap = bar.low > close ? bar.low - close : bar.high < close ? bar.high - close : 0;
    const high = bar.high - gap;
    const low = bar.low - gap;
    const beta = Math.log(highBefore / lowBefore) ** 2 + Math.log(high / low) ** 2;
    const gamma = Math.log(Math.max(high, highBefore) / Math.min(low, lowBefore)) ** 2;
    const alpha = (Math.sqrt(2 * beta) - Math.sqrt(beta)) / SPREAD_SCALE - Math.sqrt(gamma / SPREAD_SCALE);
    return Math.max(0, (2 * (Math.exp(alpha) - 1)) / (1 + Math.exp(alpha)));
  }
}
