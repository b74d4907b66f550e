// Main, core: the signatures of a delivery: proves that it comes from the service, and signs forwarded ones.
// HMAC-SHA256 over the raw bytes, compared in constant time before anything is parsed (docs/contract.md 27).
// It reads every spelling of the value; the first valid spelling is pinned.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RefusalReason } from '../../../shared/channels/relay.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { SIGNATURE_HEADER, STANDARD_HEADERS } from '../../../shared/wire/subscriptions.ts';

/** Headers by lower-case name; repeated ones joined with a comma, as Node does. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** A value of a signature header that could be an HMAC-SHA256. */
export interface Candidate {
  readonly prefix: '' | 'sha256=' | 'v1=' | 'v1,';
  readonly encoding: 'hex' | 'base64';
  readonly bytes: Uint8Array;
}

export interface LiveSecret {
  readonly generation: 'current' | 'previous';
  readonly text: string;
}

export interface Proof {
  readonly generation: LiveSecret['generation'];
  /**
   * service: X-Service-Signature over the body. standard: webhook-signature over id, time and body, which
   * proves all three.
   */
  readonly scheme: 'service' | 'standard';
  /** Spelling of X-Service-Signature, to be pinned; null for the other scheme. */
  readonly form: string | null;
}

export interface ProofFailure {
  readonly reason: Extract<
    RefusalReason,
    'no_secret' | 'unsigned' | 'unreadable_signature' | 'other_form' | 'wrong_signature'
  >;
  readonly message: Message;
}

const MAX_CANDIDATES = 16;
const LONGEST_HEADER = 4096;
const HMAC_BYTES = 32;
/** A shorter decoded key is too easy to guess. */
const MIN_KEY_BYTES = 16;
const DECODED_PREFIX = 'whsec_';

/**
 * Every value in a signature header with 32 bytes after decoding: split at blanks and commas, prefixes
 * removed.
 */
export function readSignatures(value: string): Candidate[] {
  const found: Candidate[] = [];
  if (value === '') return found;
  for (const match of value
    .slice(0, LONGEST_HEADER)
    .matchAll(/(?<=^|[\s,])(sha256=|v1=|v1,)?([\w+/-]{43,64}=?)(?=$|[\s,])/g)) {
    const [, prefix = '', text = ''] = match;
    const encoding = /^[0-9a-f]{64}$/i.test(text) ? 'hex' : /^[\w+/-]{43}=?$/.test(text) ? 'base64' : null;
    if (encoding === null) continue;
    // Node decodes both alphabets of base64 alike, so they are one spelling: a value without + / - _ belongs
    // to both.
    const bytes = Buffer.from(text, encoding);
    if (bytes.length === HMAC_BYTES) found.push({ prefix: prefix as Candidate['prefix'], encoding, bytes });
    if (found.length === MAX_CANDIDATES) break;
  }
  return found;
}

export const formOf = ({ prefix, encoding }: Pick<Candidate, 'prefix' | 'encoding'>): string => `${prefix}${encoding}`;

const decoded = (text: string): Buffer | null => {
  const bytes = /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  return bytes.length < MIN_KEY_BYTES ? null : bytes;
};

/**
 * Key of X-Service-Signature: the secret's characters; its decoded bytes only with the prefix `whsec_`. null:
 * unusable.
 */
export const bodyKey = (secret: string): Buffer | null =>
  secret.startsWith(DECODED_PREFIX) ? decoded(secret.slice(DECODED_PREFIX.length)) : Buffer.from(secret, 'utf8');
/**
 * Key of webhook-signature: the decoded bytes. null: the secret is not base64, so there is no such signature.
 */
export const standardKey = (secret: string): Buffer | null =>
  decoded(secret.startsWith(DECODED_PREFIX) ? secret.slice(DECODED_PREFIX.length) : secret);

export const hmac = (key: Uint8Array, ...parts: readonly (string | Uint8Array)[]): Buffer => {
  // The key is text of one character per byte: a key object costs ten times as much.
  const made = createHmac('sha256', Buffer.from(key).toString('latin1'), { encoding: 'latin1' });
  for (const part of parts) made.update(part);
  return made.digest();
};

/** The text that webhook-signature signs before the body; null where id or time is missing. */
export function standardHead(headers: Headers): string | null {
  const [id, at] = [headers[STANDARD_HEADERS.id], headers[STANDARD_HEADERS.timestamp]];
  return id === undefined || at === undefined ? null : `${id}.${at}.`;
}

