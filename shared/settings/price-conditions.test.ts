// Test: conditions on prices: crossings, repeated crossings, and usable prices.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isMetBy,
  next,
  type PriceCondition,
  PriceConditionSchema,
  type PriceState,
  PriceStateSchema,
  quoteOf,
  rearmAt,
} from './price-conditions.ts';

const MINUTE = 60_000;
const level = (direction: 'above' | 'below' | 'either', at = 100): PriceCondition => ({
  kind: 'level',
  direction,
  level: at,
});
const change = (direction: 'up' | 'down', percent: number, minutes: number | null = null): PriceCondition => ({
  kind: 'change',
  direction,
  percent,
  minutes,
});

interface Given {
  readonly price: number;
  readonly changePercent?: number | null;
  readonly at?: number;
}

/** Notifications of a series of prices: index and direction. The state passes through JSON each time. */
function notified(condition: PriceCondition, prices: readonly (number | Given)[]): string[] {
  let state: PriceState | null = null;
  return prices.flatMap((given, index) => {
    const { price, changePercent = null, at = index * MINUTE } = typeof given === 'number' ? { price: given } : given;
    const step = next(state, condition, { price, changePercent, at }, index);
    state = step.state === null ? null : PriceStateSchema.parse(JSON.parse(JSON.stringify(step.state)));
    return step.crossed === null ? [] : [`${index} ${step.crossed}`];
  });
}

describe('a level', () => {
  test('at or above: the level itself is enough, and the first price never notifies', () => {
    expect(notified(level('above'), [99, 100])).toEqual(['1 up']);
    expect(notified(level('above'), [101, 102, 103])).toEqual([]);
    expect(notified(level('above'), [99, 99.99])).toEqual([]);
  });

  test('at or below', () => {
    expect(notified(level('below'), [101, 100])).toEqual(['1 down']);
    expect(notified(level('below'), [99, 98])).toEqual([]);
  });

  test('a price that dances around the level notifies once', () => {
    expect(notified(level('above'), [99, 100, 99.9, 100.1, 99.6, 100.2, 99.51, 101])).toEqual(['1 up']);
  });

  test('is notified again after the price was 0.5 % on the other side', () => {
    expect(notified(level('above'), [99, 100, 99.5, 100])).toEqual(['1 up', '3 up']);
    expect(notified(level('below'), [101, 100, 100.5, 100])).toEqual(['1 down', '3 down']);
    // One that was met at first, likewise.
    expect(notified(level('above'), [101, 99.5, 100])).toEqual(['2 up']);
  });

  test('crosses: both ways, at the level once it was away from it, else 0.5 % beyond', () => {
    expect(notified(level('either'), [99, 100, 101, 100, 99])).toEqual(['1 up', '4 down']);
    expect(notified(level('either'), [100, 100, 100.2, 99.9])).toEqual(['3 down']);
    expect(notified(level('either'), [99, 100.1, 99.9, 100.1, 99.8])).toEqual(['1 up']);
    // It fell through the level without having been far above it: still notified, 0.5 % below.
    expect(notified(level('either'), [99, 100.1, 95])).toEqual(['1 up', '2 down']);
  });

  test('another condition begins anew', () => {
    const first = next(null, level('above'), { price: 99, changePercent: null, at: 0 }, 0).state;
    const step = next(first, level('above', 98), { price: 99, changePercent: null, at: 1 }, 1);
    expect(step).toMatchObject({ crossed: null, state: { isBeyond: true, since: 1 } });
  });
});

describe('a change against the previous close', () => {
  const at = (changePercent: number | null, close = 100): Given => ({
    price: close * (1 + (changePercent ?? 0) / 100),
    changePercent,
  });

  test('is notified once a day, and again after a fifth less', () => {
    expect(notified(change('down', 3), [at(-1), at(-3), at(-2.9), at(-3.5)])).toEqual(['1 down']);
    expect(notified(change('down', 3), [at(-1), at(-3), at(-2.4), at(-3)])).toEqual(['1 down', '3 down']);
    expect(notified(change('up', 3), [at(-1), at(-3), at(3.2)])).toEqual(['2 up']);
  });

  test('is notified again against another previous close, also where the next day opens below it at once', () => {
    expect(notified(change('down', 3), [at(-1), at(-4), at(-3.5, 96)])).toEqual(['1 down', '2 down']);
  });

  test('a close that differs by rounding is the same one', () => {
    expect(notified(change('down', 3), [at(-1), at(-4), { price: 96.005, changePercent: -4 }])).toEqual(['1 down']);
  });

  test('that is not known decides nothing', () => {
    expect(notified(change('down', 3), [at(null), at(-4)])).toEqual([]);
    expect(notified(change('down', 3), [at(-1), at(null), at(-4)])).toEqual(['2 down']);
  });
});

