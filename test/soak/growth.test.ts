// Soak, test: growth is told from noise.
import { describe, expect, it } from 'vitest';
import { growthOf, median } from './growth.ts';

const MB = 1024 * 1024;
const MINUTE = 60_000;
/** A sawtooth: memory between two collections. */
const saw = (count: number, level: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => level(index) + (index % 3) * MB);

describe('growth', () => {
  it('is not found in a sawtooth that returns', () => {
    const growth = growthOf(
      saw(40, () => 100 * MB),
      MINUTE,
    );
    expect(growth.grew).toBe(false);
    expect(Math.abs(growth.perHour)).toBeLessThan(MB);
  });

  it('is not found in a warm-up', () => {
    expect(
      growthOf(
        saw(40, (index) => (index < 8 ? 40 : 100) * MB),
        MINUTE,
      ).grew,
    ).toBe(false);
  });

  it('is found in a slow leak, with its size', () => {
    const growth = growthOf(
      saw(40, (index) => (100 + 0.5 * index) * MB),
      MINUTE,
    );
    expect(growth.grew).toBe(true);
    expect(growth.perHour / MB).toBeGreaterThan(25);
    expect(growth.perHour / MB).toBeLessThan(35);
  });

  it('needs enough samples', () => {
    expect(() => growthOf([1, 2, 3], MINUTE)).toThrow('3 samples are too few');
  });
});

it('the median is the middle one, or the mean of the two', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5]);
});
