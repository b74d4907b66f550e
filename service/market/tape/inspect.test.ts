// Service, market, tape, test: data faults are separated from prices; crashes are prices.
import { describe, expect, it } from 'vitest';
import { sp500 } from '../../../test/fixtures/sp500.ts';
import type { Bar } from '../../engine/types.ts';
import { type BarActions, barActionsOn } from './bar-actions.ts';
import { type InspectionContext, inspect, PENDING, REFUSED } from './inspect.ts';

const quiet: InspectionContext = {
  splits: true,
  jumps: true,
  sessionsBetween: () => 0,
  marketMove: () => 0,
  barActions: () => null,
};
const DAY = 86_400_000;

/** Bars of one percent a day and one percent of range, closed form: the same in every run. */
function bars(count: number): Bar[] {
  let close = 100;
  return Array.from({ length: count }, (_, index) => {
    const open = close;
    close *= Math.exp(0.01 * Math.sin(index * index));
    const [high, low] = [Math.max(open, close) * 1.005, Math.min(open, close) * 0.995];
    const date = new Date(Date.UTC(2020, 0, 1) + index * DAY).toISOString().slice(0, 10);
    return { date, open, high, low, close, volume: 1_000_000 * (1 + 0.3 * Math.cos(index)) };
  });
}
const times = (bar: Bar, factor: number, volume = 1): Bar => ({
  ...bar,
  open: bar.open * factor,
  high: bar.high * factor,
  low: bar.low * factor,
  close: bar.close * factor,
  volume: bar.volume === null ? null : bar.volume * volume,
});
const from = (list: readonly Bar[], index: number, change: (bar: Bar) => Bar): Bar[] =>
  list.map((bar, at) => (at < index ? bar : change(bar)));
const at = (list: readonly Bar[], index: number, change: (bar: Bar) => Bar): Bar[] =>
  list.map((bar, one) => (one === index ? change(bar) : bar));
const released = (list: readonly Bar[], context = quiet): number[] => [...inspect(list, context).releasedBy];

