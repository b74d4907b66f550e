// Test: the service's episodes are read back to those that were open at an instant, and no further.
import { expect, test } from 'vitest';
import type { Client } from '../../../client/client.ts';
import { problem } from '../../../client/problem.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import { createEpisodeReader } from './episodes.ts';

const row = (symbol: string, day: number, more: object = {}) => ({
  symbol,
  peak_state: 2,
  started_at: `2026-03-0${day}T10:00:00Z`,
  ended_at: null,
  transitions: [`evt_${symbol}${day}`],
  ...more,
});

function rigOf(pages: readonly (readonly unknown[])[]) {
  const asked: [name: string, openAt: string, after: string | null][] = [];
  const client = {
    page: async (name: string, ask: { query: { after?: string; open_at: string } }) => {
      asked.push([name, ask.query.open_at, ask.query.after ?? null]);
      const index = Number(ask.query.after ?? 0);
      const hasMore = index + 1 < pages.length;
      return ok({ rows: pages[index] ?? [], hasMore, nextCursor: hasMore ? String(index + 1) : null, took: 1 });
    },
  } as unknown as Client;
  return { asked, read: createEpisodeReader({ client, mayAsk: () => true }) };
}
const FROM = '2026-03-05T00:00:00.000Z';

test('the service is asked for the episodes that were open then, of any age and in any number', async () => {
  const { asked, read } = rigOf([[row('SPY', 4), row('QQQ', 1, { began_before_log: true, transitions: [] })]]);
  const { episodes } = await read({ symbols: ['SPY', 'QQQ', 'IWM'], from: FROM });
  expect(asked).toEqual([['alerts', FROM, null]]);
  expect(episodes.map(({ symbol, before_log }) => [symbol, before_log])).toEqual([
    ['SPY', undefined],
    ['QQQ', true],
  ]);
});

test('a service that lists all is read until each symbol has the episode that was open then', async () => {
  const { asked, read } = rigOf([[row('SPY', 7), row('QQQ', 4)], [row('SPY', 3), { odd: 1 }], [row('SPY', 1)]]);
  const { episodes } = await read({ symbols: ['SPY', 'QQQ'], from: FROM });
  expect(asked.map(([, , after]) => after)).toEqual([null, '1']);
  expect(episodes.map(({ symbol, started_at }) => [symbol, started_at.slice(0, 10)])).toEqual([
    ['SPY', '2026-03-07'],
    ['QQQ', '2026-03-04'],
    ['SPY', '2026-03-03'],
  ]);
  expect(episodes[0]).toEqual({
    symbol: 'SPY',
    peak_state: 2,
    started_at: '2026-03-07T10:00:00.000Z',
    ended_at: null,
    transitions: ['evt_SPY7'],
  });
});

test('a service whose pages never end is read to the tenth', async () => {
  const { asked, read } = rigOf(Array.from({ length: 40 }, () => [row('SPY', 7)]));
  await read({ symbols: ['SPY'], from: FROM });
  expect(asked).toHaveLength(10);
});

test('a service without episodes refuses with its reason', async () => {
  const client = { page: async () => err(problem('not_found', 'no such route')) } as unknown as Client;
  const read = createEpisodeReader({ client, mayAsk: () => true });
  await expect(read({ symbols: ['SPY'], from: FROM })).rejects.toThrow('no such route');
  const offline = createEpisodeReader({ client, mayAsk: () => false });
  await expect(offline({ symbols: ['SPY'], from: FROM })).rejects.toThrow('not connected');
});
