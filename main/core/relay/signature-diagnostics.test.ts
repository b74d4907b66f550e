// Test: the signature diagnostics name the fault in secret, body or header, and show no secret.

import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { message, textOf } from '../../../shared/text/message.ts';
import type { Headers } from './signature.ts';
import { type Case, examine } from './signature-diagnostics.ts';

const SECRET = Buffer.alloc(32, 7).toString('base64');
const OLD = Buffer.alloc(32, 8).toString('base64');
const GONE = Buffer.alloc(32, 9).toString('base64');
const NOW = Date.parse('2026-03-02T14:30:00.000Z');
const VALUE = {
  event_id: 'evt_1',
  event: 'signal.high_risk',
  data: { symbol: 'SPY', note: 'Über 2 σ', list: [1, 2.5] },
};
const TEXT = JSON.stringify(VALUE);

const hex = (body: string, key: string | Buffer = SECRET, algorithm = 'sha256'): string =>
  createHmac(algorithm, key).update(body).digest('hex');
const see = (headers: Headers, more: Partial<Case> = {}) =>
  examine({
    headers,
    body: Buffer.from(TEXT),
    secrets: [
      { generation: 'current', text: SECRET },
      { generation: 'previous', text: OLD },
    ],
    retired: [GONE],
    pinned: null,
    now: NOW,
    ...more,
  });
const own = (value: string): Headers => ({ 'x-service-signature': value });
const faults = (headers: Headers, more?: Partial<Case>): string =>
  see(headers, more)
    .filter(({ kind }) => kind === 'fault')
    .map(({ message }) => textOf(message))
    .join(' ');

test('a valid delivery is reported as valid', () => {
  expect(see({ ...own(hex(TEXT)), 'webhook-timestamp': String(NOW / 1000) }).map(({ kind }) => kind)).toEqual([
    'fits',
    'fits',
    'fits',
  ]);
  expect(see(own(hex(TEXT, OLD)))[1]?.message).toEqual(message('signature.generation', { generation: 'previous' }));
});

const PYTHON =
  '{"event_id": "evt_1", "event": "signal.high_risk", "data": {"symbol": "SPY", "note": "\\u00dcber 2 \\u03c3", "list": [1, 2.5]}}';
test.each<[string, string, RegExp]>([
  ['the body was indented and is compact now', hex(JSON.stringify(VALUE, null, 2)), /indent of two/],
  ['the body was written by Python', hex(PYTHON), /as Python writes it/],
  [
    'names were in alphabetical order',
    hex(
      JSON.stringify({
        data: { list: [1, 2.5], note: 'Über 2 σ', symbol: 'SPY' },
        event: 'signal.high_risk',
        event_id: 'evt_1',
      }),
    ),
    /alphabetical/,
  ],
  ['a line break was lost', hex(`${TEXT}\n`), /line break at the end of the body was lost/],
  ['the empty body was signed', hex(''), /empty body/],
  ['the body was signed as a string', hex(JSON.stringify(TEXT)), /JSON string/],
  ['a secret that was replaced', hex(TEXT, GONE), /replaced and is no longer valid/],
  ['the decoded bytes of the secret', hex(TEXT, Buffer.from(SECRET, 'base64')), /decoded bytes/],
  ['the secret with a line break', hex(TEXT, `${SECRET}\n`), /line break; it was read from a file/],
  ['the secret in quotation marks', hex(TEXT, `"${SECRET}"`), /quotation marks/],
  ['the secret without its =', hex(TEXT, SECRET.replace('=', '')), /lacks the =/],
  ['SHA-1', hex(TEXT, SECRET, 'sha1'), /HMAC-SHA1/],
  ['SHA-512', hex(TEXT, SECRET, 'sha512'), /HMAC-SHA512/],
  ['no secret at all', createHash('sha256').update(TEXT).digest('hex'), /plain SHA-256/],
  ['hex digits as base64', Buffer.from(hex(TEXT)).toString('base64'), /encoded once more as base64/],
  ['an unknown prefix', `v2=${hex(TEXT)}`, /prefix "v2="/],
  ['0x', `0x${hex(TEXT)}`, /begins with 0x/],
  ['two things at once', hex(`${TEXT}\n`, OLD), /previous secret.*line break at the end/],
  ['something else', hex('another body', 'another secret'), /another secret, or the body was changed/],
])('%s', (_, value, text) => {
  expect(faults(own(value))).toMatch(text);
});

test('a compact body that was spread out on its way', () => {
  expect(faults(own(hex(TEXT)), { body: Buffer.from(JSON.stringify(VALUE, null, 4)) })).toMatch(
    /blanks were put into it/,
  );
  expect(faults(own(hex(TEXT)), { body: Buffer.from(`${TEXT}\n`) })).toMatch(/line break was added/);
  expect(faults(own(hex(TEXT)), { body: Buffer.from(`\uFEFF${TEXT}`) })).toMatch(/byte order mark was put/);
});

test('the signature of Standard Webhooks in the wrong header', () => {
  const standard: Headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1772461800' };
  expect(faults({ ...standard, ...own(hex(`evt_1.1772461800.${TEXT}`)) })).toMatch(/body alone is needed/);
  expect(faults({ ...standard, ...own(hex(`1772461800.${TEXT}`)) })).toMatch(/time and body were signed/i);
});

test('the header has another name, is cut off, or has another spelling than before', () => {
  const foreign = see({ 'x-hub-signature-256': `sha256=${hex(TEXT)}` }).map(({ message }) => textOf(message));
  expect(foreign.join(' ')).toMatch(/no signature.*x-hub-signature-256/);
  expect(
    see(own(`${hex(TEXT).slice(0, 40)}ff`))
      .map(({ message }) => textOf(message))
      .join(' '),
  ).toMatch(/42 hex digits; 64 are needed/);
  expect(faults(own(createHmac('sha256', SECRET).update(TEXT).digest('base64')), { pinned: 'hex' })).toMatch(
    /spelt as base64/,
  );
  expect(faults(own(hex(TEXT)), { secrets: [] })).toMatch(/no signing secret/);
});

test.each<[number, RegExp]>([
  [NOW / 1000 - 420, /7 min apart \(the delivery is behind\)/],
  [NOW / 1000 + 3 * 3600, /3 h apart \(the delivery is ahead\)/],
  [NOW, /milliseconds/],
])('a wrong clock is reported, and refuses nothing', (at, text) => {
  const findings = see({ ...own(hex(TEXT)), 'webhook-timestamp': String(at) });
  expect(findings.map((finding) => textOf(finding.message)).join(' ')).toMatch(text);
  expect(findings.filter(({ kind }) => kind === 'fault')).toEqual([]);
});

test('no finding shows a secret', () => {
  for (const value of ['', hex(TEXT, GONE), hex(TEXT, OLD), hex('x', 'y'), SECRET]) {
    const said = JSON.stringify(see(own(value)));
    for (const secret of [SECRET, OLD, GONE]) expect(said).not.toContain(secret.slice(0, 8));
  }
});

test('a deeply nested body is not formatted again: with indents it would have quadratic length', () => {
  const body = Buffer.from('['.repeat(50_000) + ']'.repeat(50_000));
  expect(faults(own(hex('')), { body })).toMatch(/empty body/);
  expect(faults(own(hex('other')), { body })).toMatch(/No usual change/);
});
