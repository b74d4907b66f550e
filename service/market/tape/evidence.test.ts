// Service, market, tape, test: in random worlds real falls are no faults, and splits are never silent falls.
import { describe, expect, it } from 'vitest';
import { fall, type PriceWorld, shares, split, stray } from '../../../test/harness/price-worlds.ts';

describe('a fall in a day', () => {
  it.each([0.15, 0.33, 0.6])('a fall in a day of %d is never taken for a fault, whatever was traded', (depth) => {
    for (const value of [1.5, 3, 10]) expect(shares(fall(depth, value)).fault, `${value} times`).toBe(0);
  });

  it.each([0.15, 0.5])('of %d with five times the value raises no question', (depth) => {
    expect(shares(fall(depth, 5)).price).toBeGreaterThan(0.95);
  });
});

describe('a split that is not adjusted', () => {
  it.each([1.25, 4 / 3, 1.5, 2, 3, 4, 10, 50, 1 / 2, 1 / 10])('of %d shares for one is no silent move', (ratio) => {
    expect(shares(split(ratio)).price).toBeLessThan(ratio > 1 && ratio < 1.5 ? 0.08 : 0.02);
  });

  it.each([2, 4, 50, 1 / 10])('of %d shares for one is mostly certain', (ratio) => {
    expect(shares(split(ratio)).fault).toBeGreaterThan(0.6);
  });

  it.each([1.1, 1.2])('of %d shares for one is a question, or within the usual moves', (ratio) => {
    const { price, question } = shares(split(ratio));
    expect(price + question).toBeGreaterThan(0.95);
    expect(question).toBeGreaterThan(0.2);
  });
});

describe('a close that is wrong', () => {
  it.each([0.01, 0.1, 0.5, 0.7])('a close that is wrong by a factor of %d is no silent fall', (factor) => {
    expect(shares(stray(factor)).price).toBeLessThan(0.02);
  });
});

describe('a famous fall', () => {
  /** Falls within the day, without a gap at the opening. */
  const within = (depth: number, value: number) => (one: PriceWorld) => {
    const bar = fall(depth, value)(one);
    return { ...bar, open: one.before.close, high: one.before.close * 1.002 };
  };

  it.each([
    ['ETH on 12 March 2020: 42 %, all of it within the day, with little more volume', within(0.42, 1.3)],
    ['NVDA on 31 July 2002: 32 %, 3.8 times the usual volume', fall(0.32, 3.8 * 0.68)],
    ['NVDA on 3 July 2008: 31 %, 3.8 times the usual volume', fall(0.31, 3.8 * 0.69)],
  ])('%s: it counts', (_, barOf) => {
    expect(shares(barOf).fault).toBe(0);
  });
});
