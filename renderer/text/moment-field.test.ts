import { expect, it } from 'vitest';
import { fieldOf, momentFrom } from './moment-field.ts';

const AT = Date.parse('2026-03-04T20:30:00Z');

it('a moment is written and read in the zone in which times are told', () => {
  expect([fieldOf(AT, 'market'), fieldOf(AT, 'utc')]).toEqual(['2026-03-04T15:30', '2026-03-04T20:30']);
  for (const zone of ['market', 'utc', 'local'] as const) expect(momentFrom(fieldOf(AT, zone), zone)).toBe(AT);
});
it.each(['', '2026-02-30T10:00', '2026-03-04', '2026-03-04T24:00', '2026-13-04T10:00', 'tomorrow'])('%j is no moment', (text) => {
  expect(momentFrom(text, 'market')).toBeNull();
});
