// Test: the interval at which signals are polled: normal, stretched by a short quota, or at once.

import { expect, test } from 'vitest';
import { problem } from '../../../client/problem.ts';
import type { RowSignal } from '../../../shared/channels/state.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import { createTestContext } from '../../../test/harness/core-context.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { CONTRACT_VOCABULARY } from '../compat/vocabulary.ts';
import type { CoreEvents } from '../events.ts';
import { createRowTable } from '../rows.ts';
import { createSignalPolling, pollCost } from './polling.ts';

const CADENCE = 30_000;
const queryOf = (call: unknown) => (call as { query: { include?: string[]; symbols: string[] } }).query;

test('whole intervals are skipped while the quota is short, and no longer', async () => {
  const clock = createManualClock();
  const rows = createRowTable();
  rows.keep(['SPY']);
  let calls = 0;
  let paces = 1;
  const poll = createSignalPolling({
    vocabulary: CONTRACT_VOCABULARY,
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

test('after a transition of a watched symbol signals are polled at once, once for a burst', async () => {
  const setUp = (environment: 'production' | 'sandbox') => {
    const clock = createManualClock();
    const rows = createRowTable();
    rows.keep(['SPY']);
    const asked: number[] = [];
    const begin = clock.now();
    const poll = createSignalPolling({
      vocabulary: CONTRACT_VOCABULARY,
      context: createTestContext(clock, environment),
      client: {
        page: async (_, call) => {
          if (!('include' in queryOf(call))) asked.push(clock.now() - begin);
          return ok({ rows: [], hasMore: false, nextCursor: null, took: 1 });
        },
        read: async () => ok({ value: {}, headers: new Headers(), took: 1 }),
      },
      slowed: () => 1,
      rows,
      mayAsk: () => true,
    });
    const transition = (symbol: string): void =>
      poll.on.recorded?.({
        added: [{ ledgerId: 1, event: { transition: { symbol } } }],
      } as unknown as CoreEvents['recorded']);
    poll.start();
    return { clock, asked, poll, transition };
  };
  const { clock, asked, poll, transition } = setUp('production');
  await clock.advance(5_000);
  for (const symbol of ['QQQ', 'SPY', 'SPY']) transition(symbol);
  await clock.advance(500);
  transition('SPY');
  await clock.advance(10_000);
  expect(asked).toEqual([0, 6_000]);
  transition('QQQ');
  await clock.advance(10_000);
  expect(asked).toEqual([0, 6_000]);
  transition('SPY');
  poll.stop();
  await clock.advance(10_000);
  expect(asked).toHaveLength(2);

  const sandbox = setUp('sandbox');
  await sandbox.clock.advance(500);
  sandbox.transition('SPY');
  await sandbox.clock.advance(1_400);
  expect(sandbox.asked).toEqual([0]);
  sandbox.poll.stop();
});

test('regimes without a signal are polled by the clock of a replay, the longest unasked first', async () => {
  const clock = createManualClock();
  const symbols = Array.from({ length: 15 }, (_, index) => `FX${index}`);
  const rows = createRowTable();
  rows.keep(symbols);
  const context = createTestContext(clock, 'production');
  const asked: string[] = [];
  const poll = createSignalPolling({
    vocabulary: CONTRACT_VOCABULARY,
    context,
    client: {
      page: async () => ok({ rows: [], hasMore: false, nextCursor: null, took: 1 }),
      read: async (_, call) => {
        asked.push((call as { params: { symbol: string } }).params.symbol);
        return ok({ value: { regime: 'calm' }, headers: new Headers(), took: 1 });
      },
    },
    slowed: () => 1,
    rows,
    mayAsk: () => true,
  });
  poll.start();
  await clock.advance(1_000);
  // The speed is known once the service answered.
  context.world.sample(0, clock.now(), 3_600);
  await clock.advance(3 * CADENCE);
  poll.stop();
  expect(asked.slice(0, 15)).toEqual(symbols);
  expect(asked).toHaveLength(40);
  const counts = Map.groupBy(asked, (symbol) => symbol);
  expect(Math.min(...symbols.map((symbol) => counts.get(symbol)?.length ?? 0))).toBe(2);
});

test('after a transition, the next decision is unknown until a poll', () => {
  const rows = createRowTable();
  rows.keep(['SPY']);
  const [close, next] = ['2020-02-24T21:00:00.000Z', '2020-02-25T21:00:00.000Z'];
  const change = { symbol: 'SPY', to_state: 2, occurred_at: close, regime: null } as Transition;
  const due = (at: string) => {
    rows.polled(
      [{ symbol: 'SPY', state: 0, updated_at: '2020-02-21T21:00:00.000Z', next_decision_at: at } as RowSignal],
      close,
    );
    rows.moved(change, close);
    return rows.get('SPY')?.signal?.next_decision_at;
  };
  expect([due(close), due(next)]).toEqual([null, next]);
});

test('calls per hour: one for every hundred symbols and poll', () => {
  expect([pollCost(1, CADENCE), pollCost(100, CADENCE), pollCost(101, CADENCE), pollCost(0, CADENCE)]).toEqual([
    120, 120, 240, 0,
  ]);
});

test('a watched symbol whose prices ended keeps its last signal, flagged as stale, and is polled slowly', async () => {
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
  const poll = createSignalPolling({
    vocabulary: CONTRACT_VOCABULARY,
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

test('whether a row is stale is known once its signal is read, while regimes are still awaited', async () => {
  const clock = createManualClock();
  const rows = createRowTable();
  rows.keep(['SPY', 'QQQ', 'BTC']);
  rows.recall(
    ['SPY', 'QQQ'].map((symbol) => ({
      ...{ symbol, coverage: 'full', regime: null, received_at: '2026-03-02T14:00:00.000Z', stale: true },
      signal: { symbol, state: 0, base_rate: null } as RowSignal,
    })),
  );
  const row = {
    asset_class: 'etf',
    state: 0,
    confidence: null,
    note: '',
    price: 5,
    updated_at: '2026-03-02T14:30:00Z',
  };
  const overdue = '2026-03-02T13:00:00Z';
  const answer = Promise.withResolvers<void>();
  const poll = createSignalPolling({
    vocabulary: CONTRACT_VOCABULARY,
    context: createTestContext(clock, 'production'),
    client: {
      page: async (_, call) => {
        const found = [
          { ...row, symbol: 'SPY' },
          { ...row, symbol: 'QQQ', next_decision_at: overdue },
        ].filter(({ symbol }) => queryOf(call).symbols.includes(symbol));
        return ok({ rows: found, hasMore: false, nextCursor: null, took: 1 });
      },
      read: async () => {
        await answer.promise;
        return ok({ value: {}, headers: new Headers(), took: 1 });
      },
    },
    slowed: () => 1,
    rows,
    mayAsk: () => true,
  });
  const stale = () => ['SPY', 'QQQ'].map((symbol) => rows.get(symbol)?.stale);
  poll.start();
  expect(stale()).toEqual([true, true]);
  await clock.advance(0);
  expect(stale()).toEqual([false, true]);
  answer.resolve();
  await clock.advance(0);
  expect(stale()).toEqual([false, true]);
  poll.stop();
});

test('between polls of all symbols, the simulated market is asked for those whose next decision has passed', async () => {
  const setUp = async (source: string | undefined) => {
    const clock = createManualClock();
    const rows = createRowTable();
    rows.keep(['SPY', 'QQQ', 'BTC']);
    const asked: string[] = [];
    let fails = false;
    const nextOf = new Map([
      ['SPY', clock.now() + 60_000],
      ['QQQ', clock.now() + 3_000],
    ]);
    const poll = createSignalPolling({
      vocabulary: CONTRACT_VOCABULARY,
      context: createTestContext(clock, 'sandbox'),
      client: {
        page: async (_, call) => {
          const { include, symbols } = queryOf(call);
          if (include !== undefined) return ok({ rows: [], hasMore: false, nextCursor: null, took: 1 });
          asked.push(symbols.join());
          if (fails) return err(problem('network', 'The service does not answer.'));
          const found = symbols.flatMap((symbol) => {
            const next = nextOf.get(symbol);
            return next === undefined
              ? []
              : [{ symbol, state: 0, source, next_decision_at: new Date(next).toISOString() }];
          });
          return ok({ rows: found, hasMore: false, nextCursor: null, took: 1 });
        },
        read: async () => ok({ value: { regime: 'calm' }, headers: new Headers(), took: 1 }),
      },
      slowed: () => 1,
      rows,
      mayAsk: () => true,
    });
    poll.start();
    await clock.advance(1_000);
    const next = async (): Promise<string | undefined> => {
      await clock.advance(2_000);
      return asked.at(-1);
    };
    return {
      ...{ asked, nextOf, next, rows, clock },
      fail(isFailing: boolean) {
        fails = isFailing;
      },
      stop: poll.stop,
    };
  };
  const all = 'SPY,QQQ,BTC';
  const simulated = await setUp('sandbox');
  expect(simulated.asked).toEqual([all]);
  // BTC has no signal, so that nothing says when it is due.
  expect([await simulated.next(), await simulated.next(), await simulated.next()]).toEqual([
    'BTC',
    'QQQ,BTC',
    'QQQ,BTC',
  ]);
  simulated.nextOf.set('QQQ', simulated.clock.now() + 60_000);
  expect([await simulated.next(), await simulated.next(), await simulated.next()]).toEqual(['QQQ,BTC', all, 'BTC']);
  simulated.rows.setStale(['SPY']);
  simulated.fail(true);
  expect([await simulated.next(), await simulated.next()]).toEqual(['SPY,BTC', all]);
  simulated.rows.keep(['SPY', 'QQQ']);
  simulated.fail(false);
  // The answer also says that the service is there.
  expect([await simulated.next(), await simulated.next()]).toEqual(['SPY,QQQ', 'SPY']);
  simulated.stop();
  const other = await setUp(undefined);
  expect([await other.next(), await other.next(), await other.next()]).toEqual([all, all, all]);
  other.stop();
});
