// Service, engine, test: measures and dimensions of a symbol and of its market.
import { describe, expect, it } from 'vitest';
import { FACTOR_CODES } from '../../../shared/domain/factors.ts';
import { createRandom } from '../../../shared/lib/random.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { batchPanel, batchPowers, columnsOf } from '../../../test/fixtures/batch-engine.ts';
import { sp500 } from '../../../test/fixtures/sp500.ts';
import { createEngine } from '../engine.ts';
import type { Bar, EngineInstrument, Reading } from '../types.ts';
import { absorptionRatio, turbulenceModel, turbulenceOf } from './covariance.ts';
import { exposuresOf } from './exposures.ts';
import { MarketPanel } from './panel.ts';
import { PercentileWindow } from './percentile.ts';
import { efficiency, hillTail, jumpShare, orderOf, permutationEntropy, signedFit } from './series.ts';

const PANEL = ['SPY', 'QQQ', 'XLB', 'XLE', 'XLF', 'XLI', 'XLK', 'XLP', 'XLU', 'XLV', 'XLY', 'AGG', 'GLD', 'VIX'];

/** A market of related random walks, with one bar a day each. */
function market(days: number, symbols: readonly string[], seed = 4): Map<string, Bar[]> {
  const random = createRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const bars = new Map<string, Bar[]>(symbols.map((symbol) => [symbol, []]));
  const closes = new Map(symbols.map((symbol) => [symbol, 20 + 80 * random()]));
  for (let day = 0; day < days; day++) {
    const date = new Date(Date.UTC(2010, 0, 1) + day * DAY_MS).toISOString().slice(0, 10);
    const common = normal();
    for (const [symbol, rows] of bars) {
      const before = closes.get(symbol) ?? 1;
      const open = before * Math.exp(0.004 * normal());
      const close = before * Math.exp(0.006 * common + 0.008 * normal());
      const high = Math.max(open, close) * Math.exp(0.004 * Math.abs(normal()));
      const low = Math.min(open, close) * Math.exp(-0.004 * Math.abs(normal()));
      rows.push({ date, open, high, low, close, volume: 1e6 * Math.exp(0.3 * normal()) });
      closes.set(symbol, close);
    }
  }
  return bars;
}

const instrument = (symbol: string): EngineInstrument => ({
  symbol,
  assetClass: 'equity',
  inputOnly: symbol === 'VIX',
});

function readings(bars: ReadonlyMap<string, readonly Bar[]>): Map<string, Reading[]> {
  const engine = createEngine({ instruments: [...bars.keys()].map(instrument) });
  const all = new Map<string, Reading[]>([...bars.keys()].map((symbol) => [symbol, []]));
  const dates = [...new Set([...bars.values()].flatMap((rows) => rows.map((row) => row.date)))].sort();
  const byDate = new Map(dates.map((date) => [date, new Map<string, Bar>()]));
  for (const [symbol, rows] of bars) for (const row of rows) byDate.get(row.date)?.set(symbol, row);
  for (const [date, day] of byDate)
    for (const [symbol, reading] of engine.closeDay(date, day)) all.get(symbol)?.push(reading);
  return all;
}

/** The mid-rank of a value among the last 504, itself included, by counting. */
function rankAmong(before: readonly number[], value: number): number {
  const known = [...before, value].slice(-504).filter((other) => !Number.isNaN(other));
  if (known.length < 126 || Number.isNaN(value)) return Number.NaN;
  return (
    (known.filter((other) => other < value).length + 0.5 * known.filter((other) => other === value).length) /
    known.length
  );
}

describe('percentile window', () => {
  it('ranks like counting, with ties and missing values, before and after it is full', () => {
    const random = createRandom(9);
    const window = new PercentileWindow(2);
    const values: number[] = [];
    for (let t = 0; t < 1500; t++) {
      const value = random() < 0.1 ? Number.NaN : Math.floor(random() * 40);
      const probe = Math.floor(random() * 40);
      const other = -2 * value;
      expect(window.rank([probe, other])[0]).toBe(rankAmong(values, probe));
      const ranks = [
        rankAmong(values, value),
        rankAmong(
          values.map((one) => -2 * one),
          other,
        ),
      ];
      expect([...window.rank([value, other])]).toEqual(ranks);
      window.push();
      values.push(value);
    }
  });

  it('separates values that differ in their last digits only, and treats both zeros as one', () => {
    const random = createRandom(10);
    const few = [
      0,
      -0,
      5e-324,
      -5e-324,
      1e-60,
      -1e-60,
      1e300,
      -1e300,
      Number.MAX_VALUE,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.NaN,
    ];
    const draws = [
      () => few[Math.floor(random() * few.length)] as number,
      () => 1 + Math.floor(random() * 300) * Number.EPSILON,
      () => 1e-9 * random() - 4,
    ];
    for (const draw of draws) {
      const window = new PercentileWindow();
      const values: number[] = [];
      for (let t = 0; t < 1100; t++) {
        const value = draw();
        expect(window.rank([value])[0]).toBe(rankAmong(values, value));
        window.push();
        values.push(value);
      }
    }
  });
});

