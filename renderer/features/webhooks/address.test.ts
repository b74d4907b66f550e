import { expect, test } from 'vitest';
import { addressProblem, atAddress } from './address.ts';

const EXAMPLE = 'https://hooks.example.com/risk';

test.each([
  '',
  '  ',
  'https://',
  'hooks.example.com/risk',
  'localhost:8099',
  'http://127.0.0.1:70000/',
  'ftp://example.com/',
  'javascript:alert(1)',
])('%j is no whole address, and the cure shows one', (typed) => {
  expect(addressProblem(typed, EXAMPLE)).toContain(EXAMPLE);
});

test.each([EXAMPLE, ' https://example.com \n', 'http://127.0.0.1:8099/hook', 'http://[::1]:8099/'])(
  '%j is one',
  (typed) => {
    expect(addressProblem(typed, EXAMPLE)).toBeNull();
  },
);

test('a refusal at the field names the field no more', () => {
  expect(atAddress('url: must begin with https://')).toBe('Must begin with https://');
  expect(atAddress('subscriptions.add: url: must be short')).toBe('Must be short');
  expect(atAddress('The service does not answer: url.')).toBe('The service does not answer: url.');
});
