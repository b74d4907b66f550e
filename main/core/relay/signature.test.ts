// Test: every spelling of a signature is read, one valid one is enough, similar ones are refused.
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { type Headers, type LiveSecret, readSignatures, signedHeaders, verify } from './signature.ts';

const SECRET = Buffer.alloc(32, 7).toString('base64');
const OTHER = Buffer.alloc(32, 8).toString('base64');
const BODY = Buffer.from('{"event_id":"evt_1","event":"signal.high_risk"}');
const AT = Date.parse('2026-03-02T14:30:00.000Z');
const current = (text: string): LiveSecret[] => [{ generation: 'current', text }];
const own = (value: string): Headers => ({ 'x-service-signature': value });
const mac = (key: string | Buffer, body: Uint8Array = BODY, algorithm = 'sha256'): Buffer =>
  createHmac(algorithm, key).update(body).digest();
const HEX = mac(SECRET).toString('hex');
const BASE64 = mac(SECRET).toString('base64');
const URL64 = mac(SECRET).toString('base64url');

test.each([
  ['lower-case hex', HEX, 'hex'],
  ['upper-case hex', HEX.toUpperCase(), 'hex'],
  ['sha256= and hex', `sha256=${HEX}`, 'sha256=hex'],
  ['v1= and hex', `v1=${HEX}`, 'v1=hex'],
  ['v1, and hex', `v1,${HEX}`, 'v1,hex'],
  ['base64', BASE64, 'base64'],
  ['base64 without its =', BASE64.replace('=', ''), 'base64'],
  ['base64url', URL64, 'base64'],
  ['sha256= and base64', `sha256=${BASE64}`, 'sha256=base64'],
  ['v1, and base64', `v1,${BASE64}`, 'v1,base64'],
  ['the second of two, with a blank', `${'0'.repeat(64)} ${HEX}`, 'hex'],
  ['the second of two, with a comma', `${'0'.repeat(64)},${HEX}`, 'hex'],
  ['the second of two, with prefixes', `v1,${OTHER} v1,${BASE64}`, 'v1,base64'],
  ['among other things', `t=1772461800,v1=${HEX}`, 'v1=hex'],
  ['with blanks around it', `  ${HEX}  `, 'hex'],
])('%s is read', (_, value, form) => {
  expect(verify(own(value), BODY, current(SECRET), null)).toEqual({
    ok: true,
    value: { generation: 'current', scheme: 'service', form },
  });
  expect(verify(own(value), BODY, current(OTHER), null)).toMatchObject({
    ok: false,
    error: { reason: 'wrong_signature' },
  });
  expect(verify(own(value), Buffer.concat([BODY, Buffer.from(' ')]), current(SECRET), null).ok).toBe(false);
});

test.each([
  ['nothing', {}, 'unsigned'],
  ['an empty header', own(''), 'unreadable_signature'],
  ['SHA-1', own(mac(SECRET, BODY, 'sha1').toString('hex')), 'unreadable_signature'],
  ['SHA-512', own(mac(SECRET, BODY, 'sha512').toString('hex')), 'unreadable_signature'],
  ['a digit too few', own(HEX.slice(1)), 'unreadable_signature'],
  ['a digit too many', own(`${HEX}0`), 'unreadable_signature'],
  ['a prefix that is none', own(`md5=${HEX}`), 'unreadable_signature'],
  ['a signature of nothing', own(mac(SECRET, Buffer.alloc(0)).toString('hex')), 'wrong_signature'],
  ['a signature with an empty key', own(mac('').toString('hex')), 'wrong_signature'],
] as [string, Headers, string][])('%s is refused', (_, headers, reason) => {
  expect(verify(headers, BODY, current(SECRET), null)).toMatchObject({ ok: false, error: { reason } });
});

test('without a secret nothing is valid', () => {
  expect(verify(own(HEX), BODY, [], null)).toMatchObject({ ok: false, error: { reason: 'no_secret' } });
});

test('the first valid spelling is the only one accepted from then on', () => {
  expect(verify(own(HEX), BODY, current(SECRET), 'hex').ok).toBe(true);
  expect(verify(own(BASE64), BODY, current(SECRET), 'hex')).toMatchObject({
    ok: false,
    error: { reason: 'other_form' },
  });
  expect(verify(own(`sha256=${HEX}`), BODY, current(SECRET), 'hex')).toMatchObject({
    ok: false,
    error: { reason: 'other_form' },
  });
  // Both alphabets of base64 are one spelling: most values belong to both.
  expect(verify(own(URL64), BODY, current(SECRET), 'base64').ok).toBe(true);
});