describe('a split that is not adjusted', () => {
  it.each([
    [4, 4],
    [4, 1],
    [1.5, 1.5],
    [1 / 10, 1 / 10],
    [1 / 10, 1],
    [20, 20],
  ])('%d for one, volume times %d: quarantined until five bars stand at its level, then adjusted', (ratio, volume) => {
    const faulty = from(bars(300), 280, (bar) => times(bar, 1 / ratio, volume));
    for (let seen = 281; seen <= 285; seen++)
      expect(released(faulty.slice(0, seen)).slice(280)).toEqual(Array(seen - 280).fill(PENDING));
    const { releasedBy, adjustments, quarantines } = inspect(faulty, quiet);
    expect([...releasedBy.slice(278, 288)]).toEqual([278, 279, 285, 285, 285, 285, 285, 285, 286, 287]);
    expect(adjustments).toEqual([
      { index: 280, factor: expect.closeTo(1 / ratio, 9), knownBy: 285, origin: 'inferred' },
    ]);
    expect(quarantines).toMatchObject([{ from: 280, until: 285, kind: 'split', outcome: 'adjusted' }]);
  });

  it('is adjusted at once by an action, which does not change adjusted prices', () => {
    const date = bars(300)[280]?.date;
    const barActions = (asked: string): BarActions | null => (asked === date ? { factor: 0.25 } : null);
    const { adjustments, quarantines } = inspect(
      from(bars(300), 280, (bar) => times(bar, 0.25)),
      { ...quiet, barActions },
    );
    expect([adjustments, quarantines]).toEqual([[{ index: 280, factor: 0.25, knownBy: 280, origin: 'action' }], []]);
    expect(inspect(bars(300), { ...quiet, barActions }).adjustments).toEqual([]);
  });

  it('in no known ratio waits for twenty bars', () => {
    const faulty = from(bars(320), 280, (bar) => times(bar, 0.58));
    expect(inspect(faulty, quiet).quarantines).toMatchObject([{ from: 280, until: 300, kind: 'level' }]);
  });

  it('of an index, a currency or a coin is a change of level, unless its market falls with it', () => {
    const faulty = from(bars(320), 280, (bar) => times(bar, 0.5));
    const index = { ...quiet, splits: false };
    expect(inspect(faulty, index).quarantines).toMatchObject([{ until: 300, kind: 'level', outcome: 'adjusted' }]);
    expect(inspect(faulty, { ...index, marketMove: () => 30 }).quarantines).toEqual([]);
    // A volatility index jumps on its own, and counts with its second close.
    expect(inspect(faulty, { ...index, jumps: false }).quarantines).toMatchObject([
      { until: 281, kind: 'spike', outcome: 'real' },
    ]);
  });

  describe.each([
    ['no volume', null],
    ['the usual volume', 1],
    ['1.6 times the usual volume', 1.6],
  ])('whose first row has %s and a price of the old level', (_, traded) => {
    const firstRow = (factor: number, change: (old: number) => Partial<Bar>): Bar[] => {
      const old = bars(300)[279]?.close ?? 0;
      const volume = traded === null ? null : (1e6 * traded) / factor;
      const split = from(bars(300), 280, (bar) => times(bar, factor, 1 / factor));
      const list = at(split, 280, (bar) => ({ ...bar, volume, ...change(old) }));
      return traded === null ? list.map((bar) => ({ ...bar, volume })) : list;
    };
    it.each([0.25, 0.5, 2 / 3])('as its high, or as its opening: is adjusted by %d', (factor) => {
      for (const faulty of [
        firstRow(factor, (old) => ({ high: old })),
        firstRow(factor, (old) => ({ open: old, high: old })),
      ])
        expect(inspect(faulty, quiet).quarantines).toMatchObject([{ from: 280, kind: 'split', outcome: 'adjusted' }]);
    });
    it('as its low, in a reverse split', () => {
      const faulty = firstRow(4, (old) => ({ low: old }));
      expect(inspect(faulty, quiet).quarantines).toMatchObject([{ from: 280, kind: 'split', outcome: 'adjusted' }]);
    });
  });

  it('of a small ratio, with a price of the old level and usual volume, is adjusted', () => {
    const faulty = at(
      from(bars(300), 280, (bar) => times(bar, 0.8, 1.25)),
      280,
      (bar) => ({ ...bar, high: bar.high / 0.8 }),
    );
    expect(inspect(faulty, quiet).quarantines).toMatchObject([{ from: 280, kind: 'split', outcome: 'adjusted' }]);
  });

  it('may have one large move among the five bars after it; a crash has several', () => {
    const split = from(bars(300), 280, (bar) => times(bar, 0.25, 4));
    const news = from(split, 283, (bar) => times(bar, 1.12));
    expect(inspect(news, quiet).quarantines).toMatchObject([{ from: 280, until: 285, outcome: 'adjusted' }]);
  });
});

