// Service, signals: detects that closed bars already read have changed.
import type { ChangingPast } from '../market/types.ts';

export class PastChanges {
  readonly #source: ChangingPast | undefined;
  #version = 0;
  /** World ms up to which the bars read include changes. */
  #readTo = Number.NEGATIVE_INFINITY;

  /** @param source undefined: past bars never change */
  constructor(source: ChangingPast | undefined) {
    this.#source = source;
  }

  /** Records that all bars were read as known at `instant`. */
  readUpTo(instant: number): void {
    this.#readTo = instant;
    this.#version = this.#source?.version() ?? 0;
  }

  /**
   * The first instant up to `to` as of which the caller must read closed bars again; `evaluatedTo` if they
   * changed without world time passing; null: none.
   */
  next(evaluatedTo: number, to: number, lastDate: (symbol: string) => string | null): number | null {
    const source = this.#source;
    if (source === undefined) return null;
    const before = this.#version;
    this.#version = source.version();
    if (this.#version !== before)
      for (const [symbol, date] of source.changedSince(before))
        if (date <= (lastDate(symbol) ?? '')) return evaluatedTo;
    const change = source.nextChange(Math.max(evaluatedTo, this.#readTo), to);
    if (change !== null) this.#readTo = change;
    return change;
  }
}