test('a secret is decoded as base64 only with its prefix', () => {
  const bytes = Buffer.from(SECRET, 'base64');
  const decoded = mac(bytes).toString('hex');
  expect(verify(own(decoded), BODY, current(SECRET), null).ok).toBe(false);
  expect(verify(own(decoded), BODY, current(`whsec_${SECRET}`), null).ok).toBe(true);
  expect(verify(own(HEX), BODY, current(`whsec_${SECRET}`), null).ok).toBe(false);
});

test.each(['whsec_', 'whsec_!!!!', 'whsec_AAAA', 'not base64 at all!'])(
  'the secret %j yields no key that anybody can guess',
  (secret) => {
    const guesses = [Buffer.alloc(0), Buffer.from(secret.replace('whsec_', ''), 'base64')];
    for (const key of guesses) {
      const standard = `v1,${createHmac('sha256', key).update(`id.1.${BODY}`).digest('base64')}`;
      const headers = {
        'webhook-id': 'id',
        'webhook-timestamp': '1',
        'webhook-signature': standard,
        ...own(mac(key).toString('hex')),
      };
      expect(verify(headers, BODY, current(secret), null).ok).toBe(false);
    }
  },
);

test('the two headers of a service are valid, each alone too', () => {
  const headers = signedHeaders(SECRET, 'evt_1', String(BODY), AT);
  const { 'x-service-signature': ownValue, ...standard } = headers;
  expect(verify(headers, BODY, current(SECRET), null)).toMatchObject({
    ok: true,
    value: { scheme: 'standard', form: 'hex' },
  });
  expect(verify(standard, BODY, current(SECRET), 'hex')).toMatchObject({
    ok: true,
    value: { scheme: 'standard', form: null },
  });
  expect(verify(own(ownValue ?? ''), BODY, current(SECRET), null)).toMatchObject({
    ok: true,
    value: { scheme: 'service' },
  });
  // It has one spelling.
  const bare = standard['webhook-signature']?.replace('v1,', '') ?? '';
  for (const spelt of [bare, `v1=${bare}`, `sha256=${bare}`])
    expect(verify({ ...standard, 'webhook-signature': spelt }, BODY, current(SECRET), null).ok, spelt).toBe(false);
  // The fields that webhook-signature covers cannot be changed.
  expect(verify({ ...standard, 'webhook-id': 'evt_2' }, BODY, current(SECRET), null).ok).toBe(false);
  expect(verify({ ...standard, 'webhook-timestamp': '1' }, BODY, current(SECRET), null).ok).toBe(false);
});

test('during a rotation either secret, or both, proves a delivery', () => {
  const [old, next] = [OTHER, SECRET].map((secret) => signedHeaders(secret, 'evt_1', String(BODY), AT));
  const headers: Headers = {
    ...old,
    'webhook-signature': `${old?.['webhook-signature']} ${next?.['webhook-signature']}`,
  };
  const both: LiveSecret[] = [...current(SECRET), { generation: 'previous', text: OTHER }];
  expect(verify(headers, BODY, both, 'hex')).toMatchObject({
    ok: true,
    value: { generation: 'previous', form: 'hex' },
  });
  expect(verify(headers, BODY, current(SECRET), 'hex')).toMatchObject({
    ok: true,
    value: { generation: 'current', form: null },
  });
  expect(verify(headers, BODY, current(OTHER), 'hex').ok).toBe(true);
  expect(verify(headers, BODY, current(Buffer.alloc(32, 9).toString('base64')), 'hex').ok).toBe(false);
});

test('our own signature is valid here, and for any library of Standard Webhooks', () => {
  fc.assert(
    fc.property(fc.json(), fc.uint8Array({ minLength: 32, maxLength: 32 }), (body, key) => {
      const secret = Buffer.from(key).toString('base64');
      const headers = signedHeaders(secret, 'evt_1', body, Date.now());
      expect(verify(headers, Buffer.from(body), current(secret), null)).toMatchObject({
        ok: true,
        value: { form: 'hex' },
      });
      expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
    }),
  );
});

test('no header causes an exception', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 6000 }), fc.string(), (value, standard) => {
      const headers = { ...own(value), 'webhook-signature': standard, 'webhook-id': value, 'webhook-timestamp': value };
      expect(verify(headers, BODY, current(SECRET), null).ok).toBe(false);
    }),
  );
  expect(readSignatures(`${HEX} `.repeat(1000)).length).toBeLessThanOrEqual(16);
});
