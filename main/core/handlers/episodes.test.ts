// Test: the service's episodes are read back to those that were open at an instant, and no further.

import { expect, test } from 'vitest';
import type { Client } from '../../../client/client.ts';
import { problem } from '../../../client/problem.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import { CONTRACT_VOCABULARY } from '../compat/vocabulary.ts';
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
  return { asked, read: createEpisodeReader({ client, mayAsk: () => true, vocabulary: CONTRACT_VOCABULARY }) };
}
const FROM = '2026-03-05T00:00:00.000Z';
const instantOf = (minute: number): string => new Date(Date.parse(FROM) + 60_000 * minute).toISOString();

const openThen = (...symbols: string[]) => ({ open: symbols.map((symbol) => ({ symbol, at: FROM })) });

test('the service is asked for the episodes that were open then, of any age and in any number', async () => {
  const { asked, read } = rigOf([[row('SPY', 4), row('QQQ', 1, { began_before_log: true, transitions: [] })]]);
  const { episodes } = await read(openThen('SPY', 'QQQ', 'IWM'));
  expect(asked).toEqual([['alerts', FROM, null]]);
  expect(episodes.map(({ symbol, before_log }) => [symbol, before_log])).toEqual([
    ['SPY', undefined],
    ['QQQ', true],
  ]);
});

test('episodes that were open at different instants are all found, in few requests', async () => {
  const served = Array.from({ length: 40 }, (_, index) => ({
    ...row(`S${index}`, 1),
    started_at: instantOf(2 * index),
    // Every eighth ended before the others began.
    ended_at: index % 8 === 0 ? instantOf(2 * index + 3) : null,
  }));
  const asked: string[] = [];
  const page = async (_: string, { query }: { query: { open_at: string; symbols: string[] } }) => {
    asked.push(query.open_at);
    const rows = served.filter(
      ({ symbol, started_at, ended_at }) =>
        query.symbols.includes(symbol) &&
        started_at <= query.open_at &&
        (ended_at === null || query.open_at <= ended_at),
    );
    return ok({ rows, hasMore: false, nextCursor: null, took: 1 });
  };
  const read = createEpisodeReader({
    client: { page } as unknown as Client,
    mayAsk: () => true,
    vocabulary: CONTRACT_VOCABULARY,
  });
  const open = served.map(({ symbol }, index) => ({ symbol, at: instantOf(2 * index + 1) }));
  const { episodes } = await read({ open: [...open, { symbol: 'NONE', at: instantOf(5) }] });
  expect(new Set(episodes.map(({ symbol }) => symbol))).toEqual(new Set(served.map(({ symbol }) => symbol)));
  expect(asked.length).toBeLessThanOrEqual(10);
});

test('a service that lists all is read until each symbol has the episode that was open then', async () => {
  const { asked, read } = rigOf([[row('SPY', 7), row('QQQ', 4)], [row('SPY', 3), { odd: 1 }], [row('SPY', 1)]]);
  const { episodes } = await read(openThen('SPY', 'QQQ'));
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
  await read(openThen('SPY'));
  expect(asked).toHaveLength(10);
});

test('a service without episodes refuses with its reason', async () => {
  const client = { page: async () => err(problem('not_found', 'no such route')) } as unknown as Client;
  const read = createEpisodeReader({ client, mayAsk: () => true, vocabulary: CONTRACT_VOCABULARY });
  await expect(read(openThen('SPY'))).rejects.toThrow('no such route');
  const offline = createEpisodeReader({ client, mayAsk: () => false, vocabulary: CONTRACT_VOCABULARY });
  await expect(offline(openThen('SPY'))).rejects.toThrow('not connected');
});
