// Shared, test: what is due within sessions of a market, and what no list covers.
import { expect, test } from 'vitest';
import { DAY_MS } from '../lib/time.ts';
import { dueWithin, isCovered, type Schedule, type ScheduledEvent } from './scheduled-events.ts';

const event = (more: Partial<ScheduledEvent>): ScheduledEvent => ({
  ...{ kind: 'earnings', symbol: 'AAPL', date: '2026-12-07', at: null, part: null, zone: 'America/New_York' },
  ...{ title: 'Apple', source: 'e.csv' },
  ...more,
});
const due = (events: readonly ScheduledEvent[], at: string, within = 2, symbol: string | null = 'AAPL') =>
  dueWithin(events, { symbol, calendar: 'us', at: Date.parse(at), within }).map(({ day, days }) => `${day} ${days}`);

const FRIDAY_NOON = '2026-12-04T17:00:00Z';

test.each<[string, Partial<ScheduledEvent>, string, readonly string[]]>([
  ['Monday is one session after Friday', {}, FRIDAY_NOON, ['2026-12-07 3']],
  ['Tuesday is two sessions after Friday', { date: '2026-12-08' }, FRIDAY_NOON, ['2026-12-08 4']],
  ['Wednesday is three', { date: '2026-12-09' }, FRIDAY_NOON, []],
  ['a day without a session counts with the next one', { date: '2026-12-06' }, FRIDAY_NOON, ['2026-12-06 2']],
  ['a holiday is no session', { date: '2026-12-29' }, '2026-12-24T15:00:00Z', ['2026-12-29 5']],
  ['before the open of today is due until it', { part: 'before_open' }, '2026-12-07T14:29:00Z', ['2026-12-07 0']],
  ['before the open of today is over with it', { part: 'before_open' }, '2026-12-07T14:30:00Z', []],
  ['after the close of today is due all day', { part: 'after_close' }, '2026-12-07T21:01:00Z', ['2026-12-07 0']],
  ['an instant is over when it has come', { at: '2026-12-07T19:00:00.000Z' }, '2026-12-07T19:00:00Z', []],
  [
    'an instant is on the day of the market that asks',
    { symbol: null, at: '2026-12-08T03:00:00.000Z', date: '2026-12-08', zone: 'Asia/Tokyo' },
    '2026-12-07T19:00:00Z',
    ['2026-12-07 0'],
  ],
  ['yesterday is over', { date: '2026-12-03' }, FRIDAY_NOON, []],
  ['another symbol is not asked about', { symbol: 'MSFT' }, FRIDAY_NOON, []],
])('%s', (_, more, at, found) => expect(due([event(more)], at)).toEqual(found));

test('before the open of an exchange that is not known is due all day', () => {
  const question = { symbol: '2330.TW', calendar: 'unknown', within: 0 } as const;
  const found = (at: string) =>
    dueWithin([event({ symbol: '2330.TW', part: 'before_open' })], { ...question, at: Date.parse(at) });
  expect([found('2026-12-07T05:00:00Z'), found('2026-12-08T04:59:00Z')].map(({ length }) => length)).toEqual([1, 1]);
});

test('a question without a symbol is about events of every market alone', () => {
  expect(due([event({}), event({ symbol: null, kind: 'inflation' })], FRIDAY_NOON, 2, null)).toEqual(['2026-12-07 3']);
});

test('a list says nothing of other kinds, of days after its last one, when it is old or could not be read', () => {
  const now = Date.parse(FRIDAY_NOON);
  const covers = [{ kind: 'earnings', until: '2026-12-08' } as const];
  const schedule: Schedule = { events: [], sources: [{ name: 'e.csv', error: null, covers }], readAt: now };
  expect(isCovered(schedule, ['earnings'], '2026-12-08', now)).toBe(true);
  expect(isCovered(schedule, ['earnings'], '2026-12-09', now)).toBe(false);
  expect(isCovered(schedule, ['earnings', 'dividend'], '2026-12-08', now)).toBe(false);
  expect(isCovered(schedule, ['earnings'], '2026-12-08', now + 4 * DAY_MS)).toBe(false);
  const broken = { ...schedule, sources: [...schedule.sources, { name: 'd.csv', error: 'it is gone', covers: [] }] };
  expect(isCovered(broken, ['earnings'], '2026-12-08', now)).toBe(false);
  expect(isCovered({ ...schedule, sources: [] }, ['earnings'], '2026-12-08', now)).toBe(false);
});
