// Main, core: the signature diagnostics: explain exactly why a signature is invalid.
// They try the usual changes that people and proxies make to secrets, bodies and headers, and name the
// variant that fits. They never show a secret, and their findings never make a delivery valid.
import { createHash, createHmac } from 'node:crypto';
import type { Finding } from '../../../shared/channels/relay.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { SIGNATURE_HEADER, STANDARD_HEADERS } from '../../../shared/wire/subscriptions.ts';
import {
  bodyKey,
  formOf,
  type Headers,
  type LiveSecret,
  readSignatures,
  standardHead,
  standardKey,
  verify,
} from './signature.ts';

export interface Case {
  readonly headers: Headers;
  readonly body: Uint8Array;
  readonly secrets: readonly LiveSecret[];
  /** Secrets that are no longer valid. */
  readonly retired?: readonly string[];
  readonly pinned: string | null;
  /** This computer's clock, ms. */
  readonly now: number;
}

/** A variant of a part, with its explanation if it fits; no explanation: the part is unchanged. */
interface Variant<Value> {
  readonly value: Value;
  readonly explanation: Message | null;
}

/** Standard Webhooks libraries refuse a delivery whose time differs by more than this, ms. */
const CLOCK_LIMIT = 5 * 60_000;
/** Other senders' headers for the same purpose. */
const FOREIGN_HEADER =
  /^(x-hub-signature(-256)?|stripe-signature|x-signature(-256)?|x-webhook-signature|svix-signature|signature)$/;

const fits = (found: Message): Finding => ({ kind: 'fits', message: found });
const fault = (found: Message): Finding => ({ kind: 'fault', message: found });
const note = (found: Message): Finding => ({ kind: 'note', message: found });

/** Findings, most important first; at least one. */
export function examine(subject: Case): Finding[] {
  const { headers, body, secrets, pinned } = subject;
  const clock = clockFindings(headers, subject.now);
  const verification = verify(headers, body, secrets, pinned);
  if (verification.ok) {
    const { generation, scheme, form } = verification.value;
    const name = scheme === 'service' ? SIGNATURE_HEADER : STANDARD_HEADERS.signature;
    return [
      fits(message('signature.right', { header: name, form })),
      fits(message('signature.generation', { generation })),
      ...clock,
    ];
  }
  if (verification.error.reason === 'no_secret') return [fault(verification.error.message), ...clock];
  if (verification.error.reason === 'other_form')
    return [fault(verification.error.message), note(message('signature.learn_form')), ...clock];
  if (verification.error.reason === 'unsigned')
    return [fault(verification.error.message), ...foreignHeaders(headers), ...clock];

  const given = headers[SIGNATURE_HEADER] ?? headers[STANDARD_HEADERS.signature] ?? '';
  const spelling = spellingFindings(given);
  const cause = findCause(subject, given);
  if (cause.length > 0) return [...cause.map(fault), ...spelling, ...clock];
  if (verification.error.reason === 'unreadable_signature')
    return [fault(verification.error.message), ...spelling, ...clock];
  return [fault(message('signature.unexplained')), note(message('signature.compare')), ...spelling, ...clock];
}

/** The first combination of variants that fits, explained; fewest changes first. */
function findCause({ headers, body, secrets, retired = [] }: Case, given: string): Message[] {
  const text = Buffer.from(body).toString('utf8');
  const keys = [
    ...secrets.flatMap(({ generation, text: secret }) =>
      keyVariants(secret, generation === 'current' ? null : message('cause.previous')),
    ),
    ...retired.flatMap((secret) => keyVariants(secret, message('cause.retired'))),
  ];
  const bodies = bodyVariants(body, text);
  const heads = headVariants(headers);
  const values = new Map(valueVariants(given).map(({ value, explanation }) => [value, explanation]));
  let best: Message[] | null = null;
  for (const algorithm of ['sha256', 'sha1', 'sha512'] as const)
    for (const key of keys)
      for (const head of heads)
        for (const one of bodies) {
          const digest = createHmac(algorithm, key.value).update(head.value).update(one.value).digest('hex');
          if (!values.has(digest)) continue;
          const hash = algorithm === 'sha256' ? null : message('cause.algorithm', { algorithm });
          const explanations = [
            key.explanation,
            one.explanation,
            head.explanation,
            values.get(digest) ?? null,
            hash,
          ].filter((one) => one !== null);
          if (best === null || explanations.length < best.length) best = explanations;
        }
  if (best !== null) return best.map((cause) => message('signature.cause', { cause }));
  const plain = createHash('sha256').update(body).digest('hex');
  return values.has(plain) ? [message('signature.plain_hash')] : [];
}

