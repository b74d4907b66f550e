// Test: a secret in a server's answer is hidden in every form in which servers echo it.
import { expect, test } from 'vitest';
import { message, textOf } from '../../../shared/text/message.ts';
import { messageWithoutEcho, withoutEcho } from './echo.ts';

const SECRET = 'tk_Ag/9+x.Zq$7m-Long';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each([
  ['as it is', SECRET],
  ['in capitals', SECRET.toUpperCase()],
  ['in small letters', SECRET.toLowerCase()],
  ['spaced', [...SECRET].join(' ')],
  // The last character of base64 may hold bits of what follows; it stays.
  ['over lines', SECRET.replace(/(.{5})/g, '$1\r\n')],
  ['with invisible characters', [...SECRET].join('\u200b')],
  ['percent-encoded', encodeURIComponent(SECRET)],
  ['percent-encoded, every character', [...SECRET].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('')],
  ['percent-encoded as PHP does', encodeURIComponent(SECRET).replaceAll('.', '%2E').replaceAll('_', '%5F')],
  ['percent-encoded twice', encodeURIComponent(encodeURIComponent(SECRET))],
  ['in JSON with escaped slashes', SECRET.replaceAll('/', '\\/').replaceAll('+', '\\u002b')],
  ['in JSON within JSON', JSON.stringify(SECRET.replaceAll('/', '\\/').replaceAll('+', '\\u002b')).slice(1, -1)],
  ['in HTML', SECRET.replaceAll('/', '&#x2F;').replaceAll('+', '&#43;')],
  ['in hexadecimal', Buffer.from(SECRET).toString('hex').toUpperCase()],
  ['in base64', base64(SECRET)],
  ['in base64 for addresses', Buffer.from(SECRET).toString('base64url')],
  ['in base64, spaced', [...base64(SECRET)].join(' ')],
])('%s', (_, echoed) => {
  expect(withoutEcho(`You sent ${echoed} to us`, SECRET)).toMatch(/^You sent \[hidden\][\w=\s]{0,5} to us$/);
});

test.each(['a', 'ab', 'abc', 'user', 'Bearer', '\0user'])('in base64 after "%s"', (before) => {
  for (const after of ['', '.', 'tail']) {
    const said = withoutEcho(base64(`${before}:${SECRET}${after}`), SECRET);
    expect(said).toContain('[hidden]');
    expect(Buffer.from(said.replace('[hidden]', ''), 'base64').toString()).not.toContain(SECRET.slice(2, 10));
  }
});

test('text without the secret stays; a short secret hides the whole answer', () => {
  expect(withoutEcho('Wrong topic.', SECRET)).toBe('Wrong topic.');
  expect(withoutEcho('Wrong topic.', null)).toBe('Wrong topic.');
  expect(withoutEcho('Password abc is wrong.', 'ABC')).toBe('[hidden]');
});

test('a cut text keeps no beginning of the secret', () => {
  expect(withoutEcho(`${SECRET} and ${SECRET.slice(0, 9)}`, SECRET, true)).toBe('[hidden]');
});

test('the secret is removed from the values of a message, however deep', () => {
  const said = message('delivery.retried', {
    why: message('delivery.refused', { host: 'h', status: 401, said: SECRET }),
  });
  expect(textOf(messageWithoutEcho(said, SECRET))).toContain('h answered 401 ([hidden]).');
});
