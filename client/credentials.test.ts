// Test: the header that presents the key, and the form that the client remembers.

import { describe, expect, test } from 'vitest';
import type { AnyRoute } from '../shared/wire/route.ts';
import { routes } from '../shared/wire/routes.ts';
import { type Credentials, createCredentials } from './credentials.ts';

const { signal: SIGNAL, validation: METRICS } = routes;
const formOf = (credentials: Credentials, route: AnyRoute = SIGNAL): string =>
  Object.keys(credentials.present(route).headers).join();

describe('auto', () => {
  test('begins with X-API-Key, tries Bearer once after a 401, and keeps the accepted form', () => {
    const credentials = createCredentials('k', 'auto');
    const first = credentials.present(SIGNAL);
    expect(first.headers).toEqual({ 'x-api-key': 'k' });
    expect(first.rejected()).toBe(true);
    const second = credentials.present(SIGNAL);
    expect(second.headers).toEqual({ authorization: 'Bearer k' });
    second.accepted();
    expect(credentials.present(SIGNAL).headers).toEqual({ authorization: 'Bearer k' });
  });
  test('where both are refused, the next request starts over', () => {
    const credentials = createCredentials('k', 'auto');
    expect(credentials.present(SIGNAL).rejected()).toBe(true);
    expect(credentials.present(SIGNAL).rejected()).toBe(false);
    expect(formOf(credentials)).toBe('x-api-key');
  });
  test('a pending request retries with the form that another request found meanwhile', () => {
    const credentials = createCredentials('k', 'auto');
    const [early, late] = [credentials.present(SIGNAL), credentials.present(SIGNAL)];
    expect(early.rejected()).toBe(true);
    credentials.present(SIGNAL).accepted();
    expect(late.rejected()).toBe(true);
    expect(credentials.present(SIGNAL).rejected()).toBe(false);
    expect(formOf(credentials)).toBe('authorization');
  });
});

describe('the validation record takes X-API-Key', () => {
  test('also in the mode bearer, where Bearer is the second try', () => {
    const credentials = createCredentials('k', 'bearer');
    expect([formOf(credentials), formOf(credentials, METRICS)]).toEqual(['authorization', 'x-api-key']);
    expect(credentials.present(METRICS).rejected()).toBe(true);
    const second = credentials.present(METRICS);
    expect(second.headers).toEqual({ authorization: 'Bearer k' });
    second.accepted();
    expect(formOf(credentials, METRICS)).toBe('authorization');
  });
  test('also after other routes took Bearer alone, and they go on with it', () => {
    const credentials = createCredentials('k', 'auto');
    credentials.present(SIGNAL).rejected();
    credentials.present(SIGNAL).accepted();
    expect([formOf(credentials), formOf(credentials, METRICS)]).toEqual(['authorization', 'x-api-key']);
    credentials.present(METRICS).accepted();
    expect(formOf(credentials)).toBe('authorization');
  });
  test.each([
    ['api-key', 'k', 'x-api-key'],
    ['proxy', 'k', ''],
    ['proxy', 'dsh_session', 'authorization'],
  ] as const)('of the mode %s with the key %s nothing changes', (mode, key, form) => {
    const credentials = createCredentials(key, mode);
    expect(formOf(credentials, METRICS)).toBe(form);
    expect(credentials.present(METRICS).rejected()).toBe(false);
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
  expect(credentials.present(SIGNAL).rejected()).toBe(false);
  expect(formOf(credentials)).toBe(form);
});