describe('measures', () => {
  it('give the expected values in simple cases', () => {
    const line = Float64Array.from({ length: 63 }, (_, t) => 3 + 2 * t);
    expect(signedFit(line)).toBeCloseTo(1, 12);
    expect(signedFit(line.map((value) => -value))).toBeCloseTo(-1, 12);
    expect(signedFit(new Float64Array(63).fill(5))).toBe(0);
    expect(efficiency(line)).toBe(1);
    expect(efficiency(Float64Array.of(1, 2, 1))).toBe(0);
    const entropy = (values: Float64Array): number =>
      permutationEntropy(
        values
          .map((_, t) => orderOf(...([0, 1, 2].map((k) => values[t + k] ?? 0) as [number, number, number])))
          .subarray(0, -2),
      );
    expect(entropy(line)).toBeCloseTo(0, 12);
    const random = createRandom(2);
    expect(entropy(Float64Array.from({ length: 20_000 }, () => random()))).toBeGreaterThan(0.999);
    expect(jumpShare(Float64Array.of(0, 0, 0, 0.1, 0, 0, 0))).toBeCloseTo(1, 12);
    expect(jumpShare(new Float64Array(21))).toBeNaN();
  });

  it('give the index of a Pareto tail', () => {
    const random = createRandom(3);
    const estimates = Array.from(
      { length: 400 },
      () => hillTail(Float64Array.from({ length: 252 }, () => -((1 - random()) ** -0.5))).index,
    );
    expect(estimates.reduce((sum, value) => sum + value, 0) / estimates.length).toBeCloseTo(0.5, 1);
    expect(hillTail(new Float64Array(252)).index).toBeNaN();
  });

  it('turbulence is about 1 on usual days and large on a day that breaks the pattern', () => {
    const random = createRandom(6);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const common = Array.from({ length: 504 }, normal);
    const series = Array.from({ length: 8 }, () =>
      Float64Array.from(common, (value) => 0.01 * (value + 0.3 * normal())),
    );
    const model = turbulenceModel([0, 1, 2, 3, 4, 5, 6, 7], series);
    if (model === null) throw new Error('no model');
    const days = Array.from({ length: 504 }, (_, t) =>
      turbulenceOf(
        model,
        series.map((row) => row[t] ?? 0),
      ),
    );
    expect(days.reduce((sum, value) => sum + value, 0) / days.length).toBeGreaterThan(0.3);
    expect(days.reduce((sum, value) => sum + value, 0) / days.length).toBeLessThan(1.1);
    expect(turbulenceOf(model, [0.02, -0.02, 0.02, -0.02, 0.02, -0.02, 0.02, -0.02])).toBeGreaterThan(8);
    expect(absorptionRatio(series)).toBeGreaterThan(0.85);
    expect(turbulenceModel([0, 1], [new Float64Array(504), new Float64Array(504)])).toBeNull();
  });
});

