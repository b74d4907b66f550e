// Service, what is due, test: several lists and the announcements of a feed as one.
import { expect, test } from 'vitest';
import type { ScheduledEvent } from '../../shared/domain/scheduled-events.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { createSchedule, listedCalendars } from './schedule.ts';

const NOW = Date.parse('2026-12-02T17:00:00Z');
const event = (more: Partial<ScheduledEvent>): ScheduledEvent => ({
  ...{ kind: 'dividend', symbol: 'AAPL', date: '2026-12-04', at: null, part: null, zone: 'America/New_York' },
  ...{ title: '', source: 'd.csv' },
  ...more,
});
const list = (name: string, events: readonly ScheduledEvent[], error: string | null = null) => ({
  ...{ name, events, error, problems: [] },
});
const scheduleOf = (lists: Parameters<typeof createSchedule>[0]['lists'], error: string | null = null) =>
  createSchedule({
    lists,
    market: {
      announced: () => ({
        ...{ name: 'alpaca', error, aheadMs: 7 * DAY_MS },
        actions: [
          { kind: 'dividend', symbol: 'AAPL', date: '2026-12-04' },
          { kind: 'split', symbol: 'MSFT', date: '2026-12-07' },
          { kind: 'halt', symbol: 'MSFT', date: '2026-12-02' },
        ],
      }),
    },
    calendarOf: listedCalendars('production', []),
  });

test('a feed adds the dividends and splits that it announces, for the week that it covers', () => {
  const { events, sources } = scheduleOf(() => [list('d.csv', [event({})])]).at(NOW);
  expect(events.map(({ kind, symbol, source }) => `${kind} ${symbol} ${source}`)).toEqual([
    'dividend AAPL alpaca',
    'split MSFT alpaca',
  ]);
  expect(sources.map(({ name, covers }) => [name, covers[0]])).toEqual([
    ['d.csv', { kind: 'dividend', until: '2026-12-04' }],
    ['alpaca', { kind: 'dividend', until: '2026-12-09' }],
  ]);
});

test('an event in two lists has the hour of the list that says more of it', () => {
  const exact = event({ at: '2026-12-04T14:00:00.000Z', source: 'exact.ics' });
  const { events } = scheduleOf(() => [list('d.csv', [event({})]), list('exact.ics', [exact])]).at(NOW);
  expect(events[0]).toEqual(exact);
});

test('what is due for symbols has the events of every market once, and names what could not be read', () => {
  const macro = event({ kind: 'inflation', symbol: null, zone: null, title: 'CPI', date: '2026-12-03' });
  const lists = () => [list('m.csv', [macro]), list('e.csv', [], 'it is gone')];
  const { events, unread } = scheduleOf(lists, 'it is not followed').due(NOW, ['AAPL', 'MSFT'], 2);
  expect(events.map(({ symbol, day }) => `${symbol} ${day}`)).toEqual(['null 2026-12-03', 'AAPL 2026-12-04']);
  expect(unread).toEqual(['e.csv', 'alpaca']);
});
