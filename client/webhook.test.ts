// Client: a delivery is proven by its signature and its time, and by nothing less.
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook, type WebhookOptions } from './webhook.ts';

const SECRET = Buffer.alloc(32, 7).toString('base64');
const NOW = Date.parse('2026-03-02T14:30:00Z');
const EVENT = {
  event_id: 'evt_1',
  seq: 1,
  event: 'model.version',
  timestamp: '2026-03-02T14:29:59.000Z',
  data: { version: '2', previous: '1', effective_at: '2026-03-02T14:29:59.000Z' },
};
const BODY = JSON.stringify(EVENT);
const bytes = (text: string) => new TextEncoder().encode(text);
/** By the library of Standard Webhooks itself. */
const sign = (at: number, secret = SECRET, body = BODY) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(at / 1000),
  'webhook-signature': new Webhook(secret).sign('evt_1', new Date(at), body),
});
const own = createHmac('sha256', SECRET).update(BODY).digest('hex');
const given = (headers: WebhookOptions['headers'], more: Partial<WebhookOptions> = {}) =>
  verifyWebhook({ secret: SECRET, body: bytes(BODY), headers, now: NOW, ...more });

test('a delivery signed by the secret is its event', async () => {
  expect(await given(sign(NOW))).toEqual({ ok: true, value: EVENT });
  expect(await given(new Headers(sign(NOW)))).toEqual({ ok: true, value: EVENT });
  expect((await given(sign(NOW), { secret: `whsec_${SECRET}` })).ok).toBe(true);
});

test('one of several signatures is enough, as during a rotation', async () => {
  const other = sign(NOW, Buffer.alloc(32, 8).toString('base64'));
  const both = `${other['webhook-signature']} ${sign(NOW)['webhook-signature']}`;
  expect((await given({ ...sign(NOW), 'webhook-signature': both })).ok).toBe(true);
});

test.each([
  ['another body', given(sign(NOW), { body: bytes(BODY.replace('"2"', '"3"')) }), 'wrong_signature'],
  ['another secret', given(sign(NOW, Buffer.alloc(32, 8).toString('base64'))), 'wrong_signature'],
  ['another time', given({ ...sign(NOW - 3_600_000), 'webhook-timestamp': String(NOW / 1000) }), 'wrong_signature'],
  ['no base64', given({ ...sign(NOW), 'webhook-signature': 'v1,%%' }), 'wrong_signature'],
  ['an empty secret', given(sign(NOW), { secret: '' }), 'wrong_signature'],
  ['older than five minutes', given(sign(NOW - 301_000)), 'too_old'],
  ['from the future', given(sign(NOW + 301_000)), 'ahead'],
  ['no signature', given({}), 'unsigned'],
  ['a recorded delivery without its time', given({ 'x-service-signature': own }), 'unsigned'],
  ['no event', given(sign(NOW, SECRET, '{}'), { body: bytes('{}') }), 'unreadable'],
])('%s is refused', async (_, verdict, reason) => {
  expect(await verdict).toEqual({ ok: false, error: reason });
});

test('the signature of the body alone is accepted only where the caller says so', async () => {
  expect((await given({ 'X-Service-Signature': own }, { undated: true })).ok).toBe(true);
  expect((await given({ 'x-service-signature': `sha256=${own}` }, { undated: true })).ok).toBe(true);
  expect(await given({ 'x-service-signature': own.replace(/^./, 'x') }, { undated: true })).toMatchObject({
    ok: false,
  });
  expect((await given({ ...sign(NOW - 3_600_000), 'x-service-signature': own }, { undated: true })).ok).toBe(false);
});
