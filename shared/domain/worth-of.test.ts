// Test: what acting on High Risk would have brought: cases by hand, and what must hold for any prices.
import { expect, test } from 'vitest';
import { createRandom } from '../lib/random.ts';
import { type Difference, findingOf, type Way } from './worth.ts';
import { LEAST_CLOSES, type PastSeries, type Rule, worthOf } from './worth-of.ts';

/** Prices stand still but for these factors, by the close that they lead to. */
function series(changes: Readonly<Record<number, number>>, high: readonly number[], length = 300): PastSeries {
  let close = 100;
  const closes = Array.from({ length }, (_, index) => (close *= changes[index] ?? 1));
  return { days: closes.map((_, index) => index), closes, highRisk: closes.map((_, index) => high.includes(index)) };
}

/** A walk with this share of its days in High Risk, in periods of ten. */
function walk(seed: number, share: number, length = 1500): PastSeries {
  const random = createRandom(seed);
  let close = 100;
  const closes = Array.from({ length }, () => (close *= 1 + 0.04 * (random() - 0.495)));
  const periods = Array.from({ length: length / 10 }, () => random() < share);
  return {
    days: closes.map((_, index) => index),
    closes,
    highRisk: closes.map((_, index) => periods[Math.floor(index / 10)] === true),
  };
}