describe('a change within minutes', () => {
  const every = (minutes: number, prices: readonly number[]): Given[] =>
    prices.map((price, index) => ({ price, at: index * minutes * MINUTE }));

  test('is measured from the highest and the lowest price of the window', () => {
    expect(notified(change('down', 3, 15), every(5, [100, 101, 99, 97.9]))).toEqual(['3 down']);
    expect(notified(change('up', 3, 15), every(5, [100, 99, 101, 102]))).toEqual(['3 up']);
  });

  test('a slow move is none', () => {
    expect(notified(change('down', 3, 15), every(10, [100, 99, 98, 97, 96, 95]))).toEqual([]);
  });

  test('a time without prices is not bridged', () => {
    expect(
      notified(change('down', 3, 15), [
        { price: 100, at: 0 },
        { price: 90, at: 60 * MINUTE },
      ]),
    ).toEqual([]);
  });

  test('keeps at most 61 parts, however often it is asked', () => {
    let state: PriceState | null = null;
    for (let second = 0; second < 2 * 86_400; second += 30)
      state = next(
        state,
        change('down', 3, 1440),
        { price: 100, changePercent: null, at: second * 1000 },
        second,
      ).state;
    expect(state?.samples.length).toBeLessThanOrEqual(61);
    expect(state?.samples.length).toBeGreaterThan(55);
  });
});

test('whether a price meets it already, and from where on it waits again', () => {
  const quote = { price: 101, changePercent: -4, at: 0 };
  expect([isMetBy(level('above'), quote), isMetBy(level('below'), quote), isMetBy(level('either'), quote)]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isMetBy(change('down', 3), quote), isMetBy(change('down', 3), { ...quote, changePercent: null })]).toEqual([
    true,
    null,
  ]);
  expect([
    rearmAt(level('above')),
    rearmAt(level('below')),
    rearmAt(change('down', 3)),
    rearmAt(change('up', 5)),
  ]).toEqual([99.5, 100.49999999999999, -2.4000000000000004, 4]);
});

test('between two notifications of the same way the price was away from the level (property)', () => {
  const prices = fc.array(
    fc.integer({ min: 9_800, max: 10_200 }).map((cents) => cents / 100),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(prices, fc.constantFrom('above', 'below'), (series, direction) => {
      const found = notified(level(direction), series).map((one) => Number(one.split(' ')[0]));
      found.forEach((index, position) => {
        const price = series[index] ?? 0;
        expect(direction === 'above' ? price >= 100 : price <= 100).toBe(true);
        const since = series.slice(found[position - 1] ?? 0, index);
        const isAway = since.some((one) =>
          direction === 'above' ? one <= (position === 0 ? 99.99 : 99.5) : one >= (position === 0 ? 100.01 : 100.5),
        );
        expect(isAway).toBe(true);
      });
    }),
  );
});

test('no crossing of a level is missed: after the last one the price never was away and back (property)', () => {
  const prices = fc.array(
    fc.integer({ min: 9_800, max: 10_200 }).map((cents) => cents / 100),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(prices, (series) => {
      const found = notified(level('above'), series).map((one) => Number(one.split(' ')[0]));
      let isWaiting = (series[0] ?? 0) < 100;
      series.forEach((price, index) => {
        if (index > 0 && isWaiting && price >= 100) {
          expect(found).toContain(index);
          isWaiting = false;
        } else if (price <= 99.5) isWaiting = true;
      });
    }),
  );
});

describe('the price of a row', () => {
  const signal = { price: 100, change_pct: -1, updated_at: '2026-03-02T14:30:00.000Z' };
  const row = { stale: false, received_at: '2026-03-02T14:30:01.000Z' };
  const at = Date.parse(signal.updated_at);

  test('of a signal, and of a symbol that has a regime only', () => {
    expect(quoteOf({ ...row, signal })).toEqual({ price: 100, changePercent: -1, at });
    const quote = { price: 2, change_pct: null, at: signal.updated_at, old: false };
    expect(quoteOf({ ...row, signal: null, quote })).toEqual({ price: 2, changePercent: null, at });
  });

  test('is stale where the row or the service says so', () => {
    expect(quoteOf({ ...row, stale: true, signal })).toBe('stale');
    for (const health of ['stale', 'halted', 'gap', 'quarantined', 'unlisted'])
      expect(quoteOf({ ...row, signal: { ...signal, data_health: health } })).toBe('stale');
    for (const health of ['current', 'delayed'])
      expect(quoteOf({ ...row, signal: { ...signal, data_health: health } })).toMatchObject({ price: 100 });
    expect(quoteOf({ ...row, signal: null, quote: { price: 2, change_pct: null, at: null, old: true } })).toBe('stale');
  });

  test('is none where there is none', () => {
    expect(quoteOf({ ...row, signal: null })).toBe('none');
    expect(quoteOf({ ...row, signal: { ...signal, price: null } })).toBe('none');
  });
});

test('a condition outside its bounds is refused', () => {
  for (const wrong of [
    { kind: 'level', direction: 'above', level: 0 },
    { kind: 'level', direction: 'up', level: 1 },
    { kind: 'change', direction: 'up', percent: 0, minutes: null },
    { kind: 'change', direction: 'up', percent: 3, minutes: 4 },
    { kind: 'change', direction: 'up', percent: 3, minutes: 1441 },
  ])
    expect(PriceConditionSchema.safeParse(wrong).success).toBe(false);
});
