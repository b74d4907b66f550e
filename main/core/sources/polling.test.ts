// Test: the interval at which signals are polled: normal, stretched by a short quota, or at once.
import { expect, test } from 'vitest';
import { ok } from '../../../shared/lib/result.ts';
import { createTestContext } from '../../../test/harness/core-context.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { createPoll, pollCost } from './polling.ts';
import { createRowTable } from './rows.ts';

const CADENCE = 30_000;
const queryOf = (call: unknown) => (call as { query: { include?: string[]; symbols: string[] } }).query;

test('whole intervals are skipped while the quota is short, and no longer', async () => {
  const clock = createManualClock();
  const rows = createRowTable();
  rows.keep(['SPY']);
  let calls = 0;
  let paces = 1;
  const poll = createPoll({
    context: createTestContext(clock, 'production'),
    client: {
      page: async (_, call) => {
        // The symbols whose prices ended are asked for at their own pace.
        calls += 'include' in queryOf(call) ? 0 : 1;
        return ok({ rows: [], hasMore: false, nextCursor: null, took: 1 });
      },
      read: async () => ok({ value: {}, headers: new Headers(), took: 1 }),
    },
    slowed: () => paces,
    rows,
    mayAsk: () => true,
  });
  const within = async (ms: number): Promise<number> => {
    const before = calls;
    await clock.advance(ms);
    return calls - before;
  };
  poll.start();
  expect(calls).toBe(1);
  expect(await within(10 * CADENCE)).toBe(10);
  paces = 5;
  expect(await within(20 * CADENCE)).toBe(4);
  poll.now();
  expect(calls).toBe(16);
  paces = 1;
  expect(await within(10 * CADENCE)).toBe(10);
  poll.stop();
  expect(await within(10 * CADENCE)).toBe(0);
});

test('calls per hour: one for every hundred symbols and poll', () => {
  expect([pollCost(1, CADENCE), pollCost(100, CADENCE), pollCost(101, CADENCE), pollCost(0, CADENCE)]).toEqual([
    120, 120, 240, 0,
  ]);
});

test('a watched symbol whose prices ended keeps its last signal, flagged as stale, asked for at a slow pace', async () => {
  const clock = createManualClock();
  const rows = createRowTable();
  rows.keep(['SPY', 'BTC', 'DEAD']);
  const row = {
    asset_class: 'etf',
    state: 0,
    confidence: null,
    note: '',
    price: 5,
    updated_at: '2026-03-02T14:30:00Z',
  };
  const asked: string[] = [];
  const regimes: string[] = [];
  let health: object = {};
  const poll = createPoll({
    context: createTestContext(clock, 'production'),
    client: {
      page: async (_, call) => {
        const { include, symbols } = queryOf(call);
        if (include !== undefined) asked.push(symbols.join());
        const found = ['SPY', ...(include === undefined ? [] : ['DEAD'])].filter((symbol) => symbols.includes(symbol));
        const health = (symbol: string) => (symbol === 'DEAD' ? 'stale' : 'current');
        const answer = found.map((symbol) => ({ ...row, symbol, data_health: health(symbol) }));
        return ok({ rows: answer, hasMore: false, nextCursor: null, took: 1 });
      },
      read: async (_, call) => {
        regimes.push((call as { params: { symbol: string } }).params.symbol);
        return ok({
          value: { regime: 'calm', price: 5, change_pct: -1.5, as_of: '2026-03-02T14:30:00.000Z', ...health },
          headers: new Headers(),
          took: 1,
        });
      },
    },
    slowed: () => 1,
    rows,
    mayAsk: () => true,
  });
  poll.start();
  await clock.advance(5 * CADENCE);
  expect(rows.get('DEAD')).toMatchObject({ coverage: 'full', stale: true, signal: { state: 0, data_health: 'stale' } });
  expect([rows.get('SPY')?.stale, rows.get('BTC')?.coverage]).toEqual([false, 'regime_only']);
  const asOf = '2026-03-02T14:30:00.000Z';
  expect(rows.get('BTC')?.quote).toEqual({ price: 5, change_pct: -1.5, at: asOf, old: false });
  expect([asked, regimes]).toEqual([['BTC,DEAD'], ['BTC']]);
  // A price of two days ago has its own time, and no change.
  health = { data_health: 'stale', data_age_seconds: 2 * 86_400 };
  await clock.advance(3_600_000);
  expect(rows.get('BTC')?.quote).toEqual({ price: 5, change_pct: null, at: '2026-02-28T14:30:00.000Z', old: true });
  poll.stop();
});
