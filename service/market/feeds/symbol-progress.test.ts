// Service, market feeds, test: the use of live rows over nights, half days and clock changes.
import { describe, expect, test } from 'vitest';
import { sessionClose } from '../../../shared/domain/sessions.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import type { FeedBar, FeedOffer } from './price-feed.ts';
import { SymbolProgress } from './symbol-progress.ts';

const OFFERS: FeedOffer = {
  ...{ delayMs: 0, closeDelayMs: 20 * MINUTE_MS, connectionMs: null, symbolsPerRequest: 100 },
  steps: ['day', 'minute'],
};
const SPY = { symbol: 'SPY', name: 'SPY', assetClass: 'etf', calendar: 'us' } as const;
const NONE = { hasHistory: true, lastDay: null, lastMinute: null };

const bar = (step: 'day' | 'minute', date: string, start: number, isClosed = true): FeedBar => ({
  ...{ symbol: 'SPY', step, date, start, end: start + (step === 'day' ? DAY_MS : MINUTE_MS), isClosed },
  ...{ open: 100, high: 101, low: 99, close: 100, volume: 10 },
});
const minute = (date: string, time: string, isClosed = true): FeedBar =>
  bar('minute', date, Date.parse(`${date}T${time}Z`), isClosed);
const day = (date: string): FeedBar => bar('day', date, Date.parse(date));

/** Prices known up to an instant of a session, with the close of the previous day. */
function upTo(lastDay: string, last: FeedBar): SymbolProgress {
  const progress = new SymbolProgress(SPY, OFFERS, { ...NONE, lastDay, lastMinute: last.end });
  return progress;
}

test.each([
  ['over a night', '2026-03-02', '2026-03-03', '14:30'],
  ['over a weekend and the change to summer time', '2026-03-06', '2026-03-09', '13:30'],
  ['over a weekend and the change to winter time', '2025-10-31', '2025-11-03', '14:30'],
  ['after a half day', '2025-11-28', '2025-12-01', '14:30'],
])('the first minute %s counts only when the close before it is known', (_name, before, date, opens) => {
  const close = sessionClose('us', before);
  const progress = upTo(previous(before), bar('minute', before, close - MINUTE_MS));
  const first = minute(date, opens);
  expect(progress.offer(first, first.end)).toEqual({ counts: [], asks: true });
  expect(progress.isCloseDue(close + 21 * MINUTE_MS)).toBe(true);
  expect(progress.isCloseDue(close + 19 * MINUTE_MS)).toBe(false);
  expect(progress.answered([day(before)], first.end, first.end).counts).toEqual([first]);
  expect(progress.isCloseDue(first.end)).toBe(false);
});

describe('a close that the vendor does not have yet', () => {
  const close = sessionClose('us', '2026-03-03');
  test('is requested again at growing intervals, and does not delay the next session', () => {
    const progress = upTo('2026-03-02', bar('minute', '2026-03-03', close - MINUTE_MS));
    const waits: number[] = [];
    let at = close + 21 * MINUTE_MS;
    for (let asked = 0; asked < 8; asked++) {
      progress.answered([], at, at);
      const from = at;
      while (!progress.isCloseDue(at)) at += MINUTE_MS;
      waits.push((at - from) / MINUTE_MS);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(progress.offer(minute('2026-03-04', '14:30'), at).counts).toHaveLength(1);
    progress.answered([day('2026-03-03')], at, at);
    expect(progress.isCloseDue(at + 5 * HOUR_MS)).toBe(false);
  });
});

test('health: a hole is reported after two minutes, silence after four minutes of the session, a night never', () => {
  const progress = upTo('2026-03-02', minute('2026-03-03', '15:00'));
  const at = (time: string): number => Date.parse(`2026-03-03T${time}Z`);
  expect(progress.health('acme', at('15:04'))).toBeNull();
  expect(progress.health('acme', at('15:06'))).toEqual({
    kind: 'delayed',
    reason: 'acme has sent no price of SPY after 2026-03-03T15:01Z, though its session is open',
    delayMs: 5 * MINUTE_MS,
  });
  progress.offer(minute('2026-03-03', '15:07'), at('15:08'));
  expect(progress.health('acme', at('15:11'))?.kind).toBe('gap');
  const closed = upTo('2026-03-03', bar('minute', '2026-03-03', sessionClose('us', '2026-03-03') - MINUTE_MS));
  expect(closed.health('acme', at('23:30'))).toBeNull();
  const late = new SymbolProgress(SPY, { ...OFFERS, delayMs: 15 * MINUTE_MS }, NONE);
  expect(late.health('acme', at('15:00'))).toEqual({
    kind: 'delayed',
    reason: 'Prices of acme come 15 minutes late',
    delayMs: 15 * MINUTE_MS,
  });
});

function previous(date: string): string {
  const at = Date.parse(date) - DAY_MS * (new Date(date).getUTCDay() === 1 ? 3 : 1);
  // Thanksgiving before the half day.
  return new Date(date === '2025-11-28' ? at - DAY_MS : at).toISOString().slice(0, 10);
}

test('a night is no silence of the stream: it counts from the open', () => {
  const progress = upTo('2026-03-02', minute('2026-03-03', '20:58'));
  progress.offer(minute('2026-03-03', '20:59'), Date.parse('2026-03-03T21:00:01Z'));
  const begun = Date.parse('2026-03-03T14:00:00Z');
  const at = (time: string): number => Date.parse(`2026-03-04T${time}Z`);
  expect(progress.isSilentSince(begun, at('14:30:05'), 2 * MINUTE_MS)).toBe(false);
  expect(progress.isSilentSince(begun, at('14:32:00'), 2 * MINUTE_MS)).toBe(true);
});

test('history of a vendor with late prices is complete only up to the delay', () => {
  const progress = new SymbolProgress(SPY, { ...OFFERS, delayMs: 15 * MINUTE_MS }, { ...NONE, lastDay: '2026-03-02' });
  const at = Date.parse('2026-03-03T15:30:00Z');
  progress.answered([minute('2026-03-03', '15:13')], at, at);
  expect(progress.offer(minute('2026-03-03', '15:14'), at).counts).toHaveLength(1);
  expect(progress.offer(minute('2026-03-03', '15:16'), at)).toEqual({ counts: [], asks: true });
});
