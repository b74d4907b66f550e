// Pure: finds instruments by symbol, name and class, best match first.
import type { AssetClass } from './instruments.ts';

/** A searchable instrument. */
export interface FindableInstrument {
  readonly symbol: string;
  /** null: unknown. */
  readonly name: string | null;
  readonly asset_class: AssetClass | null;
}

/** Search words for each class. */
const CLASS_WORDS: Readonly<Record<AssetClass, readonly string[]>> = {
  equity: ['equity', 'equities', 'stock', 'stocks', 'share', 'shares'],
  etf: ['etf', 'etfs', 'fund', 'funds'],
  index: ['index', 'indices'],
  crypto: ['crypto', 'coin', 'coins', 'cryptocurrency'],
  fx: ['fx', 'forex', 'currency', 'currencies'],
};

/** Minimum length of a word that may match inside a name; shorter words occur in too many names. */
const INSIDE_A_NAME = 3;

/** Score of one word; null: no match. The steps are large, so that a better kind of match always wins. */
function scoreOfTerm(term: string, { symbol, name, asset_class }: FindableInstrument): number | null {
  const ticker = symbol.toLowerCase();
  if (ticker === term) return 1000;
  const words = (name ?? '').toLowerCase().split(/[^\p{L}\p{N}&]+/u);
  if (words.includes(term)) return 400;
  if (ticker.startsWith(term)) return 300;
  if (words.some((word) => word.startsWith(term))) return 200;
  if (asset_class !== null && CLASS_WORDS[asset_class].some((word) => word.startsWith(term))) return 50;
  if (ticker.includes(term)) return 20;
  return term.length >= INSIDE_A_NAME && (name ?? '').toLowerCase().includes(term) ? 10 : null;
}

/**
 * Instruments that match every word of the text, best first: symbol, word of the name, prefix of either,
 * class, substring.
 * @param isPreferred puts instruments first among equal matches; the rest is in this order, then alphabetical
 */
export function findInstruments<Found extends FindableInstrument>(
  instruments: readonly Found[],
  text: string,
  most: number,
  isPreferred: (symbol: string) => boolean = () => false,
  compare: (a: string, b: string) => number = () => 0,
): readonly Found[] {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return [];
  return instruments
    .flatMap((instrument) => {
      let score = 0;
      for (const term of terms) {
        const found = scoreOfTerm(term, instrument);
        if (found === null) return [];
        score += found;
      }
      return [{ instrument, score: score + (isPreferred(instrument.symbol) ? 1 : 0) }];
    })
    .sort(
      ({ instrument: { symbol: a }, ...one }, { instrument: { symbol: b }, ...other }) =>
        other.score - one.score || compare(a, b) || a.localeCompare(b, 'en'),
    )
    .slice(0, most)
    .map(({ instrument }) => instrument);
}
