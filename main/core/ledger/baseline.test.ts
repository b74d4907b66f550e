// Test: the baseline where another log begins: which of its events are history.
import { expect, test } from 'vitest';
import { START, setUpLedger } from '../../../test/harness/ledger-bench.ts';
import { baselineAt, startNewLog } from './baseline.ts';

const bench = setUpLedger();

const HOUR = 3_600_000;
/**
 * Baseline of a new log at the given present, in hours after START; the last proof is at START by both
 * clocks.
 */
const line = (present: { world: number; here: number; speed?: number; newest?: number }): number => {
  bench.ledger.caughtUp({ world: START, here: START }, 0);
  startNewLog(bench.ledger.metadata, { speed: 1, newest: null, ...present });
  return ((baselineAt(bench.ledger.metadata) ?? Number.NaN) - START) / HOUR;
};
test.each([
  ['both clocks agree', { world: START + 5 * HOUR, here: START + 5 * HOUR }, 0],
  ['the local clock was set back meanwhile', { world: START + 5 * HOUR, here: START + 4 * HOUR }, 0],
  ['the local clock was set ahead meanwhile', { world: START + 5 * HOUR, here: START + 7 * HOUR }, -2],
  ['a world that runs sixty times as fast', { world: START + 60 * HOUR, here: START + HOUR, speed: 60 }, 0],
  ['a stopped world', { world: START, here: START + 5 * HOUR, speed: 0 }, 0],
  ['a world set back', { world: START - 100 * HOUR, here: START + 2 * HOUR }, -102],
  ['another world, years ahead', { world: START + 50_000 * HOUR, here: START + 2 * HOUR }, 49_998],
  ['a proof after the newest transition', { world: START + HOUR, here: START + HOUR, newest: START - 3 * HOUR }, -3],
  [
    'the newest transition is of another world',
    { world: START + HOUR, here: START + HOUR, newest: START - 200 * HOUR },
    0,
  ],
  ['both clocks set back: a day is assumed', { world: START - HOUR, here: START - HOUR }, -25],
])('%s', (_, present, hours) => {
  expect(line(present)).toBe(hours);
});
test('the baseline applies until the log was read to its end', () => {
  line({ world: START + HOUR, here: START + HOUR });
  bench.ledger.caughtUp({ world: START + HOUR, here: START + HOUR }, 0);
  expect(baselineAt(bench.ledger.metadata)).toBeNull();
});
