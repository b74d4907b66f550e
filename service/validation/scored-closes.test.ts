// Service, validation, test: which closes of the record are kept.
import { expect, test } from 'vitest';
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import { WARM } from '../engine/scoring/frame.ts';
import type { Reading } from '../engine/types.ts';
import { createCloseKeeper, pastClosesOf } from './scored-closes.ts';

const FIRST = Date.parse('2010-01-01');

/** Closes of so many days, in High Risk on every hundredth. */
function keptOf(days: number) {
  const keeper = createCloseKeeper();
  for (let day = 0; day < days; day += 1) {
    const reading = { date: dateOf(FIRST + day * DAY_MS), close: 100 + day, state: day % 100 === 0 ? 2 : 0 };
    keeper.afterClose(new Map([['SPY', reading as Reading]]));
  }
  return keeper.kept().map(pastClosesOf);
}

test('the closes of the last ten years are kept, with their periods in High Risk', () => {
  const [found] = keptOf(5_000);
  expect([found?.dates[0], found?.dates.at(-1), found?.dates.length]).toEqual(['2013-09-08', '2023-09-09', 3_654]);
  expect(found?.closes.at(-1)).toBe(5_099);
  expect(found?.high_risk.length).toBe(36);
});

test('no close of the warm-up is kept', () => {
  expect(keptOf(WARM)).toEqual([]);
  expect(keptOf(WARM + 3)[0]?.closes).toEqual([100 + WARM, 101 + WARM, 102 + WARM]);
});
