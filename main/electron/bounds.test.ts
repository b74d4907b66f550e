// Test: positions of windows: remembered, checked against the present screens, always reachable.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bounds, fitBounds, MIN_SIZE } from './bounds.ts';

const main: Bounds = { x: 0, y: 24, width: 1920, height: 1056 };
const left: Bounds = { x: -1280, y: 0, width: 1280, height: 1024 };
const was: Bounds = { x: 100, y: 120, width: 1200, height: 800 };

describe('a window', () => {
  test('that is new opens in the middle of the main screen, at the default size', () => {
    expect(fitBounds([main, left], null, [])).toEqual({ x: 240, y: 102, width: 1440, height: 900 });
  });
  test('opens where it was', () => {
    expect(fitBounds([main, left], was, [])).toEqual(was);
    expect(fitBounds([main, left], { ...was, x: -1200 }, [])).toEqual({ ...was, x: -1200 });
  });
  test('whose screen is gone opens on the main one, in the same size', () => {
    expect(fitBounds([main], { ...was, x: -1200 }, [])).toEqual({ x: 360, y: 152, width: 1200, height: 800 });
  });
  test.each([
    ['above the top', { ...was, y: -40 }],
    ['below the bottom', { ...was, y: 1070 }],
    ['beyond the right edge', { ...was, x: 1900 }],
    ['where no screen ever was', { ...was, x: 50_000, y: -50_000 }],
  ])('at %s becomes reachable', (_where, before) => {
    expect(fitBounds([main], before, [])).toEqual({ x: 360, y: 152, width: 1200, height: 800 });
  });
  test('that hangs over an edge is moved in', () => {
    expect(fitBounds([main], { ...was, x: 1500 }, [])).toEqual({ ...was, x: 720 });
  });
  test('that is larger than the screen is shrunk to it', () => {
    expect(fitBounds([{ x: 0, y: 0, width: 1024, height: 740 }], null, [])).toEqual({
      x: 0,
      y: 0,
      width: 1024,
      height: 740,
    });
  });
  test('is moved when another window has the same position', () => {
    expect(fitBounds([main], was, [was])).toEqual({ ...was, x: 128, y: 148 });
    expect(fitBounds([main], was, [was, { ...was, x: 128, y: 148 }])).toEqual({ ...was, x: 156, y: 176 });
  });
});

test('can be grabbed, wherever it was and whatever screens there are', () => {
  const coordinate = fc.integer({ min: -20_000, max: 20_000 });
  const area = fc.record({
    x: coordinate,
    y: coordinate,
    width: fc.integer({ min: 640, max: 8_000 }),
    height: fc.integer({ min: 480, max: 5_000 }),
  });
  const window = fc.record({
    x: coordinate,
    y: coordinate,
    width: fc.integer({ min: 1, max: 9_000 }),
    height: fc.integer({ min: 1, max: 9_000 }),
  });
  fc.assert(
    fc.property(
      area,
      fc.array(area, { maxLength: 3 }),
      fc.option(window),
      fc.array(window, { maxLength: 5 }),
      (first, others, before, taken) => {
        const fitted = fitBounds([first, ...others], before, taken);
        const reachable = [first, ...others].some(
          (on) =>
            fitted.y >= on.y &&
            fitted.y + 32 <= on.y + on.height &&
            Math.min(fitted.x + fitted.width, on.x + on.width) - Math.max(fitted.x, on.x) >= 120,
        );
        return reachable && fitted.width >= MIN_SIZE.width && fitted.height >= MIN_SIZE.height;
      },
    ),
    { numRuns: 2_000 },
  );
});