describe('an action', () => {
  const date = (index: number): string => bars(300)[index]?.date ?? '';
  /** Answers like a tape: the actions of a date, and of earlier dates without a bar. */
  const actionsOf =
    (given: Record<number, BarActions>): InspectionContext['barActions'] =>
    (asked, after) => {
      const index = new Map([['A', Object.entries(given).map(([index, one]) => [date(Number(index)), one] as const)]]);
      return barActionsOn(index, 'A', asked, after);
    };
  const withActions = (given: Record<number, BarActions>): InspectionContext => ({
    ...quiet,
    barActions: actionsOf(given),
  });
  const levels = ({ adjustments }: ReturnType<typeof inspect>) =>
    adjustments.map(({ index, factor, origin }) => [index, Number(factor.toPrecision(9)), origin]);

  it('of a split on the day after a spike ends the quarantine, whether the spike lasts or returns', () => {
    const split = from(bars(300), 281, (bar) => ({ ...times(bar, 0.25), volume: null }));
    for (const [spike, outcome] of [
      [(list: Bar[]) => from(list, 280, (bar) => times(bar, 0.91)), 'real'],
      [(list: Bar[]) => at(list, 280, (bar) => times(bar, 0.91)), 'refused'],
    ] as const) {
      const found = inspect(
        spike(split.map((bar) => ({ ...bar, volume: null }))),
        withActions({ 281: { factor: 0.25 } }),
      );
      expect(found.quarantines).toMatchObject([{ from: 280, until: 281, kind: 'spike', outcome }]);
      expect(levels(found)).toEqual([[281, 0.25, 'action']]);
      expect([...found.releasedBy.slice(280, 283)]).toEqual([outcome === 'real' ? 281 : REFUSED, 281, 282]);
    }
  });

  it('of a split with a later date than its prices explains them at that date', () => {
    const found = inspect(
      from(bars(300), 280, (bar) => times(bar, 0.25, 4)),
      withActions({ 282: { factor: 0.25 } }),
    );
    expect(found.quarantines).toMatchObject([{ from: 280, until: 282, outcome: 'adjusted' }]);
    expect(levels(found)).toEqual([[280, 0.25, 'inferred']]);
  });

  it('of a date without a bar, or with a refused bar, applies to the next bar', () => {
    const split = from(bars(300), 280, (bar) => times(bar, 0.25, 4)).toSpliced(280, 1);
    expect(levels(inspect(split, withActions({ 280: { factor: 0.25 } })))).toEqual([[280, 0.25, 'action']]);
    const share = 0.07;
    const paid = from(bars(300), 280, (bar) => times(bar, 1 - share)).toSpliced(280, 1);
    const dividend = (bars(300)[279]?.close ?? 0) * share;
    const found = inspect(paid, withActions({ 280: { dividend } }));
    expect([found.quarantines, levels(found)]).toEqual([[], [[280, 0.93, 'dividend']]]);
    const refused = inspect(
      from(bars(300), 280, (bar) => times(bar, 0.25, 4)),
      { ...quiet, barActions: actionsOf({ 280: { factor: 0.25, decision: 'refuse' } }) },
    );
    expect([refused.quarantines, levels(refused)]).toEqual([[], [[281, 0.25, 'action']]]);
  });

  it('of a split and a dividend in one gap count at their own levels', () => {
    const paid = 0.02 * (bars(300)[279]?.close ?? 0);
    const list = from(bars(300), 280, (bar) => times(bar, 0.25 * 0.98, 4)).toSpliced(280, 2);
    const found = inspect(list, withActions({ 280: { factor: 0.25 }, 281: { dividend: paid / 4 } }));
    expect(levels(found)).toEqual([
      [280, 0.25, 'action'],
      [280, 0.98, 'dividend'],
    ]);
  });

  it('of another ratio than the prices leaves the rest quarantined', () => {
    const faulty = from(bars(300), 280, (bar) => times(bar, 0.25, 4));
    const context = withActions({ 280: { factor: 0.5 } });
    expect(released(faulty.slice(0, 282), context).slice(280)).toEqual([PENDING, PENDING]);
    const found = inspect(faulty, context);
    expect(found.quarantines).toMatchObject([{ from: 280, until: 285, outcome: 'adjusted' }]);
    expect(levels(found)).toEqual([[280, 0.25, 'inferred']]);
    // The rest of the move was a bad print: the next bar has the level of the action.
    const printed = at(
      from(bars(300), 280, (bar) => times(bar, 0.5, 2)),
      280,
      (bar) => times(bar, 0.5),
    );
    const returned = inspect(printed, context);
    expect(returned.quarantines).toMatchObject([{ from: 280, until: 281, outcome: 'refused' }]);
    expect(levels(returned)).toEqual([[281, 0.5, 'action']]);
  });

  it('on the day of a spike does not explain the spike', () => {
    const faulty = at(
      from(bars(300), 280, (bar) => times(bar, 0.25, 4)),
      280,
      (bar) => times(bar, 0.8),
    );
    const found = inspect(faulty, withActions({ 280: { factor: 0.25 } }));
    expect([found.quarantines, levels(found)]).toMatchObject([
      [{ from: 280, until: 281, outcome: 'refused' }],
      [[281, 0.25, 'action']],
    ]);
  });

  it('real, of a later bar, ends the quarantine', () => {
    const faulty = from(bars(300), 280, (bar) => times(bar, 0.5));
    const found = inspect(faulty, withActions({ 282: { decision: 'real' } }));
    expect(found).toMatchObject({ quarantines: [{ from: 280, until: 282, outcome: 'real' }], adjustments: [] });
  });
});

