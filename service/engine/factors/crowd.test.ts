import { expect, it } from 'vitest';
import { Crowd } from './crowd.ts';

const date = (day: number): string => new Date(Date.UTC(2020, 0, 1) + day * 86_400_000).toISOString().slice(0, 10);
const five = (fraction: number): number[] => [fraction, fraction, fraction, fraction, fraction];

function crowdOf(days: number): Crowd {
  const crowd = new Crowd();
  for (let day = 0; day < days; day++) crowd.close(date(day), five((day % 10) / 20));
  return crowd;
}

it('ranks how far the members are down together among the days before, once there are enough of them', () => {
  expect(crowdOf(125).rank).toBeNaN();
  const crowd = crowdOf(400);
  crowd.close(date(400), five(0.9));
  expect(crowd.rank).toBeGreaterThan(0.99);
  crowd.close(date(401), five(0));
  expect(crowd.rank).toBeLessThan(0.1);
});

it('needs five members, and takes of a day the first part that has them', () => {
  const crowd = crowdOf(400);
  const before = crowd.rank;
  crowd.close(date(400), [1, 1, 1, 1]);
  expect(crowd.rank).toBe(before);
  crowd.close(date(400), five(0));
  const first = crowd.rank;
  crowd.close(date(400), five(1));
  crowd.close(date(399), five(1));
  expect(crowd.rank).toBe(first);
});

it('counts a fall beyond a breach as a breach, so that one member cannot speak for all', () => {
  const [usual, wild] = [crowdOf(400), crowdOf(400)];
  usual.close(date(400), [1, 0, 0, 0, 0]);
  wild.close(date(400), [30, 0, 0, 0, 0]);
  expect(wild.rank).toBe(usual.rank);
});

it('says nothing any more when its market has ended', () => {
  const crowd = crowdOf(400);
  crowd.close(date(413), []);
  expect(crowd.rank).not.toBeNaN();
  crowd.close(date(414), []);
  expect(crowd.rank).toBeNaN();
});
