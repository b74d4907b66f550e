// Test: the title of a window names what needs attention, the profile and its environment.
import { expect, test } from 'vitest';
import { texts } from './texts.ts';

const titled = (more: Partial<Parameters<typeof texts.common.documentTitle>[0]>): string =>
  texts.common.documentTitle({
    name: 'desk',
    environment: 'production',
    replay: false,
    connection: 'online' as const,
    page: 'Watch',
    waiting: 0,
    ...more,
  });

test('the number first, then profile and environment', () => {
  expect(titled({ name: 'replay20', replay: true, waiting: 3 })).toBe('(3) replay20 · REPLAY · Watch – Barograph');
  expect(titled({})).toBe('desk · PRODUCTION · Watch – Barograph');
  expect(titled({ connection: 'offline' })).toBe('desk · PRODUCTION · Offline · Watch – Barograph');
  expect(titled({ connection: 'starting' })).toBe('desk · PRODUCTION · Starting · Watch – Barograph');
});

test('a sandbox is marked, and named where its name says more', () => {
  expect(titled({ name: 'sandbox', environment: 'sandbox', waiting: 1 })).toBe('(1) [SANDBOX] Watch – Barograph');
  expect(titled({ name: 'crash', environment: 'sandbox' })).toBe('[SANDBOX] crash · Watch – Barograph');
});