function keyVariants(secret: string, whose: Message | null): Variant<Uint8Array>[] {
  const say = (found: Message): Message =>
    whose === null ? found : message('signature.both', { first: whose, second: found });
  const variants: readonly (readonly [string | Buffer | null, Message])[] = [
    [standardKey(secret), message('cause.key_decoded')],
    [secret, message('cause.key_with_prefix')],
    [secret.replace(/^whsec_/, ''), message('cause.key_without_prefix')],
    [`whsec_${secret}`, message('cause.key_prefixed')],
    [`${secret}\n`, message('cause.key_line_break')],
    [`${secret}\r\n`, message('cause.key_line_break')],
    [` ${secret}`, message('cause.key_blank_before')],
    [`${secret} `, message('cause.key_blank_after')],
    [secret.trim(), message('cause.key_blanks_here')],
    [`"${secret}"`, message('cause.key_quoted')],
    [secret.replace(/=+$/, ''), message('cause.key_no_padding')],
    [/^([0-9a-f]{2}){16,}$/i.test(secret) ? Buffer.from(secret, 'hex') : null, message('cause.key_hex')],
  ];
  return [
    { value: bodyKey(secret), explanation: whose },
    ...variants.map(([key, found]) => ({
      value: typeof key === 'string' ? Buffer.from(key) : key,
      explanation: say(found),
    })),
  ].flatMap(({ value, explanation }) => (value === null || value.length === 0 ? [] : [{ value, explanation }]));
}

/** Deepest nesting of an event; with indents, the length of a deeper body is quadratic. */
const DEEPEST = 32;

function bodyVariants(body: Uint8Array, text: string): Variant<string | Uint8Array>[] {
  const variants: (readonly [string, Message])[] = [
    [`${text}\n`, message('cause.line_break_lost')],
    [text.replace(/\r?\n$/, ''), message('cause.line_break_added')],
    [text.replaceAll('\r\n', '\n'), message('cause.line_breaks')],
    [text.replaceAll(/\r?\n/g, '\r\n'), message('cause.line_breaks')],
    [text.replace(/^\uFEFF/, ''), message('cause.bom_added')],
    [`\uFEFF${text}`, message('cause.bom_lost')],
    ['', message('cause.empty_body')],
  ];
  const value = parse(text);
  if (value !== undefined && !isDeeper(value, DEEPEST)) {
    const compact = JSON.stringify(value);
    variants.push(
      [compact, message('cause.blanks_added')],
      [JSON.stringify(value, null, 2), message('cause.indent', { width: 2 })],
      [`${JSON.stringify(value, null, 2)}\n`, message('cause.indent', { width: 2 })],
      [JSON.stringify(value, null, 4), message('cause.indent', { width: 4 })],
      [JSON.stringify(value, null, '\t'), message('cause.tabs')],
      [spaced(value, false), message('cause.python')],
      [spaced(value, true), message('cause.python_ascii')],
      [escapeNonAscii(compact), message('cause.ascii')],
      [JSON.stringify(sorted(value)), message('cause.sorted')],
      [spaced(sorted(value), true), message('cause.python_sorted')],
      [JSON.stringify(text), message('cause.json_string')],
    );
    if (typeof value === 'string') variants.push([value, message('cause.body_quoted')]);
  }
  return [{ value: body, explanation: null }, ...variants.map(([one, explanation]) => ({ value: one, explanation }))];
}

