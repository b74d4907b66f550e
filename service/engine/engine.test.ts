// Service, engine, test: states, readings, peeks and cost of the engine.
import { describe, expect, it } from 'vitest';
import type { State } from '../../shared/domain/states.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { sp500 } from '../../test/fixtures/sp500.ts';
import { createEngine } from './engine.ts';
import { at, frameOfBars, H, RHO } from './scoring/frame.ts';
import { outcomesOf } from './scoring/reliability.ts';
import type { Bar, Reading } from './types.ts';

const bar = (date: string, close: number): Bar => ({ date, open: close, high: close, low: close, close, volume: null });

/** A seeded random walk with clustered volatility: `n` bars, one per calendar day. */
function walk(n: number, seed: number): Bar[] {
  let state = seed;
  const uniform = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  let close = 100;
  return Array.from({ length: n }, (_, index) => {
    const sigma = index % 400 < 300 ? 0.008 : 0.025;
    close *= Math.exp(sigma * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()));
    return bar(new Date(Date.UTC(1950, 0, 1) + index * DAY_MS).toISOString().slice(0, 10), close);
  });
}

function run(bars: readonly Bar[], symbol = 'SPX'): Reading[] {
  const engine = createEngine({ instruments: [{ symbol, assetClass: 'index' }] });
  return bars.map((row) => {
    const reading = engine.closeDay(row.date, new Map([[symbol, row]])).get(symbol);
    if (reading === undefined) throw new Error('no reading');
    return reading;
  });
}

