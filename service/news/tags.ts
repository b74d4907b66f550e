// Service, news: finds the instruments that a text names.
// A ticker counts if marked as a ticker, or if in capitals and no ordinary word; a name counts if
// distinctive.
import type { Instrument } from '../market/types.ts';

/** Legal forms at the end of a company's name. */
const FORMS =
  /,?\s+(?:Inc\.?|Incorporated|Corp\.?|Corporation|Company|Co\.?|& Co\.?|plc|PLC|Ltd\.?|Limited|N\.?V\.?|S\.?A\.?|AG|SE|ETF Trust|Trust|ETF|Fund|Index)$/;
/** Tickers that are also words in capitals. */
const WORDS = new Set(
  'ALL ARE CAN CAT CEO EPS FED FOR GDP HAS IPO IT KEY LOW NEW NOW ON ONE OUT REAL SEE USA WELL EV'.split(' '),
);

export interface TagMatch {
  readonly symbols: readonly string[];
  /** The matched names, as in the text. */
  readonly names: readonly string[];
}
export type Tag = (text: string) => TagMatch;

/** @param instruments candidates for tags */
export function createTags(instruments: readonly Instrument[]): Tag {
  const symbols = new Set(instruments.map(({ symbol }) => symbol));
  const names = instruments.flatMap(({ symbol, name }) => {
    const plain = coreOf(name);
    // A short or common word alone is not a name.
    return plain === symbol || plain.length < 4 || /^[a-z]/.test(plain)
      ? []
      : [{ symbol, plain, pattern: new RegExp(`(?<![\\p{L}\\p{N}])${escaped(plain)}(?![\\p{L}\\p{N}])`, 'u') }];
  });
  return (text) => {
    const found = new Set<string>();
    const add = (symbol: string | undefined): void => {
      if (symbol !== undefined && symbols.has(symbol.toUpperCase())) found.add(symbol.toUpperCase());
    };
    for (const [, symbol] of text.matchAll(/\$([A-Za-z][A-Za-z0-9.^=-]{0,14})(?![A-Za-z0-9])/g))
      add(symbol?.replace(/[.-]+$/, ''));
    for (const [, symbol] of text.matchAll(
      /\((?:NYSE|NASDAQ|Nasdaq|AMEX|NYSEARCA|ARCA|CBOE|OTC)[^:)]{0,20}:\s*([A-Za-z.^=-]{1,15})\)/g,
    ))
      add(symbol);
    const shouted = text === text.toUpperCase();
    if (!shouted)
      for (const [word] of text.matchAll(/(?<![\p{L}\p{N}$.&-])[A-Z]{3,6}(?![\p{L}\p{N}-])/gu))
        if (!WORDS.has(word)) add(word);
    const named = names.filter(({ pattern }) => pattern.test(text));
    for (const { symbol } of named) found.add(symbol);
    return { symbols: [...found].sort(), names: named.map(({ plain }) => plain) };
  };
}

function coreOf(name: string): string {
  let core = name.trim();
  for (let before = ''; before !== core; ) {
    before = core;
    core = core
      .replace(FORMS, '')
      .replace(/^(?:The|SPDR|iShares|Invesco|Vanguard) /, '')
      .trim();
  }
  return core;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
