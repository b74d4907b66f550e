// Service, market, tape, test: data faults are separated from prices; crashes are prices.
import { describe, expect, it } from 'vitest';
import { sp500 } from '../../../test/fixtures/sp500.ts';
import type { Bar } from '../../engine/types.ts';
import { type BarActions, barActionsOn } from './bar-actions.ts';
import { type InspectionContext, inspect, NEVER } from './inspect.ts';

const quiet: InspectionContext = {
  splits: true,
  inputOnly: false,
  reportsSplits: false,
  sessionsBetween: () => 0,
  marketMove: () => 0,
  barActions: () => null,
};
const DAY = 86_400_000;

/** Bars of up to one percent a day and one percent of range, closed form: the same in every run. */
function bars(count: number, size = 0.01): Bar[] {
  let close = 100;
  return Array.from({ length: count }, (_, index) => {
    const open = close;
    close *= Math.exp(size * Math.sin(index * index));
    const [high, low] = [Math.max(open, close) * (1 + size / 2), Math.min(open, close) * (1 - size / 2)];
    const date = new Date(Date.UTC(2020, 0, 1) + index * DAY).toISOString().slice(0, 10);
    return { date, open, high, low, close, volume: 1_000_000 * (1 + 0.1 * Math.cos(index)) };
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
/** The index of the bar by which each one is known to be no price; null: it is one. */
const dropped = (list: readonly Bar[], context = quiet): (number | null)[] =>
  [...inspect(list, context).droppedBy].map((by) => (by === NEVER ? null : by));
const withoutVolume = (list: readonly Bar[]): Bar[] => list.map((bar) => ({ ...bar, volume: null }));

describe('a split that is not adjusted', () => {
  it.each([
    [4, 4],
    [4, 1],
    [1.5, 1.5],
    [1 / 10, 1 / 10],
    [1 / 10, 1],
    [20, 20],
  ])('%d for one, volume times %d: is certain, and earlier bars are adjusted with its first close', (ratio, volume) => {
    const { droppedBy, adjustments, questions } = inspect(
      from(bars(300), 280, (bar) => times(bar, 1 / ratio, volume)),
      quiet,
    );
    expect(new Set(droppedBy)).toEqual(new Set([NEVER]));
    expect(adjustments).toEqual([
      { index: 280, factor: expect.closeTo(1 / ratio, 9), knownBy: 280, origin: 'inferred' },
    ]);
    expect(questions).toMatchObject([{ from: 280, kind: 'split', countsAs: 'split', answer: null }]);
  });

  it.each([
    ['without a volume', (list: Bar[]) => withoutVolume(list)],
    ['with twice the usual volume', (list: Bar[]) => at(list, 280, (bar) => ({ ...bar, volume: 4e6 }))],
    ['of 6:5', (list: Bar[]) => from(list, 280, (bar) => times(bar, 5 / 3, 3 / 5))],
  ])('%s is undecided: it counts, and asks', (_, change) => {
    const faulty = change(from(bars(300), 280, (bar) => times(bar, 0.5, 2)));
    const { droppedBy, adjustments, questions } = inspect(faulty, quiet);
    expect([droppedBy[280], adjustments]).toEqual([NEVER, []]);
    expect(questions).toMatchObject([{ from: 280, kind: 'split', countsAs: 'price', answer: null }]);
  });

  it('is adjusted at once by an action, which does not change adjusted prices', () => {
    const date = bars(300)[280]?.date;
    const barActions = (asked: string): BarActions | null => (asked === date ? { factor: 0.25 } : null);
    const { adjustments, questions } = inspect(
      from(bars(300), 280, (bar) => times(bar, 0.25)),
      { ...quiet, barActions },
    );
    expect(adjustments).toEqual([{ index: 280, factor: 0.25, knownBy: 280, origin: 'action' }]);
    expect(questions).toMatchObject([{ from: 280, answer: 'split', settledBy: 280 }]);
    expect(inspect(bars(300), { ...quiet, barActions }).adjustments).toEqual([]);
  });

  it('of a vendor that reports splits and reported none is undecided', () => {
    const faulty = from(bars(300), 280, (bar) => times(bar, 0.5, 2));
    const { questions, adjustments } = inspect(faulty, { ...quiet, reportsSplits: true });
    expect([questions, adjustments]).toMatchObject([[{ kind: 'level', countsAs: 'price' }], []]);
  });

  it('in no known ratio is undecided, as by a spin-off', () => {
    const faulty = from(bars(320), 280, (bar) => times(bar, 0.43));
    const { questions, adjustments } = inspect(faulty, quiet);
    expect([questions, adjustments]).toMatchObject([[{ from: 280, kind: 'level', countsAs: 'price' }], []]);
  });

  it('of an index, a currency or a coin is a price below five times, and undecided if nothing was traded more', () => {
    const index = { ...quiet, splits: false };
    const halved = from(bars(320), 280, (bar) => times(bar, 0.5));
    expect(inspect(halved, index).questions).toMatchObject([{ kind: 'level', countsAs: 'price' }]);
    expect(inspect(halved, { ...index, marketMove: () => 30 }).questions).toEqual([]);
    // A volatility index jumps on its own.
    expect(inspect(halved, { ...index, inputOnly: true }).questions).toEqual([]);
    const unit = from(withoutVolume(bars(320)), 280, (bar) => times(bar, 100));
    expect(inspect(unit, index).questions).toMatchObject([{ kind: 'split', countsAs: 'split' }]);
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
      return traded === null ? withoutVolume(list) : list;
    };
    it.each([0.25, 0.5, 2 / 3])('as its high, or as its opening: is undecided (%d)', (factor) => {
      for (const faulty of [
        firstRow(factor, (old) => ({ high: old })),
        firstRow(factor, (old) => ({ open: old, high: old })),
      ])
        expect(inspect(faulty, quiet).questions).toMatchObject([{ from: 280, kind: 'split', countsAs: 'price' }]);
    });
    it('as its low, in a reverse split', () => {
      const faulty = firstRow(4, (old) => ({ low: old }));
      expect(inspect(faulty, quiet).questions).toMatchObject([{ from: 280, kind: 'split', countsAs: 'price' }]);
    });
  });

  it('that is undone after some bars leaves the prices of before and after at one level', () => {
    const faulty = bars(300).map((bar, index) => (index >= 280 && index < 283 ? times(bar, 0.5, 2) : bar));
    const { adjustments, questions } = inspect(faulty, quiet);
    expect(questions).toMatchObject([{ from: 280, countsAs: 'split', answer: 'no_price', settledBy: 283 }]);
    expect(dropped(faulty).slice(279, 285)).toEqual([null, 283, 283, 283, null, null]);
    expect(adjustments.map(({ factor, knownBy }) => [factor, knownBy])).toEqual([
      [expect.closeTo(0.5, 9), 280],
      [expect.closeTo(2, 9), 283],
    ]);
  });
});

describe('an action', () => {
  const dates = bars(300).map(({ date }) => date);
  const date = (index: number): string => dates[index] ?? '';
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

  it('of a split on the day after a price in question applies, whether that price lasts or returns', () => {
    const split = withoutVolume(from(bars(300), 281, (bar) => times(bar, 0.25)));
    for (const [change, answer, by] of [
      [(list: Bar[]) => from(list, 280, (bar) => times(bar, 0.75)), null, null],
      [(list: Bar[]) => at(list, 280, (bar) => times(bar, 0.75)), 'no_price', 281],
    ] as const) {
      const found = inspect(change(split), withActions({ 281: { factor: 0.25 } }));
      expect(found.questions[0]).toMatchObject({ from: 280, kind: 'split', answer, settledBy: by });
      expect(levels(found)).toEqual([[281, 0.25, 'action']]);
      expect(dropped(change(split), withActions({ 281: { factor: 0.25 } })).slice(280, 283)).toEqual([by, null, null]);
    }
  });

  it('of a split with a later date than its prices explains them at that date', () => {
    const split = from(bars(300), 280, (bar) => times(bar, 0.25, 4));
    for (const [list, countsAs, knownBy] of [
      [split, 'split', 280],
      [withoutVolume(split), 'price', 282],
    ] as const) {
      const found = inspect(list, withActions({ 282: { factor: 0.25 } }));
      expect(found.questions).toMatchObject([{ from: 280, countsAs, answer: 'split', settledBy: 282 }]);
      expect(found.adjustments).toMatchObject([{ index: 280, factor: expect.closeTo(0.25, 9), knownBy }]);
    }
  });

  it('of a date without a bar, or with a refused bar, applies to the next bar', () => {
    const split = from(bars(300), 280, (bar) => times(bar, 0.25, 4)).toSpliced(280, 1);
    expect(levels(inspect(split, withActions({ 280: { factor: 0.25 } })))).toEqual([[280, 0.25, 'action']]);
    const share = 0.07;
    const paid = from(bars(300), 280, (bar) => times(bar, 1 - share)).toSpliced(280, 1);
    const dividend = (bars(300)[279]?.close ?? 0) * share;
    const found = inspect(paid, withActions({ 280: { dividend } }));
    expect([found.questions, levels(found)]).toEqual([[], [[280, 0.93, 'dividend']]]);
    const refused = inspect(
      from(bars(300), 280, (bar) => times(bar, 0.25, 4)),
      { ...quiet, barActions: actionsOf({ 280: { factor: 0.25, decision: 'refuse' } }) },
    );
    expect(refused.questions[0]).toMatchObject({ from: 280, answer: 'no_price', settledBy: 280 });
    expect(levels(refused)).toEqual([[281, 0.25, 'action']]);
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

  it('of another ratio than the prices leaves the rest to be judged', () => {
    const faulty = from(bars(300), 280, (bar) => times(bar, 0.25, 4));
    const context = withActions({ 280: { factor: 0.5 } });
    expect(levels(inspect(faulty, context))).toEqual([[280, 0.25, 'inferred']]);
    expect(inspect(withoutVolume(faulty), context)).toMatchObject({
      adjustments: [{ index: 280, factor: 0.5, origin: 'action' }],
      questions: [{ from: 280, countsAs: 'price', factor: expect.closeTo(0.5, 9) }],
    });
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
    for (const [close, by] of [
      [was, 280],
      [was * 1.0004, 280],
      [was * 1.002, null],
      [was * 0.9, null],
    ] as const)
      expect(dropped(list, decided('refuse', close))[280]).toBe(by);
  });

  it('to refuse a price stays in force when all prices are adjusted later', () => {
    const adjusted = list.map((bar) => times(bar, 0.37));
    expect(dropped(adjusted, decided('refuse', was))[280]).toBe(280);
  });

  it('that a price is real stays in force after a correction that leaves most of its move', () => {
    const fall = from(list, 280, (bar) => times(bar, 0.5));
    expect(inspect(fall, decided('real', was * 0.5 * 1.02)).questions).toEqual([]);
    expect(inspect(fall, decided('real', was * 0.9)).questions).toHaveLength(1);
  });
});

describe('a cash dividend', () => {
  const list = bars(300);
  it.each([0.005, 0.02, 0.35])('of %d of the price adjusts earlier prices, and is not a fall', (share) => {
    const paid = from(list, 280, (bar) => times(bar, 1 - share));
    const barActions = (date: string): BarActions | null =>
      date === list[280]?.date ? { dividend: (list[279]?.close ?? 0) * share } : null;
    const found = inspect(paid, { ...quiet, barActions });
    expect(found.questions).toEqual([]);
    expect(found.adjustments).toEqual([
      { index: 280, factor: expect.closeTo(1 - share, 12), knownBy: 280, origin: 'dividend' },
    ]);
  });

  it('on the day of a crash keeps the crash; an amount above the price is ignored', () => {
    const barActions = (date: string): BarActions | null => (date === list[280]?.date ? { dividend: 1 } : null);
    const crash = from(list, 280, (bar) => times(bar, 0.45, 1));
    expect(inspect(crash, { ...quiet, barActions }).questions).toMatchObject([{ from: 280 }]);
    const absurd = (date: string): BarActions | null => (date === list[280]?.date ? { dividend: 1e6 } : null);
    expect(inspect(list, { ...quiet, barActions: absurd }).adjustments).toEqual([]);
  });
});

describe('a crash is a price', () => {
  const crash = (depth: number, volume: number) =>
    at(
      from(bars(300), 280, (bar) => times(bar, 1 - depth, 1)),
      280,
      (bar) => ({
        ...bar,
        high: bar.high * (1 + depth / 3),
        low: bar.low * (1 - depth / 5),
        volume: (bar.volume ?? 0) * volume,
      }),
    );
  const counts = (list: readonly Bar[], context = quiet): void => {
    const { droppedBy, adjustments, questions } = inspect(list, context);
    expect([droppedBy[280], adjustments, questions]).toEqual([NEVER, [], []]);
  };

  it.each([
    [0.35, 8],
    [0.5, 12],
    [0.61, 15],
    [0.2, 4],
    [0.42, 3.6],
  ])('of %d with its volume: it counts at once, without a question', (depth, volume) => {
    counts(crash(depth, volume));
  });

  const bar = (size: number, day: Omit<Bar, 'date'>): Bar[] => {
    const list = bars(300, size);
    const level = list[279]?.close ?? 0;
    return at(list.slice(0, 282), 280, ({ date }) => times({ date, ...day }, level, 1e6));
  };

  it.each([
    ['of 31 July 2002', 0.093, { open: 0.7287, high: 0.7435, low: 0.6745, close: 0.6825, volume: 3.89 }],
    ['of 3 July 2008', 0.053, { open: 0.7199, high: 0.7282, low: 0.6877, close: 0.6927, volume: 3.81 }],
  ])('of a share, near the ratio 3:2, with the shape %s', (_, size, day) => counts(bar(size, day).slice(0, 281)));

  it('of a coin, to a low beyond its close, without more volume', () => {
    const day = { open: 0.9993, high: 1.0014, low: 0.5707, close: 0.5765, volume: 1.2 };
    counts(bar(0.07, day).slice(0, 281), { ...quiet, splits: false });
  });

  it('that closes at its low with the usual volume is undecided, and stays a price when it recovers within a day', () => {
    const day = { open: 0.9787, high: 1.0074, low: 0.8136, close: 0.8136, volume: 0.8 };
    const list = bar(0.05, day);
    const level = list[279]?.close ?? 0;
    const next = at(list, 281, ({ date }) =>
      times({ date, open: 0.917, high: 1.007, low: 0.917, close: 0.984, volume: 1 }, level, 1e6),
    );
    expect(inspect(next, quiet)).toMatchObject({ questions: [{ kind: 'stray', countsAs: 'price', answer: null }] });
    expect(dropped(next)[280]).toBeNull();
    counts(list.slice(0, 281), { ...quiet, marketMove: (_, sign) => (sign < 0 ? 5 : 0) });
    // A market that rises does not confirm it.
    expect(inspect(next, { ...quiet, marketMove: (_, sign) => (sign > 0 ? 5 : 0) }).questions).toHaveLength(1);
  });

  it('that begins at the old level in the ratio of a split: with its volume, or with its market', () => {
    const fall = (volume: number | null) =>
      at(
        from(bars(300), 280, (bar) => times(bar, 0.5)),
        280,
        (bar) => ({ ...bar, open: bar.open * 2, high: bar.high * 2, volume: volume === null ? null : 1e6 * volume }),
      );
    counts(fall(8));
    counts(fall(null), { ...quiet, marketMove: () => 30 });
    expect(inspect(fall(null), quiet).questions).toMatchObject([{ countsAs: 'price' }]);
  });

  it('without a volume after three wild days', () => {
    const silent = withoutVolume(from(bars(300), 280, (bar) => times(bar, 0.5))).map((bar, index) =>
      index > 280 ? { ...bar, close: bar.close * (index % 2 === 0 ? 1.08 : 0.92) } : bar,
    );
    expect(inspect(silent, quiet)).toMatchObject({
      adjustments: [],
      questions: [{ from: 280, countsAs: 'price', answer: 'price', settledBy: 283 }],
    });
  });

  it('when the operator says so', () => {
    const faulty = from(bars(300), 280, (bar) => times(bar, 0.5));
    const barActions = (date: string): BarActions | null => (date === faulty[280]?.date ? { decision: 'real' } : null);
    counts(faulty, { ...quiet, barActions });
  });

  it('every bar of twenty years of the S&P 500 counts, without a question', () => {
    const { droppedBy, adjustments, questions } = inspect(sp500(), { ...quiet, splits: false });
    expect([new Set(droppedBy), adjustments, questions]).toEqual([new Set([NEVER]), [], []]);
  });
});

describe('a bad print', () => {
  const printed = (factor: number): Bar[] =>
    at(bars(300), 280, (bar) => {
      const close = bar.close * factor;
      return { ...bar, close, high: Math.max(bar.high, close), low: Math.min(bar.low, close) };
    });

  it.each([0.5, 0.8, 1.3])(
    'times %d counts and asks, and is dropped when the next bar opens and closes as before',
    (factor) => {
      const faulty = printed(factor);
      expect(dropped(faulty.slice(0, 281))[280]).toBeNull();
      expect(inspect(faulty.slice(0, 281), quiet).questions).toMatchObject([{ kind: 'stray', countsAs: 'price' }]);
      expect(dropped(faulty).slice(279, 283)).toEqual([null, 281, null, null]);
      expect(inspect(faulty, quiet).questions).toMatchObject([{ from: 280, answer: 'no_price', settledBy: 281 }]);
    },
  );

  it.each([100, 0.01])('times %d is certain, and does not count at any time', (factor) => {
    expect(dropped(printed(factor).slice(0, 281))[280]).toBe(280);
    expect(inspect(printed(factor), quiet).questions).toMatchObject([{ countsAs: 'no_price', answer: 'no_price' }]);
  });

  it.each([0.15, 0.1, 0.01, 20])(
    'times %d that lasts is none: of closes alone the third counts, and asks',
    (factor) => {
      const closes = withoutVolume(bars(300)).map(({ date, close, volume }): Bar => {
        return { date, volume, open: close, high: close, low: close, close };
      });
      const lasting = from(closes, 280, (bar) => times(bar, factor));
      for (const end of [283, 300]) {
        const list = lasting.slice(0, end);
        expect(dropped(list).slice(279)).toEqual([null, 280, 281, ...Array(end - 282).fill(null)]);
        expect(inspect(list, quiet).questions.at(-1)).toMatchObject({
          from: 282,
          countsAs: 'price',
          answer: null,
        });
      }
      expect(inspect(lasting, quiet).adjustments).toEqual([]);
      const back = from(lasting, 284, (bar) => times(bar, 1 / factor));
      expect(dropped(back).slice(279, 286)).toEqual([null, 280, 281, 284, 284, null, null]);
      expect(dropped(at(closes, 0, (bar) => times(bar, factor))).slice(0, 4)).toEqual([null, 1, 2, null]);
    },
  );

  it('is refused when the operator says so', () => {
    const barActions = (date: string): BarActions | null =>
      date === bars(300)[280]?.date ? { decision: 'refuse' } : null;
    expect(dropped(bars(300), { ...quiet, barActions }).slice(279, 282)).toEqual([null, 280, null]);
  });
});

it('a gap is three missing sessions or more; what follows counts', () => {
  const sessionsBetween = (before: string, after: string): number => (Date.parse(after) - Date.parse(before)) / DAY - 1;
  const missing = (count: number) => bars(300).filter((_, index) => index < 280 || index >= 280 + count);
  expect(inspect(missing(2), { ...quiet, sessionsBetween }).gaps).toEqual([]);
  expect(inspect(missing(5), { ...quiet, sessionsBetween }).gaps).toEqual([{ index: 280, sessions: 5 }]);
  expect(dropped(missing(5), { ...quiet, sessionsBetween })[280]).toBeNull();
});
