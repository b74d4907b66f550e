import { describe, expect, it } from 'vitest';
import { type Asking, hear, isDue } from './asking.ts';
import type { Slot } from './state.ts';

type Heard = readonly [status: Slot<unknown>['status'] | null, returns: number];

/** Whether it is due after each of these, of one reading. */
function due(...heard: Heard[]): boolean[] {
  let asking: Asking | null = null;
  return heard.map(([status, returns]) => {
    asking = hear(asking, 'SPY', status, returns);
    return isDue(asking, returns);
  });
}

describe('a reading that failed', () => {
  it('is due when the connection comes back, not before', () => {
    expect(due(['reading', 1], ['failed', 1], ['failed', 1], ['failed', 2])).toEqual([false, false, false, true]);
  });
  it('is due once for each return, however often it fails', () => {
    expect(due(['reading', 1], ['failed', 2], ['reading', 2], ['failed', 2], ['failed', 3])).toEqual([
      false,
      true,
      false,
      false,
      true,
    ]);
  });
  it('is due where it was asked for before the return and failed after it', () => {
    expect(due(['reading', 1], ['reading', 2], ['failed', 2])).toEqual([false, false, true]);
  });
  it('is due when it is shown again', () => {
    expect(due(['failed', 1], ['reading', 1], ['failed', 1])).toEqual([true, false, false]);
  });
});

describe('a reading that did not fail', () => {
  it('is not asked for again', () => {
    expect(due([null, 1], ['reading', 1], ['ready', 1], ['ready', 2], [null, 3])).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
  it('does not take over what was known of another', () => {
    const other = hear(hear(null, 'SPY', 'reading', 1), 'QQQ', 'ready', 2);
    expect(hear(other, 'QQQ', 'failed', 2)).toEqual({ key: 'QQQ', status: 'failed', askedAt: 2 });
  });
});
