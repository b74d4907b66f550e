// Service, briefings, test: frames truncated to an earlier close.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameOf } from '../engine/scoring/frame.ts';
import { frameUpTo } from './record.ts';

test('a frame truncated to an earlier close equals the frame computed at that close', () => {
  const moves = fc.array(fc.double({ min: -0.06, max: 0.06, noNaN: true }), { minLength: 620, maxLength: 700 });
  fc.assert(
    fc.property(moves, fc.integer({ min: 520, max: 700 }), (steps, dayCount) => {
      let price = 100;
      const closes = Float64Array.from(steps, (step) => {
        price *= 1 + step;
        return price;
      });
      const n = Math.min(dayCount, closes.length);
      expect(frameUpTo(frameOf(closes), n)).toEqual(frameOf(closes.subarray(0, n)));
    }),
    { numRuns: 20 },
  );
});
