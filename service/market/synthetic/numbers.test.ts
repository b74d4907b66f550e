// Service, sandbox world, test: elementary functions and random numbers.
import { describe, expect, it } from 'vitest';
import { exp, keyOf, keyOfText, ln, normalDraw, quoted, stream, unit } from './numbers.ts';

describe('exp and ln', () => {
  it('agree with the platform to a part in 10^13', () => {
    for (let x = -40; x <= 40; x += 0.37) expect(exp(x) / Math.exp(x)).toBeCloseTo(1, 12);
    for (let x = 1e-9; x < 1e9; x *= 1.7) expect(Math.abs(ln(x) - Math.log(x))).toBeLessThan(1e-12);
  });

  it('give these bits on every platform', () => {
    expect([exp(1), exp(-3.25), ln(7.5), ln(0.003)]).toEqual([
      2.7182818284590424, 0.03877420783172201, 2.0149030205422647, -5.809142990314027,
    ]);
  });
});

describe('random numbers', () => {
  it('have mean 0 and deviation 1 when drawn as normal', () => {
    const next = stream(7);
    let sum = 0;
    let squares = 0;
    const count = 200_000;
    for (let n = 0; n < count; n++) {
      const value = normalDraw(next(), next());
      sum += value;
      squares += value * value;
    }
    expect(Math.abs(sum / count)).toBeLessThan(0.01);
    expect(squares / count).toBeCloseTo(1, 1);
  });

  it('spread evenly over neighbouring keys', () => {
    const counts = new Array(10).fill(0);
    for (let n = 0; n < 50_000; n++) counts[Math.floor(10 * unit(keyOf(42, n)))] += 1;
    for (const count of counts) expect(Math.abs(count - 5000)).toBeLessThan(350);
  });

  it('are the same for the same key and differ for another', () => {
    const [a, b, c] = [stream(1), stream(1), stream(2)];
    const take = (next: () => number): number[] => Array.from({ length: 5 }, next);
    expect(take(a)).toEqual(take(b));
    expect(take(a)).not.toEqual(take(c));
    expect(keyOfText(1, 'SPY')).not.toBe(keyOfText(1, 'SPX'));
    expect(keyOfText(1, 'AB')).not.toBe(keyOfText(1, 'BA'));
  });
});

it('prices are quoted in cents, small ones in hundredths of a cent', () => {
  expect([quoted(1.234567), quoted(9.99999), quoted(10.126), quoted(5432.1049)]).toEqual([1.2346, 10, 10.13, 5432.1]);
});
