// Main, core: hides a secret in a server's answer, in every encoding of an echoed request. Pure.
import type { Message } from '../../../shared/text/message.ts';

const HIDDEN = '[hidden]';
/** Separators between the characters of a spaced secret. */
const GAP = '[\\s\\p{Cf}.,:;|*_"\'`-]{0,3}';
/** The forms of a shorter secret match other text too: an answer that contains it is hidden whole. */
const SHORTEST = 6;

/** The pattern of the last secret: every answer of a service passes here, and the pattern costs more than the search. */
let patternOfLast: { readonly secret: string; readonly pattern: RegExp } | null = null;

/**
 * Hides the secret as it is, in any case, spaced, escaped for addresses, JSON or HTML, in hexadecimal, and in
 * base64 at any place of a longer text ("Bearer SECRET", "user:SECRET").
 * @param isCut the text was cut, possibly within the secret
 */
export function withoutEcho(text: string, secret: string | null, isCut = false): string {
  if (secret === null || secret === '') return text;
  if (secret.length < SHORTEST) return text.toLowerCase().includes(secret.toLowerCase()) ? HIDDEN : text;
  if (patternOfLast?.secret !== secret) patternOfLast = { secret, pattern: patternOf(secret) };
  const clean = text.replace(patternOfLast.pattern, HIDDEN);
  const last = clean.lastIndexOf(HIDDEN);
  return isCut && last >= 0 ? clean.slice(0, last + HIDDEN.length) : clean;
}

/** Hides the secret in every value of a message. */
export const messageWithoutEcho = (said: Message, secret: string | null): Message =>
  JSON.parse(JSON.stringify(said), (name, value: unknown) =>
    typeof value === 'string' && name !== 'code' ? withoutEcho(value, secret) : value,
  ) as Message;

function patternOf(secret: string): RegExp {
  const forms = [[...secret].map(escapableCharacter), ...formsOf(secret).map((form) => [...form].map(characterOf))];
  return new RegExp(forms.map((form) => form.join(GAP)).join('|'), 'giu');
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // Only the characters that do not depend on the text around the secret.
    const end = (offset + bytes.length) % 3 === 0 ? encoded.length : encoded.length - 1;
    return encoded.slice(Math.ceil((offset * 4) / 3), end);
  });
  // Longest first: the first matching alternative of an expression wins.
  return [bytes.toString('hex'), ...base64].sort((a, b) => b.length - a.length);
}

/**
 * A character as it is, or escaped for an address (once or repeatedly), JSON or HTML; programs differ in
 * this.
 */
function escapableCharacter(character: string): string {
  const percent = [...Buffer.from(character)]
    .map((byte) => `%(?:25){0,3}${byte.toString(16).padStart(2, '0')}`)
    .join('');
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return `(?:\\\\{0,8}${characterOf(character)}|${percent}|\\\\{1,8}u0{0,3}${hex}|&#(?:x0{0,4}${hex}|0{0,4}${code});)`;
}

/** Base64 has two alphabets. */
function characterOf(character: string): string {
  if (character === '+' || character === '-') return '[+-]';
  if (character === '/' || character === '_') return '[/_]';
  return character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
