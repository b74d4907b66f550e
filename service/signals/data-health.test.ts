// Service, signals, test: the age of prices, now and at past instants.
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/lib/time.ts';
import type { MarketSource, PriceFault } from '../market/types.ts';
import { hasEnded, healthOf } from './data-health.ts';
import type { Track } from './track.ts';

const CLOSE = Date.parse('2026-03-02T21:00:00Z');
const HOURS = [1, 2, 3].map((hour) => CLOSE + DAY_MS - 6 * HOUR_MS + hour * HOUR_MS);
const NOW = CLOSE + DAY_MS;
const track = {
  instrument: { symbol: 'SPY' },
  days: [{ closedAt: CLOSE - DAY_MS }, { closedAt: CLOSE }],
  decidedAt: HOURS[2],
} as unknown as Track;

const market = (fault: PriceFault | null, isSuspect: (at: number) => boolean = () => false): MarketSource =>
  ({
    decisions: (_: string, from: number, to: number) => HOURS.filter((at) => at > from && at <= to),
    forming: (_: string, at: number) => (at < (HOURS[0] ?? 0) || isSuspect(at) ? null : {}),
    nextClose: (_: string, at: number) => CLOSE + Math.ceil((at - CLOSE + 1) / DAY_MS) * DAY_MS,
    fault: () => fault,
  }) as unknown as MarketSource;

test('the age is that of the last price evaluated by the instant: a close, or an intraday price', () => {
  const ages = [CLOSE - 1, CLOSE, CLOSE + HOUR_MS, (HOURS[0] ?? 0) + MINUTE_MS, (HOURS[2] ?? 0) + MINUTE_MS, NOW].map(
    (instant) => healthOf(market(null), track, instant).data_age_seconds,
  );
  expect(ages).toEqual([86_399, 0, 3_600, 60, 60, 3 * 3_600]);
});

test('an unused price does not count as the last price', () => {
  const suspect = market(null, (at) => at === HOURS[1]);
  expect(healthOf(suspect, track, (HOURS[1] ?? 0) + MINUTE_MS).data_age_seconds).toBe(3_660);
});

test('a feed late now was not late at an instant whose prices have come', () => {
  const late = market({ kind: 'delayed', reason: 'r', delayMs: 900_000 });
  expect(healthOf(late, track, CLOSE + HOUR_MS)).toEqual({ data_health: 'current', data_age_seconds: 3_600 });
  expect(healthOf(late, track, NOW)).toEqual({
    data_health: 'delayed',
    data_age_seconds: 3 * 3_600,
    data_delay_seconds: 900,
  });
});

test('prices overdue for a known cause have ended once a cause no longer explains them', () => {
  const endedAfter = (fault: PriceFault | null, days: number): boolean => {
    const [source, now] = [market(fault), (HOURS[2] ?? 0) + days * DAY_MS];
    return hasEnded(source, track, healthOf(source, track, now), now);
  };
  for (const kind of ['quarantined', 'unlisted', 'halted'] as const)
    expect([4, 28, 40].map((days) => endedAfter({ kind, reason: 'r' }, days))).toEqual([false, false, true]);
  expect([4, 28, 40].map((days) => endedAfter(null, days))).toEqual([false, true, true]);
});