describe('a decision', () => {
  const list = bars(300);
  const [before, was] = [list[279]?.close ?? 0, list[280]?.close ?? 0];
  const decided = (decision: 'real' | 'refuse', close: number): InspectionContext => {
    const actions = { decision, decidedPrice: { close, move: close / before } };
    return { ...quiet, barActions: (date) => (date === list[280]?.date ? actions : null) };
  };

  it('to refuse a price does not apply to its correction', () => {
    expect(released(list, decided('refuse', was))[280]).toBe(REFUSED);
    expect(released(list, decided('refuse', was * 1.0004))[280]).toBe(REFUSED);
    expect(released(list, decided('refuse', was * 1.002))[280]).toBe(280);
    expect(released(list, decided('refuse', was * 0.9))[280]).toBe(280);
  });

  it('to refuse a price stays in force when all prices are adjusted later', () => {
    const adjusted = list.map((bar) => times(bar, 0.37));
    expect(released(adjusted, decided('refuse', was))[280]).toBe(REFUSED);
  });

  it('that a price is real stays in force after a correction that leaves most of its move', () => {
    const fall = from(list, 280, (bar) => times(bar, 0.5));
    expect(released(fall, decided('real', was * 0.5 * 1.02))[280]).toBe(280);
    expect(released(fall, decided('real', was * 0.9))[280]).toBe(285);
  });
});

describe('a cash dividend', () => {
  const list = bars(300);
  it.each([0.005, 0.02, 0.35])('of %d of the price adjusts earlier prices, and is not a fall', (share) => {
    const paid = from(list, 280, (bar) => times(bar, 1 - share));
    const barActions = (date: string): BarActions | null =>
      date === list[280]?.date ? { dividend: (list[279]?.close ?? 0) * share } : null;
    const found = inspect(paid, { ...quiet, barActions });
    expect(found.quarantines).toEqual([]);
    expect(found.adjustments).toEqual([
      { index: 280, factor: expect.closeTo(1 - share, 12), knownBy: 280, origin: 'dividend' },
    ]);
  });

  it('on the day of a crash keeps the crash; an amount above the price is ignored', () => {
    const barActions = (date: string): BarActions | null => (date === list[280]?.date ? { dividend: 1 } : null);
    const crash = from(list, 280, (bar) => times(bar, 0.45, 1));
    expect(inspect(crash, { ...quiet, barActions }).quarantines).toMatchObject([{ from: 280 }]);
    const absurd = (date: string): BarActions | null => (date === list[280]?.date ? { dividend: 1e6 } : null);
    expect(inspect(list, { ...quiet, barActions: absurd }).adjustments).toEqual([]);
  });
});

