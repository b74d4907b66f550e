// Service, news, test: the dates of feeds, whatever the zone of this computer.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { feedDate } from './feed-date.ts';

const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'America/New_York';
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test('the zone of this computer is not UTC here', () => {
  expect(new Date(2026, 2, 2).getTimezoneOffset()).toBe(300);
});

test.each([
  ['Mon, 02 Mar 2026 13:00:00', '13:00'],
  ['2026-03-02T13:00:00', '13:00'],
  ['2026-03-02 13:00:00.250', '13:00'],
  ['3/2/2026 1:00 PM', '13:00'],
  ['2026-03-02', '00:00'],
  ['02 Mar 2026', '00:00'],
  ['Mon, 02 Mar 2026 13:00:00 GMT', '13:00'],
  ['Mon, 02 Mar 2026 13:00:00 UT', '13:00'],
  ['2026-03-02T13:00:00Z', '13:00'],
  ['2026-03-02T13:00:00.123456Z', '13:00'],
  ['2026-03-02T13:00:00-05:00', '18:00'],
  ['2026-03-02T13:00:00 EST', '18:00'],
  ['Mon, 02 Mar 2026 13:00:00 +0100', '12:00'],
  ['Mon, 02 Mar 2026 13:00:00 +0000 (UTC)', '13:00'],
  ['Mon, 02 Mar 2026 13:00:00 GMT+0100', '12:00'],
  ['Mon, 02 Mar 2026 13:00:00 EST', '18:00'],
  ['Mon, 02 Mar 2026 13:00:00 EDT', '17:00'],
  ['Mon, 02 Mar 2026 13:00:00 CST', '19:00'],
  ['Mon, 02 Mar 2026 13:00:00 CDT', '18:00'],
  ['Mon, 02 Mar 2026 13:00:00 MST', '20:00'],
  ['Mon, 02 Mar 2026 13:00:00 MDT', '19:00'],
  ['Mon, 02 Mar 2026 13:00:00 PST', '21:00'],
  ['Mon, 02 Mar 2026 13:00:00 pdt', '20:00'],
  ['Mon, 02 Mar 2026 13:00:00 CET', '12:00'],
  ['Mon, 02 Mar 2026 13:00:00 CEST', '11:00'],
  ['Mon, 02 Mar 2026 13:00:00 BST', '12:00'],
])('%s is %s UTC', (text, clock) => {
  expect(new Date(feedDate(text)).toISOString().slice(0, 16)).toBe(`2026-03-02T${clock}`);
});

test.each(['', 'soon', 'Mon, 02 Mar 2026 13:00:00 XYZ', 'EST'])('"%s" is no date', (text) => {
  expect(feedDate(text)).toBeNaN();
});
