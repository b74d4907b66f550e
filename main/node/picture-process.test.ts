// Test: a picture is drawn by a process that ends with it.
import { expect, test } from 'vitest';
import { createPngRenderer } from '../core/pictures/png.ts';
import { systemClock } from '../host/system-clock.ts';
import { startPicture } from './machine.ts';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="420"><text font-family="IBM Plex Sans">SPY</text></svg>';

test('a picture is 1,200 by 630 pixels, the same for the same drawing, and no process is left', {
  tags: ['long'],
}, async () => {
  const ended: string[] = [];
  const start = () => {
    const child = startPicture();
    child.onEnd((why) => ended.push(why));
    return child;
  };
  const render = createPngRenderer(start, systemClock);
  const [first, second] = await Promise.all([render(SVG), render(SVG)]);
  expect([first.subarray(1, 4).toString(), first.readUInt32BE(16), first.readUInt32BE(20)]).toEqual(['PNG', 1200, 630]);
  expect(second.equals(first)).toBe(true);
  await expect.poll(() => ended).toEqual(['its process ended (SIGKILL)', 'its process ended (SIGKILL)']);
});

test('a drawing that is no SVG is refused', async () => {
  await expect(createPngRenderer(startPicture, systemClock)('no drawing')).rejects.toThrow();
});
