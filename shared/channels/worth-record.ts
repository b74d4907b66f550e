// Pure: what acting on High Risk brought, by symbol and for the symbols together, for the window and `validate --html`.
import type { Worth } from '../domain/worth.ts';
import { LEAST_CLOSES, type PastSeries } from '../domain/worth-of.ts';
import type { WorthRecord } from './worth.ts';

export type NamedSeries = readonly [symbol: string, series: PastSeries];

/**
 * @param symbols in the order of the rows
 * @param figuresOf computes, or has kept, the figures of some symbols together
 */
export function* worthRecord(
  symbols: readonly string[],
  closes: ReadonlyMap<string, PastSeries>,
  figuresOf: (named: readonly NamedSeries[]) => Generator<void, Worth | null>,
): Generator<void, WorthRecord> {
  const rows: WorthRecord['rows'] = [];
  const known: NamedSeries[] = [];
  for (const symbol of symbols) {
    const of = closes.get(symbol);
    const worth = of === undefined ? null : yield* figuresOf([[symbol, of]]);
    if (of !== undefined && worth !== null) known.push([symbol, of]);
    const gap = of === undefined ? 'no_closes' : of.closes.length < LEAST_CLOSES ? 'short' : 'no_market';
    rows.push({ symbol, worth: worth ?? gap });
  }
  return { isGiven: true, list: known.length < 2 ? null : yield* figuresOf(known), rows };
}
