// Service, signals: when closed bars that were read before are other ones now.
import type { ChangingPast } from '../market/types.ts';

export class PastChanges {
  readonly #source: ChangingPast | undefined;
  #version = 0;
  /** World ms up to which changes are in what was read. */
  #readTo = Number.NEGATIVE_INFINITY;

  /** @param source undefined: nothing ever changes */
  constructor(source: ChangingPast | undefined) {
    this.#source = source;
  }

  /** Everything was read as it is known at `instant`. */
  readUpTo(instant: number): void {
    this.#readTo = instant;
    this.#version = this.#source?.version() ?? 0;
  }

  /**
   * The first instant up to `to` as of which closed bars must be read again; `evaluatedTo` itself when they changed
   * without world time passing. The caller reads them again. null: none.
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
