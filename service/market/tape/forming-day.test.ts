// Service, market, tape, test: prices of the day in progress that may be faults.
import { describe, expect, it } from 'vitest';
import { isSession, sessionOn } from '../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf, MINUTE_MS } from '../../../shared/lib/time.ts';
import type { Bar } from '../../engine/types.ts';
import { formingDay } from './forming-day.ts';
import { createInspectedMarket } from './inspected-market.ts';
import type { TapeListing } from './inspections.ts';
import { IntradayBars } from './intraday-bars.ts';
import { openTape, type Tape } from './tape.ts';

const ARRIVAL = { feed: 'test', receivedAt: 0 };
const dates: string[] = [];
for (let at = Date.parse('2025-01-02'); dates.length < 290; at += DAY_MS)
  if (isSession('us', dateOf(at))) dates.push(dateOf(at));
const TODAY = dates.pop() ?? '';
const { open: OPEN } = sessionOn('us', TODAY);
const listings = new Map<string, TapeListing>([
  [
    'A',
    {
      instrument: { symbol: 'A', name: 'A', assetClass: 'equity', regimeOnly: false, inputOnly: false },
      calendar: 'us',
    },
  ],
]);

const bar = (date: string, close: number): Bar => ({
  ...{ date, open: close, high: close * 1.005, low: close * 0.995, close, volume: 1e6 },
});
/** Calm prices around 100 up to yesterday. */
const calm = (): Bar[] => dates.map((date, n) => bar(date, 100 + Math.sin(n * 1.7)));

class Minutes extends IntradayBars {
  /** @param closes of the first minutes of today */
  constructor(closes: readonly number[]) {
    super(false, true);
    for (const [index, close] of closes.entries()) {
      const start = OPEN + index * MINUTE_MS;
      this.seriesOf('A').put({ ...bar(TODAY, close), start, end: start + MINUTE_MS, volume: null });
    }
  }
}

function dayOf(closes: readonly number[], history = calm(), change: (tape: Tape) => void = () => undefined) {
  const tape = openTape(null);
  tape.record(new Map([['A', history]]), ARRIVAL, false);
  change(tape);
  const market = createInspectedMarket(tape, listings);
  const day = formingDay(listings, market, () => new Minutes(closes));
  const after = (minutes: number): number => OPEN + minutes * MINUTE_MS;
  return {
    close: (minutes: number) => day.forming('A', after(minutes))?.close ?? null,
    said: (minutes: number) => day.fault('A', after(minutes)),
    asked: (minutes: number) => day.question('A', after(minutes)),
    before: (minutes: number) => day.forming('A', after(minutes))?.closeBefore,
    missing: (minutes: number) => day.forming('A', after(minutes))?.missing,
    fault: (minutes: number) => market.fault('A', after(minutes))?.kind ?? null,
  };
}

describe('a day that opens in the ratio of a split', () => {
  it('counts with its second price, and asks with prices, cause and cure', () => {
    const day = dayOf([50.1, 50.2, 50, 49.9]);
    expect([1, 2, 4].map(day.close)).toEqual([null, 50.2, 49.9]);
    expect([1, 2, 4].map((minutes) => day.asked(minutes)?.countsAs)).toEqual([undefined, 'price', 'price']);
    expect(day.asked(2)).toMatchObject({ date: TODAY, price: 50.2, doubt: 'split', answer: null });
    expect(day.said(2)).toEqual({
      kind: 'question',
      reason: expect.stringMatching(
        new RegExp(
          `^A ${TODAY}: price 50.2 after [0-9.]+ looks like a split 2:1 that is not adjusted .*; it counts, and needs a decision: \`confirm A ${TODAY}\` with --real`,
        ),
      ),
    });
  });

  it('asks nothing once the operator says what it is', () => {
    const decide =
      (kind: 'real' | 'split') =>
      (tape: Tape): void =>
        void tape.recordActions(
          [{ kind, symbol: 'A', date: TODAY, factor: kind === 'split' ? 0.5 : null, note: null }],
          ARRIVAL,
        );
    const real = dayOf([50.1, 50.2], calm(), decide('real'));
    expect([real.said(2), real.close(2), real.before(2)]).toEqual([null, 50.2, undefined]);
    const split = dayOf([50.1, 50.2], calm(), decide('split'));
    expect([split.said(2), split.close(2)]).toEqual([null, 50.2]);
    expect(split.before(2)).toBeCloseTo((calm().at(-1)?.close ?? 0) / 2, 8);
  });

  it('of more than five times is not used before its close', () => {
    const day = dayOf([10.01, 10.02]);
    expect([day.close(2), day.said(2)?.kind, day.asked(2)?.countsAs]).toEqual([null, 'quarantined', 'no_price']);
  });

  it('in another ratio is a price: most falls overnight are', () => {
    const day = dayOf([83, 83.1]);
    expect([day.close(2), day.said(2)]).toEqual([83.1, null]);
  });
});