function headVariants(headers: Headers): Variant<string>[] {
  const [id, at] = [headers[STANDARD_HEADERS.id], headers[STANDARD_HEADERS.timestamp]];
  const names = { standard: STANDARD_HEADERS.signature, own: SIGNATURE_HEADER };
  const variants: readonly (readonly [string | null, Message])[] = [
    [standardHead(headers), message('cause.standard_in_own', names)],
    [at === undefined ? null : `${at}.`, message('cause.time_and_body')],
    [id === undefined ? null : `${id}.`, message('cause.id_and_body')],
  ];
  return [
    { value: '', explanation: null },
    ...variants.flatMap(([value, explanation]) => (value === null ? [] : [{ value, explanation }])),
  ];
}

/** Hex digests that the header's value may contain, of any length. */
function valueVariants(given: string): Variant<string>[] {
  const found: Variant<string>[] = [];
  for (const token of given.slice(0, 4096).split(/[\s,]+/)) {
    const bare = token.replace(/^(sha1|sha256|sha512|v0|v1|v2|signature|hmac)=/i, '');
    const explanation =
      /^(sha256=|v1=)/.test(token) || bare === token
        ? null
        : message('cause.unknown_prefix', { prefix: token.slice(0, token.indexOf('=') + 1) });
    if (/^[0-9a-f]{40,128}$/i.test(bare)) found.push({ value: bare.toLowerCase(), explanation });
    if (/^[\w+/-]{27,88}={0,2}$/.test(bare)) {
      const bytes = Buffer.from(bare, 'base64');
      found.push({ value: bytes.toString('hex'), explanation });
      const inner = bytes.toString('latin1');
      if (/^[0-9a-f]{64}$/i.test(inner))
        found.push({ value: inner.toLowerCase(), explanation: message('cause.base64_of_hex') });
    }
    const quoted = /^"([0-9a-f]{64})"$/i.exec(token)?.[1];
    if (quoted !== undefined) found.push({ value: quoted.toLowerCase(), explanation: message('cause.quoted') });
    const nul = /^0x([0-9a-f]{64})$/i.exec(token)?.[1];
    if (nul !== undefined) found.push({ value: nul.toLowerCase(), explanation: message('cause.with_0x') });
  }
  return found;
}

function spellingFindings(given: string): Finding[] {
  const [first] = readSignatures(given);
  if (first !== undefined) return [note(message('signature.spelling', { form: formOf(first) }))];
  const bare = given.trim().replace(/^[a-z0-9]+=/i, '');
  if (/^[0-9a-f]+$/i.test(bare)) return [note(message('signature.digits', { count: bare.length }))];
  return [note(message('signature.characters', { count: given.trim().length }))];
}

const foreignHeaders = (headers: Headers): Finding[] =>
  Object.keys(headers)
    .filter((name) => FOREIGN_HEADER.test(name))
    .map((name) => note(message('signature.foreign_header', { header: name, own: SIGNATURE_HEADER })));

function clockFindings(headers: Headers, now: number): Finding[] {
  const given = headers[STANDARD_HEADERS.timestamp];
  if (given === undefined) return [];
  if (!/^\d{1,15}$/.test(given)) return [note(message('signature.no_seconds', { header: STANDARD_HEADERS.timestamp }))];
  const off = Number(given) * 1000 - now;
  if (Math.abs(off) <= CLOCK_LIMIT) return [fits(message('signature.clock_fits'))];
  const inMilliseconds = Math.abs(Number(given) - now) <= CLOCK_LIMIT;
  if (inMilliseconds) return [note(message('signature.milliseconds', { header: STANDARD_HEADERS.timestamp }))];
  return [note(message('signature.clock_off', { off }))];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1)));

const escapeNonAscii = (text: string): string =>
  text.replaceAll(/[\u007f-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** JSON with ", " and ": ", as Python's json.dumps writes it. */
function spaced(value: unknown, ascii: boolean): string {
  const write = (one: unknown): string => {
    if (Array.isArray(one)) return `[${one.map(write).join(', ')}]`;
    if (typeof one === 'object' && one !== null)
      return `{${Object.entries(one)
        .map(([name, item]) => `${write(name)}: ${write(item)}`)
        .join(', ')}}`;
    return JSON.stringify(one);
  };
  return ascii ? escapeNonAscii(write(value)) : write(value);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([name, item]) => [name, sorted(item)]),
  );
}
