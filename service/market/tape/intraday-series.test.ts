// Service, market, tape: a series of intraday bars holds what a sorted list of objects would.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, dateOf, MINUTE_MS } from '../../../shared/lib/time.ts';
import { type IntradayBar, IntradaySeries } from './intraday-series.ts';

const DAY = Date.parse('2026-03-02');

const price = fc.double({ min: 0.001, max: 1e6, noNaN: true });
const minuteBar = fc
  .record({ minute: fc.integer({ min: 0, max: 4_000 }), open: price, high: price, low: price, close: price })
  .chain(({ minute, ...prices }) => {
    const start = DAY + minute * MINUTE_MS;
    return fc.option(price).map((volume): IntradayBar => {
      return { ...prices, volume, start, end: start + MINUTE_MS, date: dateOf(start - DAY_MS) };
    });
  });
const change = fc.oneof(
  { weight: 20, arbitrary: minuteBar.map((bar) => ({ kind: 'put' as const, bar })) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 4_000 }).map((minute) => ({ kind: 'trim' as const, minute })) },
);

test('a series has the bars put into it, each start once, without the trimmed ones', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 400, size: 'max' }), (changes) => {
      const series = new IntradaySeries();
      let expected: IntradayBar[] = [];
      for (const one of changes) {
        if (one.kind === 'put') {
          series.put(one.bar);
          expected = [...expected.filter(({ start }) => start !== one.bar.start), one.bar];
          expected.sort((a, b) => a.start - b.start);
        } else {
          const instant = DAY + one.minute * MINUTE_MS;
          series.trim(instant);
          expected = expected.filter(({ end }) => end > instant);
        }
      }
      expect(Array.from({ length: series.length }, (_, index) => series.at(index))).toEqual(expected);
      const middle = expected[expected.length >> 1];
      if (middle === undefined) return;
      expect(series.startedBy(middle.start)).toBe((expected.length >> 1) + 1);
      expect(series.endedBy(middle.end - 1)).toBe(expected.length >> 1);
      expect(series.firstOfDate(expected.length >> 1)).toBe(expected.findIndex(({ date }) => date === middle.date));
      expect(series.combined(0, series.length - 1)).toEqual({
        open: expected[0]?.open,
        high: Math.max(...expected.map(({ high }) => high)),
        low: Math.min(...expected.map(({ low }) => low)),
        close: expected.at(-1)?.close,
        volume: expected.reduce((sum, { volume }) => sum + (volume ?? 0), 0),
      });
    }),
    { numRuns: 60 },
  );
});

test('a series without bars has none at any place', () => {
  const series = new IntradaySeries();
  expect([series.length, series.at(0), series.at(-1), series.endedBy(DAY)]).toEqual([0, null, null, 0]);
});
