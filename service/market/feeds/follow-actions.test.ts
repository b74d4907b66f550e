// Service, market feeds, test: the dates of which a vendor's corporate actions are fetched.
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../shared/lib/time.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { askPresentActions, followActions } from './follow-actions.ts';
import { FeedError, type PriceFeed } from './price-feed.ts';

test('fetches the actions of the whole history at the start, then those of thirty days', async () => {
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
      record: { recordActions: () => undefined, questioned: () => [] },
    },
    ending.signal,
  );
  await clock.advance(2.5 * HOUR_MS);
  expect(asked).toEqual(['2021-02-23', '2026-02-03', '2026-02-04']);
  // After a long sleep of the computer, fetches the actions since the last answer.
  clock.jump(60 * DAY_MS);
  await clock.advance(1.5 * HOUR_MS);
  ending.abort(new Error('enough'));
  await expect(following).rejects.toThrow('enough');
  expect(asked.slice(3)).toEqual(['2026-03-06', '2026-04-05']);
});

test.each([
  ['is asked until it answers about them', false, 6],
  ['that answers, but not about them, is asked three times', true, 3],
])('before prices are used, a vendor %s', async (_, isAnswering, most) => {
  const clock = createManualClock(Date.parse('2026-03-05T22:00:00Z'));
  const asked: string[] = [];
  const retry = (): FeedError => new FeedError('retry', 'fake answered 503.');
  const feed: Pick<PriceFeed, 'actions' | 'check'> = {
    check: async () => {
      if (!isAnswering) throw retry();
      return { clockSkewMs: 0, plan: null };
    },
    async actions({ from, to }) {
      asked.push(`${from} ${to}`);
      if (asked.length < 6) throw retry();
      return [{ kind: 'dividend', symbol: 'A', date: '2026-03-06', factor: null, amount: 1, note: null }];
    },
  };
  const recorded: unknown[] = [];
  const asking = askPresentActions(
    {
      ...{ clock, feed: feed as PriceFeed, symbols: ['A'], random: () => 0.5, onError: () => undefined },
      record: { recordActions: (actions) => void recorded.push(...actions), questioned: () => [] },
    },
    new AbortController().signal,
  );
  await clock.advance(10 * 60_000);
  await asking;
  expect(asked).toEqual(Array.from({ length: most }, () => '2026-02-03 2026-03-12'));
  expect(recorded).toHaveLength(isAnswering ? 0 : 1);
});
