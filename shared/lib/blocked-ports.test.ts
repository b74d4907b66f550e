// Test: the blocked ports are those that fetch refuses.
import { expect, test } from 'vitest';
import { whyBlocked } from './blocked-ports.ts';

/** From and to: those with blocked ports. */
const RANGES = [
  [1, 1_100],
  [1_700, 2_100],
  [3_600, 3_700],
  [4_000, 4_200],
  [5_000, 5_100],
  [6_500, 6_700],
  [6_000, 6_010],
  [10_070, 10_090],
] as const;

test('the list is that of the fetch of this Node', async () => {
  const ports = RANGES.flatMap(([from, to]) => Array.from({ length: to - from }, (_, index) => from + index));
  // Gets each request that fetch would send, and sends none.
  const dispatcher = {
    dispatch() {
      throw new Error('would be sent');
    },
  };
  const isRefused = (port: number): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/`, { dispatcher } as unknown as RequestInit).then(
      () => false,
      (error) => /bad port/.test(String(error.cause)),
    );
  const refused = await Promise.all(ports.map(isRefused));
  expect(ports.filter((port) => whyBlocked(port) !== null)).toEqual(ports.filter((_, index) => refused[index]));
  expect(refused.filter(Boolean).length).toBeGreaterThan(80);
});

test('the reason names the port', () => {
  expect(whyBlocked(6666)).toMatch(/^port 6666 belongs to another protocol/);
  expect(whyBlocked(4780)).toBeNull();
});
