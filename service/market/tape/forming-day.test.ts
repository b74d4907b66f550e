// Service, market, tape, test: suspicious prices of the day in progress are not used.
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
    const parts = closes.map((close, index) => {
      const start = OPEN + index * MINUTE_MS;
      return { ...bar(TODAY, close), start, end: start + MINUTE_MS, volume: null };
    });
    this.bars.set('A', parts);
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
    isJump: (minutes: number) => day.isJump('A', after(minutes)),
    before: (minutes: number) => day.forming('A', after(minutes))?.closeBefore,
    missing: (minutes: number) => day.forming('A', after(minutes))?.missing,
    fault: (minutes: number) => market.fault('A', after(minutes))?.kind ?? null,
  };
}

describe('a jump in the ratio of a split', () => {
  it('is not served while it lasts, and is reported as a jump', () => {
    const day = dayOf([50.1, 50.2, 50, 49.9]);
    expect([1, 2, 4].map(day.close)).toEqual([null, null, null]);
    expect([1, 2, 4].map(day.isJump)).toEqual([true, true, true]);
  });

  it('is reported with both prices and the remedy, and served once the operator confirms it', () => {
    expect(dayOf([100.2, 65]).said(1)).toBeNull();
    expect(dayOf([65, 65.1]).said(2)).toEqual({
      kind: 'quarantined',
      reason: expect.stringMatching(
        new RegExp(
          `^A ${TODAY}: price 65.1 after a close of [0-9.]+ looks like a split or a change of level, not like a price; it is not used before the close of its day, unless \`confirm A ${TODAY} --real\` says`,
        ),
      ),
    });
    const real = dayOf([65, 65.1], calm(), (tape) =>
      tape.recordActions([{ kind: 'real', symbol: 'A', date: TODAY, factor: null, note: null }], ARRIVAL),
    );
    expect([real.said(2), real.close(2)]).toEqual([null, 65.1]);
  });

  it('waits for the close of its day if an action explains it: the close adjusts earlier closes', () => {
    const split = (tape: Tape): void =>
      void tape.recordActions([{ kind: 'split', symbol: 'A', date: TODAY, factor: 0.5, note: null }], ARRIVAL);
    const announced = dayOf([50.1, 50.2], calm(), split);
    expect(announced.close(2)).toBeNull();
    // The operator need not decide.
    expect(announced.said(2)?.reason).toBe(
      `A ${TODAY}: the price of 50.2 has the new level of its split (0.5 of the old one); it is used from the close of its day on`,
    );
    expect(dayOf([], [...calm(), bar(TODAY, 50.1)], split).fault(7 * 60)).toBeNull();
    expect(dayOf([], [...calm(), bar(TODAY, 50.1)]).fault(7 * 60)).toBe('quarantined');
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
    expect([day.isJump(2), day.said(2)]).toEqual([false, null]);
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

it('while yesterday is quarantined, no forming day is served', () => {
  const day = dayOf([50.1, 50.2], [...calm().slice(0, -1), bar(dates.at(-1) ?? '', 50)]);
  expect([day.fault(2), day.close(2)]).toEqual(['quarantined', null]);
});

it('after a missing week it has the number of missing sessions', () => {
  expect(dayOf([100.2], calm().slice(0, -5)).missing(1)).toBe(5);
  expect(dayOf([100.2], calm().slice(0, -2)).missing(1)).toBeUndefined();
  expect(dayOf([100.2]).missing(1)).toBeUndefined();
});
