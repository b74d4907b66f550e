// Main, core: hides a secret in a server's answer, in all forms of an echoed request. Pure.
import type { Message } from '../../shared/text/message.ts';

const HIDDEN = '[hidden]';
/** Between the characters of a secret that is written spaced. */
const GAP = '[\\s\\p{Cf}.,:;|*_"\'`-]{0,3}';
/** A shorter secret has no forms that can be told from other text: an answer that names it is hidden whole. */
const SHORTEST = 6;

/**
 * Hides the secret as it is, in any case, spaced, percent-encoded, in hexadecimal, and in base64 at any place of
 * a longer text ("Bearer SECRET", "user:SECRET").
 * @param isCut the text ends where reading stopped, maybe within the secret
 */
export function withoutEcho(text: string, secret: string | null, isCut = false): string {
  if (secret === null || secret === '') return text;
  if (secret.length < SHORTEST) return text.toLowerCase().includes(secret.toLowerCase()) ? HIDDEN : text;
  const clean = text.replace(new RegExp(formsOf(secret).map(spaced).join('|'), 'giu'), HIDDEN);
  const last = clean.lastIndexOf(HIDDEN);
  return isCut && last >= 0 ? clean.slice(0, last + HIDDEN.length) : clean;
}

/** The same in every value of a message. */
export const messageWithoutEcho = (said: Message, secret: string | null): Message =>
  JSON.parse(JSON.stringify(said), (name, value: unknown) =>
    typeof value === 'string' && name !== 'code' ? withoutEcho(value, secret) : value,
  ) as Message;

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The characters that the neighbours of the secret have no part in.
    const end = (offset + bytes.length) % 3 === 0 ? encoded.length : encoded.length - 1;
    return encoded.slice(Math.ceil((offset * 4) / 3), end);
  });
  // The longest first: in one expression the first form that fits wins.
  return [...new Set([secret, encodeURIComponent(secret), bytes.toString('hex'), ...base64])].sort(
    (a, b) => b.length - a.length,
  );
}

const spaced = (form: string): string => [...form].map(characterOf).join(GAP);

/** Base64 has two alphabets. */
function characterOf(character: string): string {
  if (character === '+' || character === '-') return '[+-]';
  if (character === '/' || character === '_') return '[/_]';
  return character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
