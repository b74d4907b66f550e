// Service, engine: the closes of one symbol of the panel, by panel day.

import type { Bar } from '../bar.ts';
import { sessionReturn } from '../history.ts';
import { RingBuffer, type RingState } from '../ring-buffer.ts';
import { logOf } from './series.ts';

/** Number of returns in a correlation with the panel. */
export const CORRELATION_SPAN = 63;
/** Number of returns in the turbulence baseline. */
export const TURBULENCE_SPAN = 504;
/** A series without a bar for more panel days than this has ended or not begun. */
const STALE_AFTER = 10;

interface AsOfMemory {
  /** Consecutive panel days with a return. */
  unbroken: number;
  latest: number;
  /** Panel days since the latest bar. */
  age: number;
  /** Missing sessions before the latest bar. */
  missing: number;
}

export interface AsOfState {
  readonly memory: Readonly<AsOfMemory>;
  readonly closes: RingState;
  readonly returns: RingState;
}

/** Closes as of each panel day: a symbol without a bar retains its last one for a while. */
export class AsOf {
  readonly closes = new RingBuffer(CORRELATION_SPAN + 1);
  readonly returns = new RingBuffer(TURBULENCE_SPAN + 1);
  #memory: AsOfMemory = { unbroken: 0, latest: Number.NaN, age: 0, missing: 0 };

  get unbroken(): number {
    return this.#memory.unbroken;
  }

  take({ close, missing = 0 }: Bar): void {
    this.#memory.latest = close;
    this.#memory.age = 0;
    this.#memory.missing = missing;
  }

  advance(): void {
    const memory = this.#memory;
    memory.age += 1;
    const close = memory.age > STALE_AFTER ? Number.NaN : memory.latest;
    const change = sessionReturn(logOf(close / this.closes.back(0)), memory.missing);
    memory.missing = 0;
    memory.unbroken = Number.isNaN(change) ? 0 : memory.unbroken + 1;
    this.returns.push(change);
    this.closes.push(close);
  }

  save(): AsOfState {
    return { memory: { ...this.#memory }, closes: this.closes.save(), returns: this.returns.save() };
  }

  /** Continues a new series from what another saved. */
  restore({ memory, closes, returns }: AsOfState): void {
    this.#memory = { ...memory };
    this.closes.restore(closes);
    this.returns.restore(returns);
  }
}