describe('a day with a known change of level', () => {
  const last = calm().at(-1)?.close ?? 0;
  const paid = (tape: Tape): void =>
    void tape.recordActions(
      [{ kind: 'dividend', symbol: 'A', date: TODAY, factor: null, amount: 12, note: null }],
      ARRIVAL,
    );
  const split =
    (factor: number) =>
    (tape: Tape): void =>
      void tape.recordActions([{ kind: 'split', symbol: 'A', date: TODAY, factor, note: null }], ARRIVAL);

  it('of a dividend has the traded prices and the previous close at their level, and is not a spike', () => {
    const day = dayOf([88.1, 88.3], calm(), paid);
    expect([1, 2].map(day.close)).toEqual([88.1, 88.3]);
    expect(day.before(1)).toBeCloseTo(last - 12, 8);
    expect(day.said(2)).toBeNull();
  });

  it('of a split 11:10 too', () => {
    const day = dayOf([91.1, 90.8], calm(), split(10 / 11));
    expect([1, 2].map(day.close)).toEqual([91.1, 90.8]);
    expect(day.before(2)).toBeCloseTo((last * 10) / 11, 8);
  });

  it('of a split has the level even after a rise by most of the ratio', () => {
    expect(dayOf([91.1, 96.5], calm(), split(10 / 11)).before(2)).toBeCloseTo((last * 10) / 11, 8);
  });

  it('falls by its move in excess of a dividend', () => {
    expect([1, 2, 3].map(dayOf([88.1, 80, 80.2], calm(), paid).close)).toEqual([88.1, 88.1, 80.2]);
  });

  it('has no other level without an action, with an action of another day, or with adjusted prices', () => {
    expect(dayOf([99.8]).before(1)).toBeUndefined();
    const of = (date: string) => (tape: Tape) =>
      void tape.recordActions([{ kind: 'dividend', symbol: 'A', date, factor: null, amount: 12, note: null }], ARRIVAL);
    expect(dayOf([99.8], calm(), of('2024-06-03')).before(1)).toBeUndefined();
    expect(dayOf([99.8], calm(), split(10 / 11)).before(1)).toBeUndefined();
  });

  it('includes the actions of sessions without a bar', () => {
    const yesterday = (tape: Tape): void =>
      void tape.recordActions(
        [{ kind: 'dividend', symbol: 'A', date: dates.at(-1) ?? '', factor: null, amount: 12, note: null }],
        ARRIVAL,
      );
    const before = calm().at(-2)?.close ?? 0;
    expect(dayOf([88.1], calm().slice(0, -1), yesterday).before(1)).toBeCloseTo(before - 12, 8);
  });
});

describe('a spike', () => {
  it('counts with its second price', () => {
    expect([1, 2, 3].map(dayOf([100.2, 90, 90.3]).close)).toEqual([100.2, 100.2, 90.3]);
  });

  it('that is gone with the next price is never served', () => {
    expect([1, 2, 3].map(dayOf([100.2, 90, 100.3]).close)).toEqual([100.2, 100.2, 100.3]);
  });

  it('in the ratio of a split is a spike: no split comes within a day', () => {
    expect([1, 2, 3, 4].map(dayOf([100.2, 50.1, 100.3, 100.2]).close)).toEqual([100.2, 100.2, 100.3, 100.2]);
  });

  it('as the first price of a day waits for the second', () => {
    expect([1, 2].map(dayOf([90, 90.2]).close)).toEqual([null, 90.2]);
  });
});

it('a move that the symbol makes on other days is a price at once', () => {
  expect([1, 2].map(dayOf([100.2, 97.9]).close)).toEqual([100.2, 97.9]);
});

it('is served while the price of yesterday is in question', () => {
  const yesterday = { ...bar(dates.at(-1) ?? '', 50), volume: 3.5e6 };
  const day = dayOf([50.1, 50.2], [...calm().slice(0, -1), yesterday]);
  expect([day.fault(2), day.close(2)]).toEqual(['question', 50.2]);
});

it('after a missing week it has the number of missing sessions', () => {
  expect(dayOf([100.2], calm().slice(0, -5)).missing(1)).toBe(5);
  expect(dayOf([100.2], calm().slice(0, -2)).missing(1)).toBeUndefined();
  expect(dayOf([100.2]).missing(1)).toBeUndefined();
});
