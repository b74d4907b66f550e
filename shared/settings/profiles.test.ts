// Test: valid names of profiles.

import { expect, test } from 'vitest';
import { ProfileNameSchema, profileNameFrom } from './profiles.ts';

const isName = (name: string): boolean => ProfileNameSchema.safeParse(name).success;

test.each(['a', '7', 'desk', 'eu-desk-2', 'x'.repeat(32), 'con-1', 'console', 'com', 'com10', 'lpt'])(
  '%s is a valid profile name',
  (name) => {
    expect(isName(name)).toBe(true);
  },
);
test.each([
  '',
  '-desk',
  'Desk',
  'a_b',
  'a.b',
  'a/b',
  '..',
  'desk ',
  'x'.repeat(33),
  'con',
  'prn',
  'aux',
  'nul',
  'com1',
  'lpt9',
])('%j is not', (name) => {
  expect(isName(name)).toBe(false);
});

test.each([
  ['Desk A', [], 'desk-a'],
  ['Desk A', ['desk-a'], 'desk-a-2'],
  ['Desk A', ['desk-a', 'desk-a-2'], 'desk-a-3'],
  ['  ??  ', [], 'profile'],
  ['AUX', [], 'aux-2'],
  ['signals.example.com', ['production'], 'signals-example-com'],
])('a name derived from %j, beside %j, is %s', (text, taken, name) => {
  expect(profileNameFrom(text, taken)).toBe(name);
});
test('a derived name is valid, however long the text is', () => {
  const long = profileNameFrom('x'.repeat(100), ['x'.repeat(28)]);
  expect(long).toBe(`${'x'.repeat(28)}-2`);
  expect(isName(long)).toBe(true);
});