describe('a crash is a price', () => {
  const crash = (depth: number, volume: number) =>
    from(bars(300), 280, (bar) => times(bar, 1 - depth, 1)).map((bar, index) =>
      index === 280
        ? {
            ...bar,
            high: bar.high * (1 + depth / 3),
            low: bar.low * (1 - depth / 5),
            volume: (bar.volume ?? 0) * volume,
          }
        : bar,
    );

  it.each([
    [0.35, 8],
    [0.5, 12],
    [0.61, 15],
    [0.2, 4],
  ])('of %d with its volume: it counts at once', (depth, volume) => {
    const { releasedBy, adjustments } = inspect(crash(depth, volume), quiet);
    expect([releasedBy[280], adjustments]).toEqual([280, []]);
  });

  it('that begins at the old level in the ratio of a split: with 2.5 times the volume, or with its market', () => {
    const fall = (volume: number | null) =>
      at(
        from(bars(300), 280, (bar) => times(bar, 0.5)),
        280,
        (bar) => ({ ...bar, open: bar.open * 2, high: bar.high * 2, volume: volume === null ? null : 1e6 * volume }),
      );
    expect(inspect(fall(6), quiet).releasedBy[280]).toBe(280);
    expect(inspect(fall(null), { ...quiet, marketMove: () => 30 }).releasedBy[280]).toBe(280);
    expect(inspect(fall(null), quiet).releasedBy[280]).toBe(285);
  });

  it('without a volume, by the market that falls with it', () => {
    const index = from(bars(300), 280, (bar) => ({ ...times(bar, 0.88), volume: null })).map((bar) => ({
      ...bar,
      volume: null,
    }));
    expect(released(index, { ...quiet, splits: false })[280]).toBe(281);
    expect(released(index, { ...quiet, splits: false, marketMove: () => 9 })[280]).toBe(280);
  });

  it('in another ratio with three times the volume, or without a volume after three wild days', () => {
    expect(inspect(crash(0.42, 3.6), quiet).releasedBy[280]).toBe(280);
    const silent = from(bars(300), 280, (bar) => ({ ...times(bar, 0.5), volume: null })).map((bar, index) =>
      index > 280 ? { ...bar, close: bar.close * (index % 2 === 0 ? 1.08 : 0.92) } : bar,
    );
    expect(inspect(silent, quiet)).toMatchObject({ adjustments: [], quarantines: [{ until: 283, outcome: 'real' }] });
  });

  it('when the operator says so', () => {
    const faulty = from(bars(300), 280, (bar) => times(bar, 0.5));
    const barActions = (date: string): BarActions | null => (date === faulty[280]?.date ? { decision: 'real' } : null);
    expect(inspect(faulty, { ...quiet, barActions })).toMatchObject({ quarantines: [], adjustments: [] });
  });

  it('every bar of twenty years of the S&P 500 counts at its own close', () => {
    const { releasedBy, adjustments } = inspect(sp500(), { ...quiet, splits: false });
    expect([...releasedBy].every((by, index) => by === index)).toBe(true);
    expect(adjustments).toEqual([]);
  });
});

describe('a bad print', () => {
  it.each([0.5, 0.8, 1.3, 100, 0.01])('times %d, gone with the next bar: refused', (factor) => {
    const faulty = at(bars(300), 280, (bar) => {
      const close = bar.close * factor;
      return { ...bar, close, high: Math.max(bar.high, close), low: Math.min(bar.low, close) };
    });
    expect(released(faulty.slice(0, 281))[280]).toBe(PENDING);
    const { releasedBy, quarantines } = inspect(faulty, quiet);
    expect([...releasedBy.slice(279, 283)]).toEqual([279, REFUSED, 281, 282]);
    expect(quarantines).toMatchObject([{ from: 280, until: 281, outcome: 'refused' }]);
  });

  it('is refused when the operator says so', () => {
    const barActions = (date: string): BarActions | null =>
      date === bars(300)[280]?.date ? { decision: 'refuse' } : null;
    expect(released(bars(300), { ...quiet, barActions }).slice(279, 282)).toEqual([279, REFUSED, 281]);
  });
});

it('a gap is three missing sessions or more; what follows counts', () => {
  const sessionsBetween = (before: string, after: string): number => (Date.parse(after) - Date.parse(before)) / DAY - 1;
  const missing = (count: number) => bars(300).filter((_, index) => index < 280 || index >= 280 + count);
  expect(inspect(missing(2), { ...quiet, sessionsBetween }).gaps).toEqual([]);
  expect(inspect(missing(5), { ...quiet, sessionsBetween }).gaps).toEqual([{ index: 280, sessions: 5 }]);
  expect(released(missing(5), { ...quiet, sessionsBetween })[280]).toBe(280);
});
