// Test: format and checksum of API keys.

import { expect, test } from 'vitest';
import { checksumHolds, formKey, GIVEN_KEY_PATTERN, keyEnding, keyEnvironment } from './keys.ts';

const entropy = (fill: number) => new Uint8Array(32).fill(fill);

test('an issued key names its environment, has a valid checksum, and a sandbox key may be given on a command line', () => {
  const sandbox = formKey('sandbox', entropy(7));
  const production = formKey('production', entropy(7));
  expect(sandbox).toMatch(/^svc_test_[A-Za-z0-9]{38}$/);
  expect(keyEnvironment(sandbox)).toBe('sandbox');
  expect(keyEnvironment(production)).toBe('production');
  expect(checksumHolds(sandbox)).toBe(true);
  expect(checksumHolds(production)).toBe(true);
  expect(GIVEN_KEY_PATTERN.test(sandbox)).toBe(true);
  expect(GIVEN_KEY_PATTERN.test(production)).toBe(false);
  expect(keyEnding(sandbox)).toHaveLength(4);
});

test('one wrong character is detected', () => {
  const key = formKey('sandbox', entropy(9));
  for (let position = 'svc_test_'.length; position < key.length; position++) {
    const typo = `${key.slice(0, position)}${key[position] === 'x' ? 'y' : 'x'}${key.slice(position + 1)}`;
    expect(checksumHolds(typo)).toBe(false);
  }
});

test('a foreign prefix names no environment', () => {
  expect(keyEnvironment('sk_test_abcdefghijklmnop')).toBeNull();
  expect(checksumHolds('sk_test_abcdefghijklmnop')).toBe(false);
});

test('too little entropy is refused', () => {
  expect(() => formKey('sandbox', new Uint8Array(16))).toThrow(RangeError);
});

test('the checksum never changes: an issued key is valid for ever', () => {
  expect(formKey('sandbox', entropy(0))).toMatchInlineSnapshot(`"svc_test_000000000000000000000000000000002wjyrI"`);
});
