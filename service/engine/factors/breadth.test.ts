// Service, engine, test: the common drawdown of all members.
import { expect, it } from 'vitest';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { MarketBreadth } from './breadth.ts';

const date = (day: number): string => new Date(Date.UTC(2020, 0, 1) + day * DAY_MS).toISOString().slice(0, 10);
const five = (fraction: number): number[] => [fraction, fraction, fraction, fraction, fraction];

function breadthOf(days: number): MarketBreadth {
  const breadth = new MarketBreadth();
  for (let day = 0; day < days; day++) breadth.close(date(day), five((day % 10) / 20));
  return breadth;
}

it('ranks the common drawdown of the members among the days before, once there are enough', () => {
  expect(breadthOf(125).rank).toBeNaN();
  const breadth = breadthOf(400);
  breadth.close(date(400), five(0.9));
  expect(breadth.rank).toBeGreaterThan(0.99);
  breadth.close(date(401), five(0));
  expect(breadth.rank).toBeLessThan(0.1);
});

it('needs five members, and uses the first part of a day that has them', () => {
  const breadth = breadthOf(400);
  const before = breadth.rank;
  breadth.close(date(400), [1, 1, 1, 1]);
  expect(breadth.rank).toBe(before);
  breadth.close(date(400), five(0));
  const first = breadth.rank;
  breadth.close(date(400), five(1));
  breadth.close(date(399), five(1));
  expect(breadth.rank).toBe(first);
});

it('caps a fall at a breach, so that one member cannot dominate', () => {
  const [usual, wild] = [breadthOf(400), breadthOf(400)];
  usual.close(date(400), [1, 0, 0, 0, 0]);
  wild.close(date(400), [30, 0, 0, 0, 0]);
  expect(wild.rank).toBe(usual.rank);
});

it('has no value once its market has ended', () => {
  const breadth = breadthOf(400);
  breadth.close(date(413), []);
  expect(breadth.rank).not.toBeNaN();
  breadth.close(date(414), []);
  expect(breadth.rank).toBeNaN();
});
