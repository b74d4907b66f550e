// Service, engine: the closes of one symbol of the panel, by panel day.
import { sessionReturn } from '../history.ts';
import { RingBuffer } from '../ring-buffer.ts';
import type { Bar } from '../types.ts';
import { logOf } from './series.ts';

/** Number of returns in a correlation with the panel. */
export const CORRELATION_SPAN = 63;
/** Number of returns in the turbulence baseline. */
export const TURBULENCE_SPAN = 504;
/** A series without a bar for more panel days than this has ended or not begun. */
const STALE_AFTER = 10;

/** Closes as of each panel day: a symbol without a bar retains its last one for a while. */
export class AsOf {
  readonly closes = new RingBuffer(CORRELATION_SPAN + 1);
  readonly returns = new RingBuffer(TURBULENCE_SPAN + 1);
  /** Consecutive panel days with a return. */
  unbroken = 0;
  #latest = Number.NaN;
  #age = 0;
  /** Missing sessions before the latest bar. */
  #missing = 0;

  take({ close, missing = 0 }: Bar): void {
    this.#latest = close;
    this.#age = 0;
    this.#missing = missing;
  }

  advance(): void {
    this.#age += 1;
    const close = this.#age > STALE_AFTER ? Number.NaN : this.#latest;
    const change = sessionReturn(logOf(close / this.closes.back(0)), this.#missing);
    this.#missing = 0;
    this.unbroken = Number.isNaN(change) ? 0 : this.unbroken + 1;
    this.returns.push(change);
    this.closes.push(close);
  }
}
