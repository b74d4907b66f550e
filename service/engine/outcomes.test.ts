// Service, engine, test: outcomes of bars, and the base rate.
import { describe, expect, it } from 'vitest';
import { BaseRate } from './base-rate.ts';
import { type Outcome, OutcomeTrack } from './outcomes.ts';
import { HORIZON } from './threshold.ts';

const THRESHOLD = 0.1;
const drawdownAt = (close: number) => ({
  threshold: THRESHOLD,
  peak: 100,
  peakThreshold: THRESHOLD,
  drawdownFraction: (1 - close / 100) / THRESHOLD,
});
/** Outcomes of all bars, in order, of closes that fall from a peak of 100. */
function allOf(closes: readonly number[]): (Outcome | null)[] {
  const track = new OutcomeTrack();
  const all = [...closes, ...Array.from({ length: HORIZON }, () => closes.at(-1) ?? 100)];
  const classified = all.flatMap((close): (Outcome | null)[] => {
    const found = track.commit(close, drawdownAt(close));
    return found.length === 0 ? [null] : found;
  });
  return classified.slice(HORIZON);
}
const outcomesOf = (closes: readonly number[]) => allOf(closes).map((outcome) => outcome?.event);
const flat = (count: number): number[] => Array.from({ length: count }, () => 100);

describe('the outcome of a bar', () => {
  it('an outcome is true where the event came, with at least half of the threshold still ahead', () => {
    // 94 to 89 is 5.3 %, 93.5 to 89 is 4.8 %; at 89 the event has begun.
    expect(outcomesOf([100, 94, 93.5, 89, 100])).toEqual([true, true, false, null, false]);
  });
  it('an outcome is false without an event within the horizon, or after a fall short of the threshold', () => {
    expect(outcomesOf([100, 91, 100])).toEqual([false, false, false]);
    expect(outcomesOf([...flat(HORIZON + 1), 89]).slice(0, 2)).toEqual([false, true]);
  });
  it('there is no outcome between two breaches of one event, at most 21 bars apart', () => {
    const pair = (gap: number) => outcomesOf([100, 89, ...flat(gap - 1), 89, 100]).slice(1, 2 + gap);
    expect(pair(21)).toEqual(Array.from({ length: 22 }, () => null));
    expect(pair(22)).toEqual([null, ...Array.from({ length: 21 }, () => true), null]);
  });
  it('a symbol fell by half a threshold of its own within the horizon, also during an event', () => {
    const fell = allOf([100, 89, 84, ...flat(HORIZON)]).map((outcome) => outcome?.fell);
    // 89 to 84 is 5.6 %.
    expect(fell.slice(0, 4)).toEqual([true, true, false, false]);
  });
  it('an outcome in a hole of any length is of the sessions before it, an event among them', () => {
    const closes = [...flat(1), ...Array.from({ length: 10 }, () => 96), 89, ...flat(10)];
    const within = (missing: number): Outcome[] => {
      const track = new OutcomeTrack();
      for (const close of closes) track.commit(close, drawdownAt(close));
      return track.commit(100, drawdownAt(100), missing);
    };
    expect(within(60)).toEqual(within(HORIZON));
    expect(
      within(60)
        .map(({ event }) => event)
        .slice(0, 11),
    ).toEqual([...Array.from({ length: 10 }, () => true), null]);
  });
});

it('the base rate is a share of the counted bars', () => {
  const rate = new BaseRate({ bars: 0, followed: 0 });
  for (let bar = 0; bar < 200; bar++) rate.count(bar % 10 === 0);
  expect(rate.value()).toBeNull();
  for (let bar = 0; bar < 100; bar++) rate.count(bar % 10 === 0);
  expect(rate.value()).toBeCloseTo(0.1, 12);
});
