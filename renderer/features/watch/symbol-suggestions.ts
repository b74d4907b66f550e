// Renderer, pure: the suggestions of the field that adds symbols, for the end of its text.
import { type FindableInstrument, findInstruments } from '../../../shared/domain/instrument-search.ts';
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';

export interface Suggestion {
  readonly symbol: string;
  /** null: typed, and not listed by the service. */
  readonly instrument: FindableInstrument | null;
}

export interface Suggestions {
  /** The text before the part that a suggestion replaces. */
  readonly head: string;
  readonly options: readonly Suggestion[];
  /** Enter takes the first option, because the typed text is not itself a symbol of the service. */
  readonly isFirstChosen: boolean;
}

interface Instruments {
  readonly all: readonly FindableInstrument[];
  get(symbol: string): FindableInstrument | undefined;
  isCovered(symbol: string): boolean | null;
}

const MOST = 6;

/**
 * Several symbols are separated by commas or blanks. A name has blanks, too, so the whole end is tried first.
 */
export function suggestionsFor(text: string, instruments: Instruments): Suggestions {
  const end = /[^,;]*$/.exec(text)?.[0].trimStart() ?? '';
  const whole = findInstruments(instruments.all, end, MOST);
  const query = whole.length > 0 ? end : (/\S*$/.exec(end)?.[0] ?? '');
  const found = whole.length > 0 ? whole : findInstruments(instruments.all, query, MOST);
  const typed = normalizeSymbol(query);
  const isListed = instruments.get(typed) !== undefined;
  const unlisted = !isListed && isSymbol(typed) && instruments.isCovered(typed) === false;
  return {
    head: text.slice(0, text.length - query.length),
    options: [
      ...found.map((instrument) => ({ symbol: instrument.symbol, instrument })),
      ...(unlisted ? [{ symbol: typed, instrument: null }] : []),
    ],
    isFirstChosen: found.length > 0 && !isListed,
  };
}
