// Client: verifies the signature and the time of a delivery before it is parsed as an event.
// Uses WebCrypto, so that it runs wherever the client does.
import { err, type Result } from '../shared/lib/result.ts';
import { type EventEnvelope, EventEnvelopeSchema } from '../shared/wire/events.ts';
import { SIGNATURE_HEADER, STANDARD_HEADERS } from '../shared/wire/subscriptions.ts';
import { parseJson } from './request.ts';
import { parseTolerantly } from './tolerant.ts';

/**
 * unsigned: a header is missing. wrong_signature: another secret or another body was signed. too_old, ahead:
 * sent too long ago, or its time is in the future. unreadable: the signature is valid, the body is no known
 * event.
 */
export type WebhookRefusal = 'unsigned' | 'wrong_signature' | 'too_old' | 'ahead' | 'unreadable';

export interface WebhookOptions {
  /** The signing secret, as the answer to `subscribe` showed it. */
  readonly secret: string;
  /** The bytes as they arrived, not parsed and printed again. */
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** ms that the time of the delivery may differ from `now`. Default 5 minutes. */
  readonly tolerance?: number;
  /** This computer's time, ms. */
  readonly now?: number;
  /**
   * Accepts X-Service-Signature if the service sends no webhook-signature. It covers the body but not the
   * time, so a recorded delivery can be replayed: deduplicate by event id.
   */
  readonly undated?: boolean;
}

const TOLERANCE = 5 * 60_000;
const SECRET_PREFIX = 'whsec_';

/** Never throws. The same event can arrive twice, with the same `event_id`. */
export async function verifyWebhook(options: WebhookOptions): Promise<Result<EventEnvelope, WebhookRefusal>> {
  const refusal = await refusalOf(options);
  if (refusal !== null) return err(refusal);
  const event = parseTolerantly(EventEnvelopeSchema, parseJson(new TextDecoder().decode(options.body)));
  return event.ok ? event : err('unreadable');
}

async function refusalOf({
  secret,
  body,
  headers,
  tolerance = TOLERANCE,
  now = Date.now(),
  undated = false,
}: WebhookOptions): Promise<WebhookRefusal | null> {
  const given = readerOf(headers);
  const [id, at] = [given(STANDARD_HEADERS.id), given(STANDARD_HEADERS.timestamp)];
  const signatures = given(STANDARD_HEADERS.signature);
  if (id === '' || at === '' || signatures === '') {
    const own = given(SIGNATURE_HEADER).replace(/^sha256=/, '');
    if (!undated || own === '') return 'unsigned';
    return (await isSigned(new TextEncoder().encode(secret), [body], [bytesOfHex(own)])) ? null : 'wrong_signature';
  }
  const key = bytesOfBase64(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  const candidates = signatures
    .split(/\s+/)
    .flatMap((one) => (one.startsWith('v1,') ? [bytesOfBase64(one.slice(3))] : []));
  const head = new TextEncoder().encode(`${id}.${at}.`);
  if (key === null || !(await isSigned(key, [head, body], candidates))) return 'wrong_signature';
  const age = now - Number(at) * 1_000;
  if (Number.isNaN(age) || age < -tolerance) return 'ahead';
  return age > tolerance ? 'too_old' : null;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** True when any candidate is the HMAC-SHA256 of the parts; WebCrypto compares in constant time. */
async function isSigned(key: Bytes, parts: readonly Bytes[], candidates: readonly (Bytes | null)[]): Promise<boolean> {
  if (key.length === 0) return false;
  const signed = new Uint8Array(await new Blob([...parts]).arrayBuffer());
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  let found = false;
  for (const candidate of candidates)
    if (candidate !== null && (await crypto.subtle.verify('HMAC', imported, candidate, signed))) found = true;
  return found;
}

function readerOf(headers: WebhookOptions['headers']): (name: string) => string {
  if (headers instanceof Headers) return (name) => headers.get(name) ?? '';
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => [lower.get(name) ?? ''].flat().join(' ');
}

function bytesOfBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

const bytesOfHex = (text: string): Bytes | null =>
  /^([0-9a-f]{2})+$/i.test(text) ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)) : null;
