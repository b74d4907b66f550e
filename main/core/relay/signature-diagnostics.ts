// Main, core: the signature diagnostics: explain exactly why a signature is invalid.
// They try the usual changes that people and proxies make to secrets, bodies and headers, and name the
// variant that fits. They never show a secret, and their findings never make a delivery valid.
import { createHash, createHmac } from 'node:crypto';
import type { Finding } from '../../../shared/channels/relay.ts';
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

/** One variant of a part, and its explanation if it fits; no explanation: the part is unchanged. */
interface Variant<Value> {
  readonly value: Value;
  readonly explanation: string | null;
}

/** Standard Webhooks libraries refuse a delivery whose time differs by more than this, ms. */
const CLOCK_LIMIT = 5 * 60_000;
/** Other senders' headers for the same purpose. */
const FOREIGN_HEADER =
  /^(x-hub-signature(-256)?|stripe-signature|x-signature(-256)?|x-webhook-signature|svix-signature|signature)$/;

const fits = (message: string): Finding => ({ kind: 'fits', message });
const fault = (message: string): Finding => ({ kind: 'fault', message });
const note = (message: string): Finding => ({ kind: 'note', message });

/** Findings, most important first; at least one. */
export function examine(subject: Case): Finding[] {
  const { headers, body, secrets, pinned } = subject;
  const clock = clockFindings(headers, subject.now);
  const verification = verify(headers, body, secrets, pinned);
  if (verification.ok) {
    const { generation, scheme, form } = verification.value;
    const name = scheme === 'service' ? SIGNATURE_HEADER : STANDARD_HEADERS.signature;
    return [
      fits(`${name} is right${form === null ? '' : `, spelt as ${form}`}.`),
      fits(`It is that of the ${generation} secret.`),
      ...clock,
    ];
  }
  if (verification.error.reason === 'no_secret') return [fault(verification.error.message), ...clock];
  if (verification.error.reason === 'other_form')
    return [
      fault(verification.error.message),
      note('If the service changed its spelling, set its secret again: the spelling is then learnt anew.'),
      ...clock,
    ];
  if (verification.error.reason === 'unsigned')
    return [fault(verification.error.message), ...foreignHeaders(headers), ...clock];

  const given = headers[SIGNATURE_HEADER] ?? headers[STANDARD_HEADERS.signature] ?? '';
  const spelling = spellingFindings(given);
  const cause = findCause(subject, given);
  if (cause.length > 0) return [...cause.map(fault), ...spelling, ...clock];
  if (verification.error.reason === 'unreadable_signature')
    return [fault(verification.error.message), ...spelling, ...clock];
  return [
    fault(
      'No usual change of body, secret or spelling explains it: it was signed with another secret, or the body was changed on its way.',
    ),
    note('Compare the secret with the one that the service showed; when it was lost, rotate it.'),
    ...spelling,
    ...clock,
  ];
}

/** The first combination of variants that fits, explained; fewest changes first. */
function findCause({ headers, body, secrets, retired = [] }: Case, given: string): string[] {
  const text = Buffer.from(body).toString('utf8');
  const keys = [
    ...secrets.flatMap(({ generation, text: secret }) =>
      keyVariants(secret, generation === 'current' ? null : 'it was signed with the previous secret'),
    ),
    ...retired.flatMap((secret) =>
      keyVariants(secret, 'it was signed with a secret that was replaced and is no longer good'),
    ),
  ];
  const bodies = bodyVariants(body, text);
  const heads = headVariants(headers);
  const values = new Map(valueVariants(given).map(({ value, explanation }) => [value, explanation]));
  let best: string[] | null = null;
  for (const algorithm of ['sha256', 'sha1', 'sha512'] as const)
    for (const key of keys)
      for (const head of heads)
        for (const one of bodies) {
          const digest = createHmac(algorithm, key.value).update(head.value).update(one.value).digest('hex');
          if (!values.has(digest)) continue;
          const hash =
            algorithm === 'sha256' ? null : `it was made with HMAC-${algorithm.toUpperCase()}; HMAC-SHA256 is needed`;
          const explanations = [
            key.explanation,
            one.explanation,
            head.explanation,
            values.get(digest) ?? null,
            hash,
          ].flatMap((said) => said ?? []);
          if (best === null || explanations.length < best.length) best = explanations;
        }
  if (best !== null) return best.map((said) => `${said.charAt(0).toUpperCase()}${said.slice(1)}.`);
  const plain = createHash('sha256').update(body).digest('hex');
  return values.has(plain) ? ['It is the plain SHA-256 of the body, made without any secret.'] : [];
}

