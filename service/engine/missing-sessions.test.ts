// Service, engine, test: missing sessions count in every span of bars, and do not enlarge moves.
import { describe, expect, it } from 'vitest';
import { sp500 } from '../../test/fixtures/sp500.ts';
import { createEngine } from './engine.ts';
import { BarHistory } from './history.ts';
import { ThresholdTrack } from './threshold.ts';
import type { Bar, Engine } from './types.ts';

const bar = (close: number, missing?: number): Bar => ({
  ...{ date: '', open: close, high: close, low: close, close, volume: null },
  ...(missing === undefined ? {} : { missing }),
});

describe('the drawdown', () => {
  function afterCloses(closes: readonly number[]): ThresholdTrack {
    const track = new ThresholdTrack();
    for (const close of closes) track.commit(close, track.evaluate(close, 0.01, 0), 0);
    return track;
  }
  /** A peak 18 bars ago, and a lower one 10 bars ago. */
  const closes = [110, ...Array<number>(7).fill(100), 105, ...Array<number>(9).fill(100)];

  it('counts from the highest close of 21 sessions', () => {
    const track = afterCloses(closes);
    expect(track.evaluate(95, 0.01, 0).peak).toBe(110);
    expect(track.evaluate(95, 0.01, 3).peak).toBe(110);
    expect(track.evaluate(95, 0.01, 4).peak).toBe(105);
    expect(track.evaluate(95, 0.01, 11).peak).toBe(105);
    expect(track.evaluate(95, 0.01, 12).peak).toBe(100);
    expect(track.fraction(95, 21)).toBe(0);
  });

  it('includes missing sessions in the 21', () => {
    const track = afterCloses(closes);
    track.commit(95, track.evaluate(95, 0.01, 4), 4);
    expect(track.maxima.map(({ age, close }) => [age, close])).toEqual([
      [1, 95],
      [6, 100],
      [15, 105],
    ]);
  });

  it('includes missing sessions since the last breach', () => {
    const track = afterCloses(closes);
    track.commit(60, track.evaluate(60, 0.01, 4), 4);
    expect([track.sinceBreach(0, 0), track.sinceBreach(0, 5), track.sinceBreach(1, 5)]).toEqual([1, 6, 0]);
    track.commit(60, { ...track.evaluate(60, 0.01, 3), drawdownFraction: 0.5 }, 3);
    expect(track.sinceBreach(0, 0)).toBe(5);
  });

  it('restarts after a month without bars', () => {
    const track = afterCloses(closes);
    track.commit(50, track.evaluate(50, 0.01, 30), 30);
    expect(track.maxima).toEqual([{ age: 1, close: 50, threshold: expect.any(Number) }]);
  });
});

it('a move over n sessions counts as n moves of its size over the root of n', () => {
  const [whole, holed] = [new BarHistory(), new BarHistory()];
  let close = 100;
  const step = 0.02;
  for (let index = 0; index < 300; index++) {
    close *= Math.exp(0.01 * Math.sin(index * index));
    for (const history of [whole, holed]) history.push(bar(close));
  }
  for (let session = 1; session <= 4; session++) whole.push(bar(close * Math.exp(session * step * (session % 2))));
  holed.push(bar(close * Math.exp(2 * step), 3));
  expect(holed.returns.back(0)).toBeCloseTo(step, 12);
  const moved = new BarHistory();
  for (let index = 0, price = 100; index < 304; index++) {
    price *= Math.exp(index < 300 ? 0.01 * Math.sin(index * index) : step);
    moved.push(bar(price));
  }
  expect(holed.variances.back(0)).toBeCloseTo(moved.variances.back(0), 14);
});

it('both kinds of peek at a bar after missing sessions agree with its close', () => {
  const engine = createEngine({ instruments: [{ symbol: 'SPX', assetClass: 'index' }] });
  for (const [index, row] of sp500().slice(0, 2_400).entries()) {
    if (index % 40 >= 33) continue;
    const found = index % 40 === 0 && index > 0 ? { ...row, missing: 7 } : row;
    const from = engine.last('SPX')?.state ?? 0;
    const peeked = engine.peek('SPX', found, from);
    const cheap = engine.peekState('SPX', found.close, from, found.missing);
    const closed = engine.closeDay(row.date, new Map([['SPX', found]])).get('SPX');
    expect([peeked, cheap]).toEqual([closed, closed?.state]);
  }
});

it('a fall further back than 21 sessions does not count, even if the sessions between are missing', () => {
  const drawdownOf = (missing: number | undefined): number => {
    const engine: Engine = createEngine({ instruments: [{ symbol: 'A', assetClass: 'crypto' }] });
    let drawdown = 0;
    for (let index = 0; index < 320; index++) {
      // A calm year, a fall of a tenth at bar 299, and calm again.
      const close = (index < 299 ? 100 : 90) * Math.exp(0.004 * Math.sin(index * index));
      const date = new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10);
      const reading = engine.closeDay(
        date,
        new Map([['A', { ...bar(close, index === 319 ? missing : undefined), date }]]),
      );
      drawdown = reading.get('A')?.drawdownFraction ?? Number.NaN;
    }
    return drawdown;
  };
  expect(drawdownOf(undefined)).toBeGreaterThan(0.5);
  expect(drawdownOf(5)).toBeLessThan(0.2);
});
