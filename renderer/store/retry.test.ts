import { describe, expect, it } from 'vitest';
import { isDue, observe, type RetryState } from './retry.ts';
import type { QueryResult } from './state.ts';

type Observation = readonly [status: QueryResult<unknown>['status'] | null, returns: number];

/** Whether it is due after each of these, of one reading. */
function due(...observations: Observation[]): boolean[] {
  let retryState: RetryState | null = null;
  return observations.map(([status, reconnects]) => {
    retryState = observe(retryState, 'SPY', status, reconnects);
    return isDue(retryState, reconnects);
  });
}

describe('a reading that failed', () => {
  it('is due when the connection comes back, not before', () => {
    expect(due(['loading', 1], ['failed', 1], ['failed', 1], ['failed', 2])).toEqual([false, false, false, true]);
  });
  it('is due once for each return, however often it fails', () => {
    expect(due(['loading', 1], ['failed', 2], ['loading', 2], ['failed', 2], ['failed', 3])).toEqual([
      false,
      true,
      false,
      false,
      true,
    ]);
  });
  it('is due where it was asked for before the return and failed after it', () => {
    expect(due(['loading', 1], ['loading', 2], ['failed', 2])).toEqual([false, false, true]);
  });
  it('is due when it is shown again', () => {
    expect(due(['failed', 1], ['loading', 1], ['failed', 1])).toEqual([true, false, false]);
  });
});

describe('a reading that did not fail', () => {
  it('is not asked for again', () => {
    expect(due([null, 1], ['loading', 1], ['ready', 1], ['ready', 2], [null, 3])).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
  it('does not take over what was known of another', () => {
    const other = observe(observe(null, 'SPY', 'loading', 1), 'QQQ', 'ready', 2);
    expect(observe(other, 'QQQ', 'failed', 2)).toEqual({ key: 'QQQ', status: 'failed', reconnectsAtRequest: 2 });
  });
});