function run(all: readonly PastSeries[], rule: Partial<Rule> = {}) {
  const steps = worthOf(all, { way: 'leave', cost: 0, market: null, ...rule }, 7, true);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
function worth(all: readonly PastSeries[], rule: Partial<Rule> = {}) {
  const found = run(all, rule);
  if (found === null) throw new Error('nothing was computed');
  return found.worth;
}

const crash = series({ 261: 0.9, 262: 0.9 }, [260]);

test('a High Risk is acted on at the next close: the fall up to it is taken, the one after it is not', () => {
  const { holding, acting, cut, turns, alerts, out } = worth([crash]);
  expect(holding.money).toBeCloseTo(0.81);
  expect(acting.money).toBeCloseTo(0.9);
  expect([holding.fall, acting.fall, cut.value].map((value) => value.toFixed(6))).toEqual([
    '0.190000',
    '0.100000',
    '0.090000',
  ]);
  expect([turns, alerts, out * 299]).toEqual([2, 1, 1]);
});

test.each<[Way, PastSeries | null, number]>([
  ['half', null, 0.9 * 0.95],
  ['hedge', series({ 261: 0.8, 262: 0.88 }, []), 0.9 * 1.02],
])('%s: half of the fall, or the fall against that of the market', (way, market, money) => {
  expect(worth([crash], { way, market }).acting.money).toBeCloseTo(money);
});

test('a turn costs a part of what is moved: all of it, or half', () => {
  const left = worth([crash], { cost: 0.01 });
  expect(left.acting.money).toBeCloseTo(0.9 * 0.99 ** 2);
  expect(left.paid).toBeCloseTo(0.9 * 0.01 + 0.9 * 0.99 * 0.01);
  expect(worth([crash], { way: 'half', cost: 0.01 }).acting.money).toBeCloseTo(0.9 * 0.995 * 0.95 * 0.995);
});

test('a hedge needs closes of the market on the days of the symbol', () => {
  expect(run([crash], { way: 'hedge' })).toBeNull();
  const rare = { ...crash, days: Array.from(crash.days, (day) => 2 * day) };
  expect(run([crash], { way: 'hedge', market: rare })).toBeNull();
});

test('without alerts it is as holding, and there is nothing to compare', () => {
  const { holding, acting, random, gain, cut } = worth([series({ 100: 1.1, 200: 0.5 }, [])], { cost: 0.01 });
  expect(acting).toEqual(holding);
  expect(random).toBeNull();
  expect(gain).toEqual({ value: 0, interval: null, random: null, beats: null });
  expect(findingOf(cut)).toBe('unclear');
});

test('in High Risk from the first close on, the money stays as it is', () => {
  const always = { ...walk(1, 1), closes: [100, 100, ...Array.from(walk(1, 1).closes).slice(2)] };
  expect(worth([always]).acting).toEqual({ money: 1, yearly: 0, fall: 0 });
});

test('random alerts are as long as the true ones: where every day is alike, all end with the same money', () => {
  const even = series(Object.fromEntries(Array.from({ length: 400 }, (_, index) => [index, 1.001])), [50, 51, 90], 400);
  const { acting, random, gain } = worth([even]);
  expect(random?.money.low).toBeCloseTo(acting.money, 10);
  expect(random?.money.high).toBeCloseTo(acting.money, 10);
  expect(gain.random?.median).toBeCloseTo(gain.value, 10);
});

test('alerts before every fall are better beyond chance, those before every rise are worse', () => {
  const days = Array.from({ length: 40 }, (_, index) => 30 * index + 20);
  const of = (sign: number) =>
    worth([
      series(
        Object.fromEntries(days.map((day) => [day, 1 + sign * 0.05])),
        days.map((day) => day - 2),
        1230,
      ),
    ]);
  const [saved, missed] = [of(-1), of(1)];
  expect([findingOf(saved.gain), findingOf(saved.cut)]).toEqual(['better', 'better']);
  expect(saved.gain.beats).toBe(1);
  expect([findingOf(missed.gain), findingOf(missed.cut)]).toEqual(['worse', 'unclear']);
});

test('the intervals contain what alerts without information do, and are the same at every call', () => {
  const of = (seed: number) => worth([walk(seed, 0.2)]);
  const found = Array.from({ length: 12 }, (_, seed) => of(seed));
  const contained = found.filter(
    ({ gain: { value, random } }) => random && random.low <= value && value <= random.high,
  );
  expect(contained.length).toBeGreaterThanOrEqual(9);
  for (const { gain } of found) {
    expect(gain.interval?.low).toBeLessThan(gain.value);
    expect(gain.interval?.high).toBeGreaterThan(gain.value);
  }
  expect(of(3)).toEqual(found[3]);
});

test('the last two closes in High Risk change nothing yet', () => {
  const before = walk(5, 0.2);
  const after = { ...before, highRisk: Array.from(before.highRisk, (one, index) => (index < 1498 ? one : !one)) };
  expect(worth([after]).acting).toEqual(worth([before]).acting);
});

test('several symbols are weighted equally every day; one that is closed on a day stays as it is', () => {
  const doubles = series({ 100: 2, 200: 2 }, []);
  const rests = series({}, []);
  expect(worth([doubles, rests]).holding.money).toBeCloseTo(1.5 * 1.5);
  const onOddDays = { ...rests, days: Array.from(rests.days, (day) => 2 * day + 1) };
  expect(worth([doubles, onOddDays]).holding.money).toBeCloseTo(1.5 * 1.5);
});

test('the course of the money ends with the result, and never rises above its highest', () => {
  const { worth: of, course } = run([walk(2, 0.2)]) ?? {};
  expect(course?.days.length).toBe(240);
  expect(course?.acting.at(-1)).toBeCloseTo(of?.acting.money ?? 0, 10);
  expect(Math.max(...(course?.actingBelow ?? []))).toBeCloseTo(of?.acting.fall ?? 0, 10);
  expect(course?.random?.money.every(({ low, high }) => low <= high)).toBe(true);
});

test('less than a year of closes says nothing', () => {
  expect(run([series({}, [10], LEAST_CLOSES - 1)])).toBeNull();
});

const difference = (value: number, low: number, high: number, beats: number): Difference => ({
  value,
  interval: { low, high },
  random: { low: 0, median: 0, high: 0 },
  beats,
});
test.each([
  [difference(1, 0.5, 2, 0.97), 'better'],
  [difference(1, -0.5, 2, 0.97), 'unclear'],
  [difference(1, 0.5, 2, 0.6), 'unclear'],
  [difference(-1, -2, -0.5, 0.02), 'worse'],
  [difference(-1, -2, 0.5, 0.02), 'unclear'],
] as const)('a finding needs an interval without nothing, and few random alerts like it (%#)', (of, finding) => {
  expect(findingOf(of)).toBe(finding);
});
