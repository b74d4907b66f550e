// Test: the forms of ISO 8601 that a request may have.
import { describe, expect, test } from 'vitest';
import { InstantSchema, timestamp } from './primitives.ts';

const parsed = (given: string): string | null => InstantSchema.safeParse(given).data ?? null;

describe('an instant', () => {
  test.each([
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['20261101', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T12:00', '2026-11-01T12:00:00.000Z'],
    ['2026-11-01T12', '2026-11-01T12:00:00.000Z'],
    ['2026-11-01T12:00:05', '2026-11-01T12:00:05.000Z'],
    ['2026-11-01T12:00:05.25Z', '2026-11-01T12:00:05.250Z'],
    ['2026-11-01T12:00:05,1234567Z', '2026-11-01T12:00:05.123Z'],
    ['20261101T1200', '2026-11-01T12:00:00.000Z'],
    ['20261101T120005Z', '2026-11-01T12:00:05.000Z'],
    ['20261101T12Z', '2026-11-01T12:00:00.000Z'],
    ['2026-11-01T12:00+05:30', '2026-11-01T06:30:00.000Z'],
    ['20261101T1200-0800', '2026-11-01T20:00:00.000Z'],
    ['2026-11-01T12:00+01', '2026-11-01T11:00:00.000Z'],
    ['2026-11-01t12:00z', '2026-11-01T12:00:00.000Z'],
    ['2026-11-01T24:00', '2026-11-02T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('%s is %s', (given, instant) => {
    expect(parsed(given)).toBe(instant);
  });

  test.each([
    '',
    'yesterday',
    '2026',
    '2026-11',
    '2026-1101',
    '202611-01',
    '2026-02-29',
    '2026-13-01',
    '2026-11-31',
    '2026-11-01T',
    '2026-11-01T1200',
    '20261101T12:00',
    '2026-11-01T25:00',
    '2026-11-01T12:60',
    '2026-11-01T24:01',
    '2026-11-01T12:00+24:00',
    '2026-11-01T12:00Zulu',
    '2026-11-01T12:00+',
    '2026-11-01 12:00',
    '1700000000',
    '0000-01-01',
    '9999-12-31T24:00',
    '2026-11-01T12:00:00Z; DROP',
  ])('%j is refused, and the refusal names forms that are not', (given) => {
    const { error } = InstantSchema.safeParse(given);
    expect(error?.issues[0]?.message).toMatch(/ISO 8601 .* 20260302, .* without a zone it is UTC/);
  });

  test('of every minute of two years is read back from what the service writes', () => {
    for (let at = Date.UTC(2025, 0); at < Date.UTC(2027, 0); at += 7_919_531)
      expect(parsed(timestamp(at))).toBe(timestamp(at));
  });
});
