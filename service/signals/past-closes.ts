// Service, signals: all past closes of a symbol and their High Risk flags, for the hold-out record.

/** Initial capacity, in closes; it grows by a quarter. */
const INITIAL_CAPACITY = 512;

export class PastCloses {
  #closes = new Float64Array(INITIAL_CAPACITY);
  #alerts = new Uint8Array(INITIAL_CAPACITY);
  length = 0;

  push(close: number, alert: boolean): void {
    if (this.length === this.#closes.length) {
      const capacity = this.length + (this.length >> 2);
      this.#closes = grown(this.#closes, new Float64Array(capacity));
      this.#alerts = grown(this.#alerts, new Uint8Array(capacity));
    }
    this.#closes[this.length] = close;
    this.#alerts[this.length] = alert ? 1 : 0;
    this.length += 1;
  }

  /** The first `count` closes; a view. */
  closes(count = this.length): Float64Array {
    return this.#closes.subarray(0, count);
  }

  /** Flags of the first `count` closes: 1 in High Risk, otherwise 0; a view. */
  alerts(count: number): Uint8Array {
    return this.#alerts.subarray(0, count);
  }
}

function grown<T extends Float64Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
