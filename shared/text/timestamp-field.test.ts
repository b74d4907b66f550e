// Test: formatting and parsing of typed days and timestamps.
import { expect, it } from 'vitest';
import { formatField, parseDay, parseTimestamp } from './timestamp-field.ts';

const AT = Date.parse('2026-03-04T20:30:00Z');

it('a timestamp is written and read in the zone in which times are shown', () => {
  expect([formatField(AT, 'market'), formatField(AT, 'utc')]).toEqual(['2026-03-04T15:30', '2026-03-04T20:30']);
  for (const zone of ['market', 'utc', 'local'] as const) expect(parseTimestamp(formatField(AT, zone), zone)).toBe(AT);
});
it.each(['', '2026-02-30T10:00', '2026-03-04', '2026-03-04T24:00', '2026-13-04T10:00', 'tomorrow'])(
  '%j is no timestamp',
  (text) => {
    expect(parseTimestamp(text, 'market')).toBeNull();
  },
);
it('a blank may be between day and time', () => expect(parseTimestamp('2026-03-04 20:30', 'utc')).toBe(AT));
it('a day is read with any separator, with or without leading zeros', () => {
  expect(['2026-03-04', ' 2026-3-4 ', '2026/03/04', '2026.3.04'].map(parseDay)).toEqual(
    Array.from({ length: 4 }, () => '2026-03-04'),
  );
});
it.each(['', '03/04/2026', '2026-02-30', '2026-13-01', '2026-00-10', '0026-03-04', '2026-03-04T10:00', 'today'])(
  '%j is no day',
  (text) => {
    expect(parseDay(text)).toBeNull();
  },
);
