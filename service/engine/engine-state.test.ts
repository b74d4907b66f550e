// Service, engine, test: an engine continues from a saved state as if it had never stopped.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { serialize } from 'node:v8';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRandom } from '../../shared/lib/random.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { casesOf } from '../../test/harness/run-length.ts';
import { createEngine } from './engine.ts';
import type { Bar, Engine, EngineInstrument } from './types.ts';

const PANEL = ['SPY', 'QQQ', 'XLB', 'XLF', 'XLI', 'XLK', 'XLP', 'XLU', 'AGG', 'GLD'] as const;
const INSTRUMENTS: readonly EngineInstrument[] = [
  ...PANEL.map((symbol): EngineInstrument => ({ symbol, assetClass: 'etf' })),
  { symbol: 'VIX', assetClass: 'index', inputOnly: true },
  { symbol: 'EUR', assetClass: 'fx' },
  ...['ABC', 'DEF', '700'].map((symbol): EngineInstrument => ({ symbol, assetClass: 'equity' })),
];

/** One call of `closeDay`, and a symbol to peek at before it. */
interface Step {
  readonly date: string;
  readonly bars: ReadonlyMap<string, Bar>;
  readonly peeked: string;
}

/**
 * A market whose symbols begin and end, miss sessions and have no volume; days that come in two parts; and a
 * month in which only a currency trades.
 */
function stepsOf(seed: number, days: number): Step[] {
  const random = createRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const traits = INSTRUMENTS.map(({ symbol }) => ({
    symbol,
    close: 20 + 80 * random(),
    from: random() < 0.1 ? Math.floor(random() * days) : 0,
    to: random() < 0.1 ? Math.floor(random() * days) : days,
    skips: random() < 0.3 ? 0.1 : 0,
    isTraded: random() < 0.7,
    missing: 0,
  }));
  const silence = Math.floor(random() * 2 * days);
  return Array.from({ length: days }, (_, day) => {
    const date = new Date(Date.UTC(2009, 0, 1) + day * DAY_MS).toISOString().slice(0, 10);
    const common = (day % 200 < 150 ? 0.006 : 0.02) * normal();
    const bars: [string, Bar][] = [];
    for (const trait of traits) {
      const { symbol, close: before, from, to, skips, isTraded, missing } = trait;
      if (day < from || day >= to || (day >= silence && day < silence + 30 && symbol !== 'EUR')) continue;
      if (random() < skips) {
        trait.missing += 1;
        continue;
      }
      const close = before * Math.exp(common + 0.008 * normal());
      const open = before * Math.exp(0.003 * normal());
      const [high, low] = [Math.max(open, close) * (1 + 0.01 * random()), Math.min(open, close)];
      const volume = isTraded ? 1e6 * random() : null;
      bars.push([symbol, { date, open, high, low, close, volume, ...(missing > 0 && { missing }) }]);
      trait.close = close;
      trait.missing = 0;
    }
    const cut = random() < 0.5 ? bars.length : Math.floor(bars.length / 2);
    const peeked = INSTRUMENTS[Math.floor(random() * INSTRUMENTS.length)]?.symbol ?? '';
    return [bars.slice(0, cut), bars.slice(cut)]
      .filter((part) => part.length > 0)
      .map((part): Step => ({ date, bars: new Map(part), peeked }));
  }).flat();
}

/** All answers of an engine to a step. */
function answersOf(engine: Engine, { date, bars, peeked }: Step): unknown {
  const last = engine.last(peeked);
  const forming = bars.get(peeked);
  const close = (last?.close ?? 50) * 0.95;
  return [
    engine.peek(peeked, forming ?? { date, open: close, high: close, low: close, close, volume: null }, 1),
    engine.peekState(peeked, close, last?.state ?? 0),
    engine.closeDay(date, bars),
    INSTRUMENTS.map(({ symbol }) => engine.lastDate(symbol)),
    engine.last(peeked),
  ];
}

it('an engine continued from a saved state answers as the one that was saved, to the last bit', {
  tags: ['long'],
}, () => {
  const Case = fc.record({
    seed: fc.integer(),
    days: fc.integer({ min: 2, max: 900 }),
    cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 }),
    factorsFrom: fc.constantFrom('', '2010-01-01'),
  });
  fc.assert(
    fc.property(Case, ({ seed, days, cuts, factorsFrom }) => {
      const steps = stepsOf(seed, days);
      const options = { instruments: INSTRUMENTS, factorsFrom };
      const whole = createEngine(options);
      // Twice in a row, so that most cases also stop between the parts of a day.
      const stops = new Set(cuts.map((cut) => Math.floor(cut * steps.length)).flatMap((stop) => [stop, stop + 1]));
      let continued = createEngine(options);
      for (const [index, step] of steps.entries()) {
        if (stops.has(index)) continued = createEngine({ ...options, saved: structuredClone(continued.save()) });
        const [expected, answers] = [answersOf(whole, step), answersOf(continued, step)];
        if (!isDeepStrictEqual(answers, expected)) expect(answers).toEqual(expected);
      }
      expect(isDeepStrictEqual(continued.save(), whole.save())).toBe(true);
    }),
    { numRuns: casesOf(12, 3), examples: [[{ seed: 1, days: 900, cuts: [0.7, 0.8, 0.97], factorsFrom: '' }]] },
  );
});

it('a saved state does not change with an engine that continues from it, is refused by another engine, and takes 90 KB a symbol at most', () => {
  const engine = createEngine({ instruments: INSTRUMENTS });
  const steps = stepsOf(3, 700);
  for (const { date, bars } of steps.slice(0, -20)) engine.closeDay(date, bars);
  const saved = structuredClone(engine.save());
  const copy = structuredClone(saved);
  const continued = createEngine({ instruments: INSTRUMENTS, saved });
  for (const { date, bars } of steps.slice(-20)) continued.closeDay(date, bars);
  expect(isDeepStrictEqual(saved, copy)).toBe(true);
  expect(serialize(saved.symbols).length / saved.symbols.length).toBeLessThan(90_000);
  expect(() => createEngine({ instruments: INSTRUMENTS.slice(1), saved })).toThrow(RangeError);
  expect(() => createEngine({ instruments: INSTRUMENTS, factorsFrom: '2010', saved })).toThrow(RangeError);
});

it('a state of another form or with other bits has another version', () => {
  const engine = createEngine({ instruments: INSTRUMENTS });
  for (const { date, bars } of stepsOf(5, 800)) engine.closeDay(date, bars);
  const { key, ...state } = engine.save();
  const text = JSON.stringify(state, (_, value) => (value instanceof Float64Array ? [...value] : value));
  // When this fails, raise STATE_VERSION of engine.ts, so that no engine continues from a state of before.
  expect([JSON.parse(key)[0], createHash('sha256').update(text).digest('hex').slice(0, 12)]).toEqual([
    2,
    '438d1c931d50',
  ]);
});
