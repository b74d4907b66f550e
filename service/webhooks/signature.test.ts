// Service, webhooks, test: signatures of deliveries.
import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { SECRET_BYTES, signatureHeaders } from './signature.ts';

const secret = randomBytes(SECRET_BYTES).toString('base64');
const nextSecret = randomBytes(SECRET_BYTES).toString('base64');
const body = JSON.stringify({ event_id: 'evt_1', note: 'Straße – 株価 📉' });
const signed = { eventId: 'evt_1', body, at: Date.now(), secret, nextSecret: null };

test('the signature never changes: a known body and secret', () => {
  const fixed = {
    eventId: 'evt_1',
    body: '{"a":1}',
    at: 1_700_000_000_999,
    secret: Buffer.alloc(32, 7).toString('base64'),
    nextSecret: null,
  };
  expect(signatureHeaders(fixed)).toEqual({
    'x-service-signature': createHmac('sha256', Buffer.from('BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=', 'utf8'))
      .update('{"a":1}')
      .digest('hex'),
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1700000000',
    'webhook-signature': `v1,${createHmac('sha256', Buffer.alloc(32, 7)).update('evt_1.1700000000.{"a":1}').digest('base64')}`,
  });
});

test('the package standardwebhooks verifies it, over non-ASCII bytes, and refuses another body', () => {
  const headers = signatureHeaders(signed);
  expect(headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/);
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
  expect(() => new Webhook(nextSecret).verify(body, headers)).toThrow();
});

test('during a rotation of the secret both verify, and X-Service-Signature uses the old one', () => {
  const headers = signatureHeaders({ ...signed, nextSecret });
  for (const key of [secret, nextSecret]) expect(() => new Webhook(key).verify(body, headers)).not.toThrow();
  expect(headers['x-service-signature']).toBe(signatureHeaders(signed)['x-service-signature']);
});
