// Test: a language of long words and accents, made from English.
// It shows cut texts and untranslated ones.
import * as en from '../../shared/text/en/en.ts';
import type { Texts } from '../../shared/text/texts.ts';

const ACCENTS: Readonly<Record<string, string>> = {
  a: 'å',
  e: 'é',
  i: 'ï',
  o: 'ø',
  u: 'ü',
  A: 'Å',
  E: 'É',
  O: 'Ø',
  U: 'Ü',
};
/** Appended to words of five letters and more: texts become about a third longer, as in German. */
const ENDING = 'ßen';

const translateWord = (word: string): string =>
  word.replace(/[aeiouAEOU]/g, (letter) => ACCENTS[letter] ?? letter) + (word.length < 5 ? '' : ENDING);

/** @param given values in the text, which stay as they are, unless they are codes */
function translate(text: string, given: readonly string[] = []): string {
  const values = given
    .filter((value) => /[^a-z_]/.test(value))
    .map((value) => value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const kept = values.length === 0 ? [text] : text.split(new RegExp(`(${values.join('|')})`));
  return kept.map((part, index) => (index % 2 === 1 ? part : part.replace(/[A-Za-z]+/g, translateWord))).join('');
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function translateAll(text: unknown, given: readonly string[] = []): unknown {
  if (typeof text === 'string') return translate(text, given);
  if (typeof text === 'function') return (...values: unknown[]) => translateAll(text(...values), stringsIn(values));
  if (Array.isArray(text)) return text.map((item) => translateAll(item, given));
  if (typeof text !== 'object' || text === null) return text;
  return Object.fromEntries(Object.entries(text).map(([name, value]) => [name, translateAll(value, given)]));
}

export const texts = translateAll(en) as Texts;
