import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameOf } from '../engine/scoring/frame.ts';
import { frameUpTo } from './record.ts';

test('a frame cut back to an earlier close is the frame that was made then', () => {
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
