// Test: the list of instruments: all pages of any service, once an hour.
import { expect, test } from 'vitest';
import type { Client } from '../../../client/client.ts';
import { problem } from '../../../client/problem.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { createInstrumentReader } from './instruments.ts';

type Query = { readonly after?: string; readonly include?: readonly string[] };

function rig(answer: (query: Query) => ReturnType<typeof page> | ReturnType<typeof refusal>, mayAsk = true) {
  const queries: Query[] = [];
  const clock = createManualClock(0);
  const client = {
    async page(_name: string, { query }: { query: Query }) {
      queries.push(query);
      return answer(query);
    },
  } as unknown as Client;
  return { read: createInstrumentReader({ client, mayAsk: () => mayAsk, clock }), queries, clock };
}
const page = (rows: readonly unknown[], nextCursor: string | null = null) =>
  ok({ rows, nextCursor, hasMore: nextCursor !== null, took: 1 });
const refusal = (kind: Parameters<typeof problem>[0]) => err(problem(kind, 'no'));
const SPY = { symbol: 'SPY', name: 'S&P 500 ETF', asset_class: 'etf', state: 0 };

test('all pages, with the names and classes that the service gives', async () => {
  const { read, queries } = rig(({ after }) =>
    after === undefined
      ? page([SPY, { symbol: '???' }, 'garbage'], 'c1')
      : page([{ symbol: 'odd', asset_class: 'pork' }]),
  );
  expect(await read()).toEqual({
    instruments: [
      { symbol: 'SPY', name: 'S&P 500 ETF', asset_class: 'etf' },
      { symbol: 'ODD', name: null, asset_class: null },
    ],
    is_whole: true,
  });
  expect(queries.map(({ after, include }) => [after, include])).toEqual([
    [undefined, ['stale']],
    ['c1', ['stale']],
  ]);
});

test('a service that refuses the parameter is asked without it', async () => {
  const { read } = rig(({ include }) => (include === undefined ? page([SPY]) : refusal('bad_request')));
  expect((await read()).instruments).toHaveLength(1);
});

test('a service whose pages do not end is read to a limit, and the list is marked as incomplete', async () => {
  const { read, queries } = rig(() => page([SPY], 'again'));
  expect((await read()).is_whole).toBe(false);
  expect(queries).toHaveLength(2);
});

test('once an hour, and concurrent calls share one read', async () => {
  const { read, queries, clock } = rig(() => page([SPY]));
  await Promise.all([read(), read()]);
  await read();
  expect(queries).toHaveLength(1);
  await clock.advance(3_600_000);
  await read();
  expect(queries).toHaveLength(2);
});

test('a failure is not cached', async () => {
  let isDown = true;
  const { read } = rig(() => (isDown ? refusal('network') : page([SPY])));
  await expect(read()).rejects.toThrow('The list of instruments');
  isDown = false;
  expect((await read()).instruments).toHaveLength(1);
  await expect(rig(() => page([SPY]), false).read()).rejects.toThrow('not connected');
});
