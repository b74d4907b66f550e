// Test: in which form a request presents the key, and what the client remembers.

import { describe, expect, test } from 'vitest';
import { type Credentials, createCredentials } from './credentials.ts';

const formOf = (credentials: Credentials): string => Object.keys(credentials.present().headers).join();

describe('auto', () => {
  test('begins with X-API-Key, tries Bearer once after a 401, and keeps the accepted form', () => {
    const credentials = createCredentials('k', 'auto');
    const first = credentials.present();
    expect(first.headers).toEqual({ 'x-api-key': 'k' });
    expect(first.rejected()).toBe(true);
    const second = credentials.present();
    expect(second.headers).toEqual({ authorization: 'Bearer k' });
    second.accepted();
    expect(credentials.present().headers).toEqual({ authorization: 'Bearer k' });
  });
  test('where both are refused, the next request starts over', () => {
    const credentials = createCredentials('k', 'auto');
    expect(credentials.present().rejected()).toBe(true);
    expect(credentials.present().rejected()).toBe(false);
    expect(formOf(credentials)).toBe('x-api-key');
  });
  test('a pending request retries with the form that another request found meanwhile', () => {
    const credentials = createCredentials('k', 'auto');
    const [early, late] = [credentials.present(), credentials.present()];
    expect(early.rejected()).toBe(true);
    credentials.present().accepted();
    expect(late.rejected()).toBe(true);
    expect(credentials.present().rejected()).toBe(false);
    expect(formOf(credentials)).toBe('authorization');
  });
});

test.each([
  ['api-key', 'k', 'x-api-key'],
  ['bearer', 'k', 'authorization'],
  ['proxy', 'k', ''],
  ['proxy', 'dsh_session', 'authorization'],
  ['auto', null, ''],
] as const)('%s with the key %s: one form, and no other is tried', (mode, key, form) => {
  const credentials = createCredentials(key, mode);
  expect(formOf(credentials)).toBe(form);
  expect(credentials.present().rejected()).toBe(false);
  expect(formOf(credentials)).toBe(form);
});
