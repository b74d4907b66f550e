// Test: the row of a past moment between closes, in gaps, and after the last price.
import { expect, test } from 'vitest';
import type { Timeline } from '../../../shared/channels/queries.ts';
import { iso, row, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { type ChartModel, shapeChart } from '../../charts/model.ts';
import { pastRow } from './past-rows.ts';

const DAY = 86_400_000;
const FRIDAY = T0 - 10 * DAY;

test('the last state holds over days without a close, not in a gap, and not once the prices have ended', () => {
  const points = [2, 1, 0].map((daysAgo): Timeline['points'][number] => ({
    at: iso(FRIDAY - daysAgo * DAY),
    price: 100,
    state: daysAgo === 0 ? 2 : 0,
    regime: 'stress',
    confidence: 30,
  }));
  const timeline = { symbol: 'SPY', points, transitions: [] };
  const model = shapeChart(timeline, { row: null, transitions: [], gaps: [], outageSince: null, now: T0 });
  const stateOf = (days: number, gaps: ChartModel['gaps'] = []) =>
    pastRow(row('SPY', 0), { ...model, gaps }, FRIDAY + days * DAY).signal?.state;
  expect([0, 1, 2, 3].map((days) => stateOf(days))).toEqual([2, 2, 2, 2]);
  expect(stateOf(3, [{ from: FRIDAY + 2 * DAY, to: null, cause: '' }])).toBeUndefined();
  expect(stateOf(6)).toBeUndefined();
});