function keyVariants(secret: string, whose: string | null): Variant<Uint8Array>[] {
  const say = (explanation: string | null): string | null =>
    [whose, explanation].filter((said) => said !== null).join('; ') || null;
  const variants: Variant<Uint8Array | null>[] = [
    { value: bodyKey(secret), explanation: say(null) },
    {
      value: standardKey(secret),
      explanation: say('the sender signs with the decoded bytes of the secret; its characters are needed'),
    },
    {
      value: Buffer.from(secret),
      explanation: say('the sender signs with the characters of the secret, its mark whsec_ included'),
    },
    {
      value: Buffer.from(secret.replace(/^whsec_/, '')),
      explanation: say(
        'the sender leaves the mark whsec_ out and signs with the characters behind it; their decoded bytes are needed',
      ),
    },
    { value: Buffer.from(`whsec_${secret}`), explanation: say('the sender puts whsec_ before the secret') },
    {
      value: Buffer.from(`${secret}\n`),
      explanation: say("the sender's secret ends in a line break; it was read from a file, whole"),
    },
    {
      value: Buffer.from(`${secret}\r\n`),
      explanation: say("the sender's secret ends in a line break; it was read from a file, whole"),
    },
    { value: Buffer.from(` ${secret}`), explanation: say("the sender's secret begins with a blank") },
    { value: Buffer.from(`${secret} `), explanation: say("the sender's secret ends in a blank") },
    { value: Buffer.from(secret.trim()), explanation: say('the secret that is kept here has blanks around it') },
    { value: Buffer.from(`"${secret}"`), explanation: say("the sender's secret stands in quotation marks") },
    { value: Buffer.from(secret.replace(/=+$/, '')), explanation: say("the sender's secret lacks the = at its end") },
    ...(/^([0-9a-f]{2}){16,}$/i.test(secret)
      ? [
          {
            value: Buffer.from(secret, 'hex'),
            explanation: say('the sender reads the secret as hex; its characters are needed'),
          },
        ]
      : []),
  ];
  return variants.flatMap(({ value, explanation }) =>
    value === null || value.length === 0 ? [] : [{ value, explanation }],
  );
}

/** Deepest nesting of an event; with indents, the length of a deeper body is quadratic. */
const DEEPEST = 32;
const RESERIALISED = 'the body was written anew after it was signed';

function bodyVariants(body: Uint8Array, text: string): Variant<string | Uint8Array>[] {
  const variants: Variant<string | Uint8Array>[] = [
    { value: body, explanation: null },
    { value: `${text}\n`, explanation: 'a line break at the end of the body was lost after it was signed' },
    { value: text.replace(/\r?\n$/, ''), explanation: 'a line break was added to the body after it was signed' },
    {
      value: text.replaceAll('\r\n', '\n'),
      explanation: 'the line breaks of the body were changed after it was signed',
    },
    {
      value: text.replaceAll(/\r?\n/g, '\r\n'),
      explanation: 'the line breaks of the body were changed after it was signed',
    },
    { value: text.replace(/^\uFEFF/, ''), explanation: 'a byte order mark was put before the body' },
    { value: `\uFEFF${text}`, explanation: 'a byte order mark before the body was lost' },
    { value: '', explanation: 'the empty body was signed: the sender signs before it has the body' },
  ];
  const value = parse(text);
  if (value === undefined || isDeeper(value, DEEPEST)) return variants;
  const compact = JSON.stringify(value);
  const escaped = escapeNonAscii(compact);
  return [
    ...variants,
    { value: compact, explanation: `${RESERIALISED}: blanks were put into it. Send the very bytes that were signed` },
    { value: JSON.stringify(value, null, 2), explanation: `${RESERIALISED}: it was signed with an indent of two` },
    {
      value: `${JSON.stringify(value, null, 2)}\n`,
      explanation: `${RESERIALISED}: it was signed with an indent of two`,
    },
    { value: JSON.stringify(value, null, 4), explanation: `${RESERIALISED}: it was signed with an indent of four` },
    { value: JSON.stringify(value, null, '\t'), explanation: `${RESERIALISED}: it was signed with tabs` },
    {
      value: spaced(value, false),
      explanation: `${RESERIALISED}: it was signed with a blank after every comma and colon, as Python writes it`,
    },
    {
      value: spaced(value, true),
      explanation: `${RESERIALISED}: it was signed as Python writes it, all but ASCII escaped`,
    },
    { value: escaped, explanation: `${RESERIALISED}: it was signed with all but ASCII escaped` },
    {
      value: JSON.stringify(sorted(value)),
      explanation: `${RESERIALISED}: it was signed with its names in alphabetical order`,
    },
    {
      value: spaced(sorted(value), true),
      explanation: `${RESERIALISED}: it was signed as Python writes it, its names in alphabetical order`,
    },
    { value: JSON.stringify(text), explanation: 'the body was signed as a JSON string in quotation marks' },
    ...(typeof value === 'string'
      ? [{ value, explanation: 'the body was put into quotation marks after it was signed' }]
      : []),
  ];
}

