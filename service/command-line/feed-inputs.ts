// Service, command line: reads --feed-symbols and the key of a feed.
import { readFileSync } from 'node:fs';
import { isSymbol, normalizeSymbol } from '../../shared/domain/instruments.ts';
import { messageOf } from '../../shared/lib/result.ts';

const MAX_SYMBOLS = 2_000;

/**
 * @param text symbols with commas between them, or a file with one or more a line; # begins a comment
 * @throws Error with one sentence
 */
export function readFeedSymbols(text: string): readonly string[] {
  const isFile = /[\\/]|\.(txt|csv|list)$/i.test(text);
  const symbols = (isFile ? linesOf(text) : text)
    .replaceAll(/#.*$/gm, '')
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
    .map(normalizeSymbol);
  const wrong = symbols.find((symbol) => !isSymbol(symbol));
  if (wrong !== undefined)
    throw new Error(`--feed-symbols: "${wrong.slice(0, 30)}" is no symbol; use 1 to 15 of A-Z 0-9 . ^ = -`);
  if (symbols.length === 0) throw new Error(`--feed-symbols: ${text.slice(0, 100)} names no symbol`);
  if (symbols.length > MAX_SYMBOLS) throw new Error(`--feed-symbols: more than ${MAX_SYMBOLS} symbols`);
  return [...new Set(symbols)];
}

function linesOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new Error(`the list of symbols ${file} cannot be read: ${messageOf(error)}`);
  }
}

/**
 * Reads the key, and removes it from the environment, so that other code cannot read it.
 * @param file null: only the environment
 * @throws Error with one sentence, which does not repeat the key
 */
export function takeFeedKey(environment: NodeJS.ProcessEnv, file: string | null): string | null {
  const given = environment.BAROGRAPH_FEED_KEY?.trim();
  delete environment.BAROGRAPH_FEED_KEY;
  if (file === null) {
    if (given !== undefined && /\s/.test(given))
      throw new Error('BAROGRAPH_FEED_KEY must hold one key and nothing else');
    return given === undefined || given === '' ? null : given;
  }
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`the key of the feed cannot be read: ${messageOf(error)}`);
  }
  if (text === '' || /\s/.test(text)) throw new Error(`${file} must hold one key and nothing else`);
  return text;
}
