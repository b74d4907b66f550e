// Test: the feeds of our service, of a foreign one without feeds, and of an unreachable one; answers about prices.
import { expect, test } from 'vitest';
import { type ProblemKind, problem } from '../../../client/problem.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import { createFeedHandlers, type FeedHandlerDeps } from './feeds.ts';

const FEED = {
  name: 'alpaca',
  status: 'following',
  symbols: 1,
  delay_seconds: 0,
  last_price_at: null,
  budgets: [],
  last_fault: null,
  without_prices: [],
  history: { done: 1, stopped: false },
} as const;

function rig(answer: readonly unknown[] | ProblemKind, mayAsk = true, isTaken = false) {
  const asked: string[] = [];
  let refreshes = 0;
  const client: FeedHandlerDeps['client'] = {
    async page(name) {
      asked.push(name);
      if (typeof answer === 'string') return err(problem(answer, 'said', answer === 'not_found' ? 404 : null));
      return ok({ rows: answer, hasMore: false, nextCursor: null, took: 1 });
    },
    async read(name, request) {
      asked.push(`${name} ${JSON.stringify(request)}`);
      return isTaken ? ok({} as never) : err(problem('forbidden', 'This key may not.', 403));
    },
  };
  const refresh = (): void => {
    refreshes += 1;
  };
  return { asked, handlers: createFeedHandlers({ client, mayAsk: () => mayAsk, refresh }), refreshes: () => refreshes };
}

test('rows in another form are left out', async () => {
  const { handlers } = rig([FEED, { name: 'other' }, 7]);
  expect(await handlers['feeds.read']({})).toEqual({ feeds: [FEED] });
});

test('a service without feeds is asked once', async () => {
  const { handlers, asked } = rig('not_found');
  for (let n = 0; n < 3; n += 1) expect(await handlers['feeds.read']({})).toEqual({ feeds: [] });
  expect(asked).toEqual(['feeds']);
});

test('a service that cannot be reached is a refusal, and asked again', async () => {
  const { handlers, asked } = rig('timeout');
  for (let n = 0; n < 2; n += 1) await expect(handlers['feeds.read']({})).rejects.toThrow();
  expect(asked).toHaveLength(2);
  await expect(rig([], false).handlers['feeds.read']({})).rejects.toThrow();
});

test('history is stopped by the service, whose refusal is shown', async () => {
  const { handlers, asked } = rig([]);
  await expect(handlers['feeds.stop_history']({ name: 'alpaca', stopped: true })).rejects.toThrow();
  expect(asked).toEqual(['setFeedHistory {"params":{"name":"alpaca"},"body":{"stopped":true}}']);
});

test('a symbol of a simulated market is raised by the service, whose refusal is shown', async () => {
  const { handlers, asked } = rig([], true, true);
  await handlers['sandbox.raise']({ symbol: 'SPY' });
  expect(asked).toEqual(['trigger {"body":{"event":"signal.high_risk","symbol":"SPY"}}']);
  await expect(rig([]).handlers['sandbox.raise']({ symbol: 'SPY' })).rejects.toThrow('This key may not.');
});

test('an answer about a price goes to the service, whose refusal is shown; the signals are read at once', async () => {
  const { handlers, asked, refreshes } = rig([]);
  const answer = { symbol: 'AAPL', date: '2026-03-02', answer: { answer: 'split', ratio: '3:2' } } as const;
  await expect(handlers['prices.answer'](answer)).rejects.toThrow('This key may not.');
  expect(asked).toEqual([
    'answerPrice {"params":{"symbol":"AAPL","date":"2026-03-02"},"body":{"answer":"split","ratio":"3:2"}}',
  ]);
  expect(refreshes()).toBe(0);
  await expect(rig([], false).handlers['prices.answer'](answer)).rejects.toThrow('Nothing was changed');
  const taken = rig([], true, true);
  await taken.handlers['prices.answer'](answer);
  expect(taken.refreshes()).toBe(1);
});