describe('engine', () => {
  const bars = sp500();
  const readings = run(bars);

  it('is High Risk in the falls of 2008 and 2020, and Normal in the quiet of 2017', () => {
    const at = (date: string) => readings.find((reading) => reading.date === date)?.state;
    expect(at('2008-10-10')).toBe(2);
    expect(at('2020-02-25')).toBe(2);
    expect(at('2017-07-14')).toBe(0);
  });

  it('has the states that the rule gives when applied to the whole series', () => {
    let state = 0;
    let since = 0;
    for (const [t, { drawdownFraction, probability, state: given }] of readings.entries()) {
      const d = drawdownFraction ?? 0;
      const p = probability;
      const isHigh =
        p === null
          ? d >= (state === 2 ? 0.48 : 0.6)
          : d >= 1 || (state === 2 ? d >= 0.3 && p >= 0.25 : d >= 0.45 && p >= 0.29);
      const isUp =
        p === null ? d >= (state > 0 ? 0.3 : 0.45) : state > 0 ? d >= 0.2 || p >= 0.18 : d >= 0.6 || p >= 0.25;
      const expectedState = isHigh ? 2 : isUp ? 1 : 0;
      if (expectedState > state || (expectedState < state && t - since >= 5)) {
        state = expectedState;
        since = t;
      }
      expect(given, readings[t]?.date).toBe(state);
    }
    expect(new Set(readings.map((reading) => reading.state)).size).toBe(3);
  });

  it('gives no values before its windows are full, and finite values afterwards', () => {
    for (const reading of readings.slice(0, 251))
      expect(reading).toMatchObject({ state: 0, drawdownFraction: null, confidence: null });
    for (const reading of readings.slice(3500)) {
      for (const value of [
        reading.drawdownFraction,
        reading.breachLevel,
        reading.confidence,
        reading.baseRate,
        reading.probability,
      ]) {
        expect(Number.isFinite(value)).toBe(true);
      }
      expect(reading.regime).not.toBeNull();
    }
  });

  it('gives the same reading of every bar, independent of later bars', () => {
    for (const cut of [300, 2222, 4000]) expect(run(bars.slice(0, cut))).toEqual(readings.slice(0, cut));
  });

  it('in High Risk, the engine publishes a chance halfway to what followed High Risk before, which the rule never sees', () => {
    const frame = frameOfBars(bars);
    const events = outcomesOf(frame);
    const followed = (t: number): number =>
      readings[t]?.claim === 'event'
        ? (events[t] ?? 0)
        : Number(at(frame.forwardLoss, t) <= -RHO * at(frame.thresholds, t));
    /** Bars in High Risk with a chance, before bar t, whose next 21 bars are known at its start. */
    let [counted, fell] = [0, 0];
    let differing = 0;
    for (const [t, reading] of readings.entries()) {
      const known = t - 1 - H;
      if (readings[known]?.state === 2 && readings[known]?.confidence !== null) {
        counted += 1;
        fell += followed(known);
      }
      if (reading.claim !== 'event' || reading.probability === null || reading.confidence === null) continue;
      const { probability: p, state, confidence } = reading;
      if (state < 2) {
        expect(confidence).toBeCloseTo(100 * (state === 0 ? 1 - p : p), 9);
        continue;
      }
      // The record begins with 1,200 of 3,000 bars; the symbol's own counts against 504 bars of all symbols.
      const all = (1200 + fell) / (3000 + counted);
      const own = (fell + 504 * all) / (counted + 504);
      const odds = (chance: number): number => Math.log(chance / (1 - chance));
      expect(confidence).toBeCloseTo(100 / (1 + Math.exp(-(odds(p) + odds(own)) / 2)), 9);
      if (Math.abs(confidence - 100 * p) > 1) differing += 1;
    }
    expect(counted).toBeGreaterThan(400);
    expect(differing).toBeGreaterThan(50);
  });

  it('peeks at a bar with the same result as its close; a peek changes nothing', () => {
    const rows = walk(1200, 11);
    const engine = createEngine({ instruments: [{ symbol: 'SPX', assetClass: 'index' }] });
    for (const row of rows) {
      const from = engine.last('SPX')?.state ?? 0;
      const peeked = engine.peek('SPX', row, from);
      const cheap = engine.peekState('SPX', row.close, from);
      engine.peek('SPX', bar(row.date, row.close * 0.5), 2);
      const closed = engine.closeDay(row.date, new Map([['SPX', row]])).get('SPX');
      expect(peeked).toEqual(closed);
      expect(cheap).toBe(closed?.state);
    }
    expect(engine.last('SPX')).toEqual(run(rows).at(-1));
  });

  it('gives the same state by both kinds of peek from every live state', () => {
    const engine = createEngine({ instruments: [{ symbol: 'SPX', assetClass: 'index' }] });
    for (const row of bars.slice(0, 4400)) engine.closeDay(row.date, new Map([['SPX', row]]));
    const close = engine.last('SPX')?.close ?? 0;
    const seen = new Set<State>();
    for (let step = -60; step <= 20; step++) {
      const price = close * (1 + step / 200);
      for (const from of [0, 1, 2] as const) {
        const state = engine.peekState('SPX', price, from);
        seen.add(state);
        expect(engine.peek('SPX', bar('2008-12-31', price), from)?.state).toBe(state);
      }
    }
    expect([...seen].sort()).toEqual([0, 1, 2]);
  });

  it('never rules out a price at which High Risk begins, after any number of missing sessions', () => {
    const engine = createEngine({ instruments: [{ symbol: 'SPX', assetClass: 'index' }] });
    const seen = { high: 0, ruledOut: 0 };
    for (const [index, row] of bars.slice(0, 4400).entries()) {
      engine.closeDay(row.date, new Map([['SPX', row]]));
      const { close, state } = engine.last('SPX') ?? { close: row.close, state: 2 };
      if (state === 2 || index % 10 > 0) continue;
      for (let step = 0; step < 120; step++) {
        const [price, missing] = [close * (1 - (step % 40) / 200), step % 6];
        const isHigh = engine.peekState('SPX', price, state, missing) === 2;
        const mayBegin = engine.mayBeginHighRisk('SPX', price, missing);
        expect(isHigh && !mayBegin).toBe(false);
        seen.high += Number(isHigh);
        seen.ruledOut += Number(!mayBegin);
      }
    }
    expect(Math.min(seen.high, seen.ruledOut)).toBeGreaterThan(1_000);
  });

  it('gives readings that do not depend on the order of symbols', () => {
    const other = walk(bars.length, 5);
    const reading = (symbols: readonly string[]): unknown => {
      const engine = createEngine({ instruments: symbols.map((symbol) => ({ symbol, assetClass: 'etf' as const })) });
      for (const [index, row] of bars.entries()) {
        const day = { A: row, B: { ...(other[index] as Bar), date: row.date } };
        engine.closeDay(row.date, new Map(symbols.map((symbol) => [symbol, day[symbol as 'A' | 'B']])));
      }
      return ['A', 'B'].map((symbol) => engine.last(symbol));
    };
    expect(reading(['B', 'A'])).toEqual(reading(['A', 'B']));
  });

  it('refuses an out-of-order day, an unknown symbol and an invalid price, and stays unchanged', () => {
    const engine = createEngine({ instruments: [{ symbol: 'SPX', assetClass: 'index' }] });
    const close = (date: string, symbol: string, price: number) => () =>
      engine.closeDay(date, new Map([[symbol, bar(date, price)]]));
    close('2020-01-02', 'SPX', 100)();
    expect(close('2020-01-02', 'SPX', 100)).toThrow('not after');
    expect(close('2020-01-03', 'XYZ', 100)).toThrow('XYZ');
    for (const price of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(close('2020-01-03', 'SPX', price)).toThrow('no price');
    expect(engine.last('SPX')?.date).toBe('2020-01-02');
    close('2020-01-03', 'SPX', 101)();
    expect(engine.last('SPX')?.close).toBe(101);
  });

  it('costs the same per bar after 500 and after 25,000 bars', () => {
    // Alternates in short chunks and keeps the fastest of each, so that other load on the machine does not
    // count.
    const rows = walk(27_000, 3);
    const chunk = 100;
    const past = (bars: number) => {
      const engine = createEngine({ instruments: [{ symbol: 'SPX', assetClass: 'index' }] });
      let next = 0;
      const take = (count: number): number => {
        const start = performance.now();
        for (const row of rows.slice(next, next + count)) engine.closeDay(row.date, new Map([['SPX', row]]));
        next += count;
        return performance.now() - start;
      };
      take(bars);
      return () => take(chunk);
    };
    const old = past(25_000);
    const [early, late]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < 4; turn += 1) {
      const young = past(500);
      for (let count = 0; count < 5; count += 1) {
        early.push(young());
        late.push(old());
      }
    }
    expect(Math.min(...late)).toBeLessThan(3 * Math.min(...early));
  });

  it('stays finite on a constant price and on a thousandfold jump', () => {
    const flat = Array.from({ length: 900 }, (_, index) =>
      bar(new Date(index * DAY_MS).toISOString().slice(0, 10), 50),
    );
    const jump = flat.map((row, index) => (index >= 600 ? { ...row, close: 50_000 } : row));
    const still = walk(900, 2).map((row) => ({ ...row, volume: 0 }));
    const huge = walk(900, 2).map((row) => ({ ...row, open: 1e300, high: 1e307, low: 1e-300, volume: 1e300 }));
    for (const rows of [flat, jump, still, huge]) {
      for (const { powers, contributions, regimeProbabilities, ...reading } of run(rows)) {
        const values = [reading, powers, contributions, regimeProbabilities ?? {}].flatMap((part) =>
          Object.values(part),
        );
        expect(values.filter((value) => typeof value === 'number' && !Number.isFinite(value))).toEqual([]);
      }
    }
  });

  it('has no reading for an input-only symbol or an unknown symbol', () => {
    const engine = createEngine({ instruments: [{ symbol: 'VIX', assetClass: 'index', inputOnly: true }] });
    expect(engine.closeDay('2020-01-02', new Map([['VIX', bar('2020-01-02', 13)]])).size).toBe(0);
    expect(engine.peek('VIX', bar('2020-01-03', 14), 0)).toBeNull();
    expect(engine.peekState('NONE', 14, 1)).toBe(1);
  });
});
