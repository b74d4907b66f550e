// Test: intervals by resampling symbols and years, and the parts of a window that they add up.
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../shared/lib/random.ts';
import { figuresOf, uncertaintyOf, yearlySums } from './bootstrap.ts';
import { detect } from './detectors.ts';
import { frameOf, type Window, windowsOf } from './frame.ts';
import type { Forecast } from './reliability.ts';
import { totalOf, type YearlySums } from './resampling.ts';
import { NO_EVENT_COUNTS, NO_STRICT_COUNTS, pool, scoreEvents, scoreStrict } from './score.ts';

/** A walk with fat tails, so that there are events. */
function closesOf(seed: number, bars: number): Float64Array {
  const random = createRandom(seed);
  let close = 100;
  return Float64Array.from({ length: bars }, () => {
    close *= Math.exp(0.01 * (random() + random() + random() - 1.5) * (random() < 0.05 ? 6 : 1));
    return close;
  });
}

function partsOf({ from, to }: Window, length: number): Map<number, Window> {
  const parts = new Map<number, Window>();
  for (let at = from, year = 2001; at <= to; at += length, year++)
    parts.set(year, { from: at, to: Math.min(to, at + length - 1) });
  return parts;
}

describe('counts by part', () => {
  it.each([1, 2, 3, 4, 5, 6])('counts by part add up to those of the whole window (walk %i)', (seed) => {
    const frame = frameOf(closesOf(seed, 3_000));
    const alerts = detect('dd_tuned', frame);
    for (const window of [windowsOf(frame.n).full, windowsOf(frame.n).holdout]) {
      for (const length of [37, 252, 5_000]) {
        const parts = [...partsOf(window, length).values()];
        const events = parts.map((part) => scoreEvents(frame, alerts, window, part));
        const strict = parts.map((part) => scoreStrict(frame, alerts, window, part));
        expect(pool(events, NO_EVENT_COUNTS)).toEqual(scoreEvents(frame, alerts, window));
        expect(pool(strict, NO_STRICT_COUNTS)).toEqual(scoreStrict(frame, alerts, window));
      }
    }
    expect(scoreEvents(frame, alerts, windowsOf(frame.n).full).events).toBeGreaterThan(5);
  });
});

function sumsOf(seed: number): YearlySums {
  const frame = frameOf(closesOf(seed, 4_000));
  const window = windowsOf(frame.n).full;
  const years = partsOf(window, 252);
  const forecasts = [...years].map(([year, { from, to }]): [number, Forecast[]] => [
    year,
    Array.from({ length: to - from + 1 }, (_, t) => ({ predicted: 0.2, observed: t % 5 === 0 ? 1 : 0 })),
  ]);
  return yearlySums(frame, detect('dd_tuned', frame), window, years, new Map(forecasts));
}
const rows = [1, 2, 3, 4, 5].map(sumsOf);

describe('an interval', () => {
  const found = uncertaintyOf(rows, rows, 7);

  it('contains the figure itself, and is the same at every call', () => {
    const { f1, day_lift } = figuresOf(totalOf(rows));
    const { intervals } = found ?? {};
    expect(intervals?.f1?.low).toBeLessThan(f1);
    expect(intervals?.f1?.high).toBeGreaterThan(f1);
    expect(intervals?.day_lift?.low).toBeLessThan(day_lift);
    expect(intervals?.day_lift?.high).toBeGreaterThan(day_lift);
    expect(uncertaintyOf(rows, rows, 7)).toEqual(found);
  });

  it('the interval of a difference from itself is zero: both rules use the same resamples', () => {
    expect(found?.differences.f1).toEqual({ low: 0, high: 0 });
    expect(found?.differences.day_lift).toEqual({ low: 0, high: 0 });
  });

  it('has no width if all years and symbols are equal', () => {
    const one = [...(rows[0] as YearlySums).values()][0] as Float64Array;
    const same = [1, 2].map((): YearlySums => new Map([1, 2, 3, 4].map((year) => [year, one])));
    const { intervals } = uncertaintyOf(same, same, 7) ?? {};
    expect(intervals?.brier_skill?.high).toBeCloseTo(intervals?.brier_skill?.low ?? 0, 12);
    expect(intervals?.loss_otherwise?.high).toBeCloseTo(intervals?.loss_otherwise?.low ?? 0, 12);
  });

  it('has finite bounds even if many resamples have no event', () => {
    const [eventful, calm] = [1, 0].map((observed) => {
      const sums = [...(rows[0] as YearlySums).values()][0]?.slice() ?? new Float64Array();
      sums.set([100, observed, 2], 12);
      return sums;
    }) as [Float64Array, Float64Array];
    const row: YearlySums = new Map([1, 2, 3, 4].map((year) => [year, year === 1 ? eventful : calm]));
    const skills = uncertaintyOf([row], [row], 7);
    expect(Number.isFinite(skills?.intervals.brier_skill?.low)).toBe(true);
    expect(skills?.differences.brier_skill).toEqual({ low: 0, high: 0 });
    const quiet: YearlySums = new Map([1, 2, 3, 4].map((year) => [year, calm]));
    expect(uncertaintyOf([quiet], [quiet], 7)?.intervals.brier_skill).toBeNull();
  });

  it('does not exist with fewer than three years', () => {
    const short = rows.map((row): YearlySums => new Map([...row].slice(0, 2)));
    expect(uncertaintyOf(short, short, 7)).toBeNull();
  });
});