function headVariants(headers: Headers): Variant<string>[] {
  const [id, at] = [headers[STANDARD_HEADERS.id], headers[STANDARD_HEADERS.timestamp]];
  const standard = standardHead(headers);
  return [
    { value: '', explanation: null },
    ...(standard === null
      ? []
      : [
          {
            value: standard,
            explanation: `what ${STANDARD_HEADERS.signature} signs (id.time.body) stands in ${SIGNATURE_HEADER}; the body alone is needed`,
          },
        ]),
    ...(at === undefined
      ? []
      : [{ value: `${at}.`, explanation: 'time and body were signed; the body alone is needed' }]),
    ...(id === undefined
      ? []
      : [{ value: `${id}.`, explanation: 'id and body were signed; the body alone is needed' }]),
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
        : `its mark "${token.slice(0, token.indexOf('=') + 1)}" is none that is known`;
    if (/^[0-9a-f]{40,128}$/i.test(bare)) found.push({ value: bare.toLowerCase(), explanation });
    if (/^[\w+/-]{27,88}={0,2}$/.test(bare)) {
      const bytes = Buffer.from(bare, 'base64');
      found.push({ value: bytes.toString('hex'), explanation });
      const inner = bytes.toString('latin1');
      if (/^[0-9a-f]{64}$/i.test(inner))
        found.push({ value: inner.toLowerCase(), explanation: 'the hex digits were encoded once more as base64' });
    }
    const quoted = /^"([0-9a-f]{64})"$/i.exec(token)?.[1];
    if (quoted !== undefined)
      found.push({ value: quoted.toLowerCase(), explanation: 'the signature stands in quotation marks' });
    const nul = /^0x([0-9a-f]{64})$/i.exec(token)?.[1];
    if (nul !== undefined) found.push({ value: nul.toLowerCase(), explanation: 'the signature begins with 0x' });
  }
  return found;
}

function spellingFindings(given: string): Finding[] {
  const [first] = readSignatures(given);
  if (first !== undefined) return [note(`Its spelling can be read: ${formOf(first)}.`)];
  const bare = given.trim().replace(/^[a-z0-9]+=/i, '');
  if (/^[0-9a-f]+$/i.test(bare))
    return [
      note(`It has ${bare.length} hex digits; 64 are needed${bare.length < 64 ? ', so it may be cut off' : ''}.`),
    ];
  return [note(`It has ${given.trim().length} characters; 64 hex digits or 44 of base64 are needed.`)];
}

const foreignHeaders = (headers: Headers): Finding[] =>
  Object.keys(headers)
    .filter((name) => FOREIGN_HEADER.test(name))
    .map((name) => note(`There is a header ${name}; the name must be ${SIGNATURE_HEADER}.`));

function clockFindings(headers: Headers, now: number): Finding[] {
  const given = headers[STANDARD_HEADERS.timestamp];
  if (given === undefined) return [];
  if (!/^\d{1,15}$/.test(given)) return [note(`${STANDARD_HEADERS.timestamp} is no whole number of seconds.`)];
  const off = Number(given) * 1000 - now;
  if (Math.abs(off) <= CLOCK_LIMIT) return [fits('Its time is that of this computer, within five minutes.')];
  const inMilliseconds = Math.abs(Number(given) - now) <= CLOCK_LIMIT;
  if (inMilliseconds) return [note(`${STANDARD_HEADERS.timestamp} is in milliseconds; seconds are needed.`)];
  return [
    note(
      `The sender's clock and this computer's are ${formatDuration(Math.abs(off))} apart (the delivery is ${off < 0 ? 'behind' : 'ahead'}), or it was held up on its way. Other receivers allow five minutes.`,
    ),
  ];
}

function formatDuration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
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
