// Test: which addresses are valid, and the text of a refusal.
import { expect, test } from 'vitest';
import { addressSchema, withoutField } from './address.ts';

const EXAMPLE = 'https://hooks.example.com/risk';
const messageFor = (typed: string) => addressSchema(EXAMPLE).safeParse(typed).error?.issues[0]?.message;

test.each([
  '',
  '  ',
  'https://',
  'hooks.example.com/risk',
  'localhost:8099',
  'http://127.0.0.1:70000/',
  'ftp://example.com/',
  'javascript:alert(1)',
])('%j is not a full address; the message shows an example', (typed) => {
  expect(messageFor(typed)).toContain(EXAMPLE);
});

test.each([EXAMPLE, ' https://example.com \n', 'http://127.0.0.1:8099/hook', 'http://[::1]:8099/'])(
  '%j is a full address',
  (typed) => {
    expect(addressSchema(EXAMPLE).parse(typed)).toBe(typed.trim());
  },
);

test('a refusal at the field does not repeat the name of the field', () => {
  const shown = (refusal: string) => withoutField(refusal);
  expect(shown('url: must begin with https://')).toMatchObject({ error: 'Must begin with https://' });
  expect(shown('subscriptions.add: url: must be short')).toMatchObject({ error: 'Must be short' });
  expect(shown('The service does not answer: url.')).toMatchObject({ error: 'The service does not answer: url.' });
});