describe('dimensions', () => {
  const bars = market(900, [...PANEL, 'ABC']);
  const all = readings(bars);

  it('dimensions lie within 0..1, and all twelve have values once warm', { tags: ['long'] }, () => {
    for (const [symbol, rows] of all) {
      for (const { powers } of rows) {
        for (const code of FACTOR_CODES) {
          const power = powers[code];
          if (power === null) continue;
          expect(power).toBeGreaterThanOrEqual(0);
          expect(power).toBeLessThanOrEqual(1);
        }
      }
      if (symbol !== 'VIX') expect(Object.values(rows.at(-1)?.powers ?? {})).not.toContain(null);
    }
  });

  it('do not depend on later bars', () => {
    const cut = new Map([...bars].map(([symbol, rows]) => [symbol, rows.slice(0, 700)]));
    for (const [symbol, rows] of readings(cut)) expect(rows).toEqual(all.get(symbol)?.slice(0, 700));
  });

  it('are the same in a peek at a bar as at its close, after the market of the day closed', () => {
    const engine = createEngine({ instruments: [...PANEL, 'ABC'].map(instrument) });
    for (let day = 0; day < 500; day++) {
      const today = new Map(PANEL.map((symbol) => [symbol, bars.get(symbol)?.[day] as Bar]));
      const own = bars.get('ABC')?.[day] as Bar;
      engine.closeDay(own.date, today);
      const peeked = engine.peek('ABC', own, engine.last('ABC')?.state ?? 0);
      engine.peek('ABC', { ...own, close: own.low }, 1);
      expect(engine.closeDay(own.date, new Map([['ABC', own]])).get('ABC')).toEqual(peeked);
    }
  });

  it('are absent without their inputs: volume, ranges or a market', () => {
    const alone = sp500().map((bar) => ({ ...bar, open: bar.close, high: bar.close, low: bar.close, volume: null }));
    const last = readings(new Map([['SPX', alone]]))
      .get('SPX')
      ?.at(-1);
    for (const code of ['D-01', 'D-02', 'D-04', 'D-07'] as const) expect(last?.powers[code]).toBeNull();
    for (const code of ['D-03', 'D-05', 'D-06', 'D-08', 'D-09', 'D-10', 'D-11', 'D-12'] as const) {
      expect(Number.isFinite(last?.powers[code])).toBe(true);
    }
  });

  it('have no market values once the market has ended', () => {
    const ended = new Map([...bars].map(([symbol, rows]) => [symbol, symbol === 'ABC' ? rows : rows.slice(0, 800)]));
    const powers = readings(ended).get('ABC')?.at(-1)?.powers;
    for (const code of ['D-02', 'D-04', 'D-07'] as const) expect(powers?.[code]).toBeNull();
    expect(powers?.['D-03']).not.toBeNull();
  });

  it('have no turbulence or absorption while fewer than six funds remain, and have them again with nine', () => {
    const funds = PANEL.filter((symbol) => symbol !== 'AGG' && symbol !== 'GLD' && symbol !== 'VIX');
    const rows = market(1500, funds);
    const panel = new MarketPanel();
    const levels: [number, number, number][] = [];
    for (let day = 0; day < 1500; day++) {
      // Six funds end, five remain; from day 850 on four others have bars again.
      const traded = funds.filter((_, index) => index < 5 || day < 700 || (day >= 850 && index < 9));
      const today = traded.map((symbol): [string, Bar] => [symbol, rows.get(symbol)?.[day] as Bar]);
      panel.close(today[0]?.[1].date ?? '', new Map(today));
      const { turbulenceLevel, turbulence, absorption } = panel.reading;
      levels.push([turbulenceLevel, turbulence, absorption]);
    }
    expect(levels[700]).not.toContain(Number.NaN);
    for (const day of [720, 860, 1300]) expect(levels[day]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(levels[1499]).not.toContain(Number.NaN);
  });

  it('D-02 of a fund that is not in the mean of the panel is that of any symbol with its bars', {
    tags: ['long'],
  }, () => {
    // With two weeks of each sixty days missing it never has the 63 returns of a member.
    const holed = (bars.get('XLK') ?? []).filter((_, day) => day % 60 >= 15);
    const spy = (bars.get('SPY') ?? []).slice(0, 500);
    const found = readings(new Map([...bars, ['SPY', spy], ['XLK', holed], ['TWIN', holed]]));
    const coupling = (symbol: string) => found.get(symbol)?.map(({ powers }) => powers['D-02']);
    expect(coupling('TWIN')?.at(-1)).not.toBeNull();
    expect(coupling('XLK')).toEqual(coupling('TWIN'));
  });

  it('show the crash of 2008', () => {
    const rows = readings(new Map([['SPX', sp500()]])).get('SPX') ?? [];
    const powers = rows.find((row) => row.date === '2008-10-10')?.powers;
    expect(powers?.['D-03']).toBeGreaterThan(0.98);
    expect(powers?.['D-01']).toBeLessThan(0.1);
    expect(powers?.['D-08']).toBeLessThan(0.1);
    expect(powers?.['D-10']).toBeLessThan(0.2);
  });

  it.each(['ABC', 'XLK'])('dimensions of %s equal the formulas over whole arrays', { tags: ['long'] }, (symbol) => {
    const market = new Map([...bars].map(([name, rows]) => [name, columnsOf(rows)]));
    const expected = batchPowers(symbol, columnsOf(bars.get(symbol) ?? []), batchPanel(market));
    const rows = all.get(symbol) ?? [];
    for (const [index, code] of FACTOR_CODES.entries()) {
      expect(rows).toHaveLength(expected[index]?.length ?? 0);
      for (const [t, value] of (expected[index] ?? []).entries()) {
        const power = rows[t]?.powers[code] ?? Number.NaN;
        const isSame = Number.isNaN(value) ? Number.isNaN(power) : Math.abs(power - value) <= 1e-9;
        if (!isSame) expect(`${t} ${code} ${power}`).toBe(`${t} ${code} ${value}`);
      }
    }
  });

  it('a symbol has exposures: 1 to itself, null with too little history', () => {
    const market = (all.get('SPY') ?? []).map((row) => row.powers);
    const own = (all.get('ABC') ?? []).map((row) => row.powers);
    for (const beta of Object.values(exposuresOf(market, market))) expect(beta).toBeCloseTo(1, 9);
    expect(exposuresOf(own, market)['D-04']).toBeCloseTo(1, 9);
    expect(Math.abs(exposuresOf(own, market)['D-06'] ?? 9)).toBeLessThan(1);
    expect(exposuresOf(own.slice(0, 100), market.slice(0, 100))['D-03']).toBeNull();
  });
});
