// Service, test: the market of a feed: when halts and delistings without a resumption end.
import { expect, it } from 'vitest';
import { isSession, sessionOn } from '../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf, MINUTE_MS } from '../../../shared/lib/time.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { openTape } from '../tape/tape.ts';
import type { TapeAction } from '../tape/tape-action.ts';
import { createFeedMarket } from './feed-market.ts';
import type { FeedBar } from './price-feed.ts';

const HALTED_AT = Date.parse('2026-03-05T15:30:20Z');
const sessions = (first: string, count: number): string[] => {
  const dates: string[] = [];
  for (let at = Date.parse(first); dates.length < count; at += DAY_MS)
    if (isSession('us', dateOf(at))) dates.push(dateOf(at));
  return dates;
};

function rig() {
  const clock = createManualClock(HALTED_AT);
  const tape = openTape(null);
  const record = createFeedMarket({
    ...{ feed: 'fake', tape, clock },
    listings: [{ symbol: 'A', name: 'A', assetClass: 'equity', calendar: 'us' }],
  });
  const market = record.market({ health: () => null, available: () => true });
  const day = (date: string): FeedBar => {
    const { open, close } = sessionOn('us', date);
    const prices = { open: 100, high: 101, low: 99, close: 100, volume: 1e6 };
    return { symbol: 'A', step: 'day', date, start: open, end: close, isClosed: true, ...prices };
  };
  const minute = (start: string): FeedBar => {
    const at = Date.parse(`2026-03-05T${start}:00Z`);
    return { ...day('2026-03-05'), step: 'minute', start: at, end: at + MINUTE_MS };
  };
  record.take(sessions('2026-02-02', 23).map(day));
  const action = (kind: 'halt' | 'delisting', date: string): TapeAction => {
    return { kind, symbol: 'A', date, factor: null, note: null };
  };
  return {
    ...{ clock, tape, record, day, minute, action },
    health: (at = clock.now()) => market.fault?.('A', at)?.kind ?? null,
    dates: (after: string, at = clock.now()) => [...market.closedDays(() => after, at)].map(({ date }) => date),
  };
}

it('a minute that began after a halt ends it', () => {
  const { record, minute, action, health, clock } = rig();
  record.recordActions([action('halt', '2026-03-05')]);
  clock.jump(10 * MINUTE_MS);
  // The halt came late, or this computer's clock is slow.
  record.take([minute('15:29'), minute('15:30')]);
  expect(health()).toBe('halted');
  record.take([minute('15:36')]);
  expect(health()).toBeNull();
  clock.jump(10 * MINUTE_MS);
  record.recordActions([{ ...action('halt', '2026-03-05'), note: 'again' }]);
  expect(health()).toBe('halted');
  record.take([minute('15:52')]);
  expect(health()).toBeNull();
});

it('the close of a later session ends a halt', () => {
  const { record, day, action, health, clock } = rig();
  record.recordActions([action('halt', '2026-03-05')]);
  clock.jump(DAY_MS);
  record.take([day('2026-03-05')]);
  expect(health()).toBe('halted');
  clock.jump(DAY_MS);
  record.take([day('2026-03-06')]);
  expect(health()).toBeNull();
});

it('rows after a delisting do not count, until five sessions of them revoke it', () => {
  const { record, day, action, health, clock, dates, tape } = rig();
  record.recordActions([action('delisting', '2026-03-05')]);
  const later = sessions('2026-03-05', 6);
  for (const date of later.slice(0, 5)) {
    clock.jump(Date.parse(date) + DAY_MS - clock.now());
    record.take([day(date)]);
    expect([health(), dates('2026-03-04')]).toEqual(['unlisted', []]);
  }
  clock.jump(Date.parse(later[5] as string) + DAY_MS - clock.now());
  record.take([day(later[5] as string)]);
  expect([health(), dates('2026-03-04')]).toEqual([null, later]);
  expect(tape.status('A', '2026-03-05')).toMatchObject({ kind: 'resume', feed: 'fake' });
  // The vendor repeats the delisting.
  record.recordActions([action('delisting', '2026-03-05')]);
  expect(health()).toBeNull();
});

it('a postponed delisting counts from its later date on', () => {
  const { record, day, action, clock, dates } = rig();
  record.recordActions([action('delisting', '2026-03-05')]);
  record.recordActions([action('delisting', '2026-03-09')]);
  clock.jump(Date.parse('2026-03-11') - clock.now());
  record.take(['2026-03-05', '2026-03-06', '2026-03-09', '2026-03-10'].map(day));
  expect(dates('2026-03-04')).toEqual(['2026-03-05', '2026-03-06']);
});

it("the delisting of a symbol's previous holder does not end the prices of the present one", () => {
  const { record, action, dates } = rig();
  record.recordActions([action('delisting', '2026-02-04'), { ...action('delisting', '2026-02-20'), kind: 'resume' }]);
  expect(dates('2026-02-03').slice(0, 2)).toEqual(['2026-02-04', '2026-02-05']);
});

it('an old delisting does not count if prices go on', () => {
  const { record, action, health, dates } = rig();
  record.recordActions([action('delisting', '2026-02-04')]);
  expect([health(), dates('2026-02-27')]).toEqual([null, ['2026-03-02', '2026-03-03', '2026-03-04']]);
});

it('a halted symbol has no overdue decision', () => {
  const { record, action } = rig();
  const overdueAt = HALTED_AT - 6 * MINUTE_MS;
  const market = record.market({ health: () => null, overdueAt: () => overdueAt, available: () => true });
  expect(market.nextDecision?.('A', HALTED_AT)).toBe(overdueAt);
  record.recordActions([action('halt', '2026-03-05')]);
  expect(market.nextDecision?.('A', HALTED_AT)).toBeNull();
});