/** True when any candidate matches. Compares all of them, so that the time reveals nothing. */
const anyIs = (candidates: readonly Candidate[], expected: Buffer): boolean =>
  candidates.reduce((found, { bytes }) => timingSafeEqual(bytes, expected) || found, false);

/**
 * Proves a delivery. One valid signature by one current secret is enough: during a rotation each header may
 * use the other secret.
 * @param pinned the spelling of X-Service-Signature that was valid before; null: none yet
 */
export function verify(
  headers: Headers,
  body: Uint8Array,
  secrets: readonly LiveSecret[],
  pinned: string | null,
): Result<Proof, ProofFailure> {
  const refuse = (reason: ProofFailure['reason'], found: Message) => err({ reason, message: found });
  if (secrets.length === 0) return refuse('no_secret', message('signature.no_secret'));
  const [given, standard] = [headers[SIGNATURE_HEADER], headers[STANDARD_HEADERS.signature]];
  if (given === undefined && standard === undefined)
    return refuse(
      'unsigned',
      message('signature.unsigned', { own: SIGNATURE_HEADER, standard: STANDARD_HEADERS.signature }),
    );
  const own = readSignatures(given ?? '');
  const further = readSignatures(standard ?? '').filter(({ prefix }) => prefix === 'v1,');
  if (own.length === 0 && further.length === 0) return refuse('unreadable_signature', message('signature.unreadable'));

  const head = standardHead(headers);
  let byOwn: { generation: LiveSecret['generation']; form: string } | null = null;
  let byStandard: LiveSecret['generation'] | null = null;
  let otherForm: string | null = null;
  for (const secret of secrets) {
    const { text } = secret;
    const ownKey = own.length === 0 ? null : bodyKey(text);
    const furtherKey = further.length === 0 || head === null ? null : standardKey(text);
    if (ownKey !== null) {
      const expected = hmac(ownKey, body);
      for (const candidate of own) {
        if (!anyIs([candidate], expected)) continue;
        const form = formOf(candidate);
        if (pinned === null || pinned === form) byOwn ??= { generation: secret.generation, form };
        else otherForm = form;
      }
    }
    if (furtherKey !== null && head !== null && anyIs(further, hmac(furtherKey, head, body)))
      byStandard ??= secret.generation;
  }
  const proven = byOwn?.generation ?? byStandard;
  if (proven !== null)
    return ok({ generation: proven, scheme: byStandard === null ? 'service' : 'standard', form: byOwn?.form ?? null });
  if (otherForm !== null) return refuse('other_form', message('signature.other_form', { form: otherForm, pinned }));
  return refuse('wrong_signature', message('signature.wrong'));
}

/**
 * Names of the relays that a delivery has passed, in order: it goes to none of them again, nor through too
 * many.
 */
export const TRAIL_HEADER = 'x-barograph-relays';

/** Random bytes of a new secret; it is shown as their base64, like the service's. */
export const SECRET_BYTES = 32;

/**
 * The signature of Standard Webhooks alone: it does not pin the spelling of the service's own signature.
 * Returns null where the secret yields no key for it.
 * @param at of this attempt, ms
 */
export function standardHeaders(
  secret: string,
  eventId: string,
  body: string,
  at: number,
): Record<string, string> | null {
  const key = standardKey(secret);
  if (key === null) return null;
  const seconds = String(Math.floor(at / 1000));
  return {
    [STANDARD_HEADERS.id]: eventId,
    [STANDARD_HEADERS.timestamp]: seconds,
    [STANDARD_HEADERS.signature]: `v1,${hmac(key, `${eventId}.${seconds}.`, body).toString('base64')}`,
  };
}

/** @param at of this attempt, ms */
export function signedHeaders(secret: string, eventId: string, body: string, at: number): Record<string, string> {
  const ownKey = bodyKey(secret);
  return {
    ...(ownKey === null ? {} : { [SIGNATURE_HEADER]: hmac(ownKey, body).toString('hex') }),
    [STANDARD_HEADERS.id]: eventId,
    [STANDARD_HEADERS.timestamp]: String(Math.floor(at / 1000)),
    ...standardHeaders(secret, eventId, body, at),
  };
}
