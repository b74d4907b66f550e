// Service, market feeds, test: of which dates a vendor is asked for corporate actions.
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../shared/lib/time.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { followActions } from './follow-actions.ts';
import type { PriceFeed } from './price-feed.ts';

test('those of the whole history at the start, as its prices are raw, then those of thirty days', async () => {
  const clock = createManualClock(Date.parse('2026-03-05T22:00:00Z'));
  const asked: string[] = [];
  const feed: Pick<PriceFeed, 'actions'> = {
    async actions({ from }) {
      asked.push(from);
      return [];
    },
  };
  const ending = new AbortController();
  const following = followActions(
    {
      ...{ clock, feed: feed as PriceFeed, symbols: ['A'], random: () => 0, onError: () => undefined },
      record: { act: () => undefined, jumps: () => [] },
    },
    ending.signal,
  );
  await clock.advance(2.5 * HOUR_MS);
  expect(asked).toEqual(['2021-02-23', '2026-02-03', '2026-02-04']);
  // After a long sleep of the computer those since the last answer.
  clock.jump(60 * DAY_MS);
  await clock.advance(1.5 * HOUR_MS);
  ending.abort(new Error('enough'));
  await expect(following).rejects.toThrow('enough');
  expect(asked.slice(3)).toEqual(['2026-03-06', '2026-04-05']);
});
