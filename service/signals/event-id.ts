// Service, signals: ids of events.
// The same world, instant and content give the same id, in any process and after any restart.
import { createHash } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const PREFIX = 'evt_';
const TIME_LENGTH = 10;
const ORDINAL_LENGTH = 3;
const HASH_LENGTH = 11;

export interface EventIds {
  /**
   * evt_ + 48-bit time + ordinal within the millisecond + hash; sorts by time, then ordinal.
   * @param ordinal 0 for events from prices, 1 for a close's second change of its instant; triggered events use the
   *   first free one, from 1 on, because one may happen twice at a frozen instant
   */
  of(ms: number, ordinal: number, ...content: readonly string[]): string;
}

/** Version of the sandbox's world: another one is another world, with other ids. */
const SANDBOX_VERSION = 2;

/** The scope of ids and draws: the seed of a sandbox and the version of its world, or production. */
export const worldScope = (environment: string, seed: number | null): string =>
  seed === null ? environment : `${environment}:${seed}:${SANDBOX_VERSION}`;

/** @param scope scope of the ids */
export const createEventIds = (scope: string): EventIds => ({
  of(ms, ordinal, ...content) {
    const digest = createHash('sha256')
      .update(JSON.stringify([scope, ms, ordinal, ...content]))
      .digest();
    let hash = '';
    for (let index = 0; index < HASH_LENGTH; index++) hash += CROCKFORD.charAt((digest[index] ?? 0) & 31);
    return `${PREFIX}${base32(ms, TIME_LENGTH)}${base32(ordinal, ORDINAL_LENGTH)}${hash}`;
  },
});

/** The ordinal within its millisecond, from an id. */
export const ordinalOf = (eventId: string): number => numberAt(eventId, TIME_LENGTH, ORDINAL_LENGTH);

/** The time of an id, ms. */
export const timeOf = (eventId: string): number => numberAt(eventId, 0, TIME_LENGTH);

function numberAt(eventId: string, begin: number, length: number): number {
  const digits = eventId.slice(PREFIX.length + begin, PREFIX.length + begin + length);
  return [...digits].reduce((sum, digit) => 32 * sum + CROCKFORD.indexOf(digit), 0);
}

function base32(value: number, length: number): string {
  let rest = Math.max(0, Math.floor(value));
  let text = '';
  for (let index = 0; index < length; index++) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
