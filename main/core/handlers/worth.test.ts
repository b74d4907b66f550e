// Test: what acting on High Risk brought, from answers of a service; and what came of the user's own alerts.

import { expect, test } from 'vitest';
import type { Client } from '../../../client/client.ts';
import { problem } from '../../../client/problem.ts';
import { OwnAlertsSchema, WorthCourseSchema, WorthRecordSchema } from '../../../shared/channels/worth.ts';
import type { Claim } from '../../../shared/domain/claims.ts';
import { calendarsOf } from '../../../shared/domain/sessions.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import type { PastCloses } from '../../../shared/wire/validation.ts';
import { event, START, setUpLedger } from '../../../test/harness/ledger-bench.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { createWorthHandlers } from './worth.ts';

const bench = setUpLedger();
const dateOf = (index: number): string => new Date(DAY_MS * (19_000 + index)).toISOString().slice(0, 10);

/** 300 closes that fall by a tenth at the 101st and 102nd day; High Risk at the 100th alone. */
const closesOf = (symbol: string, length = 300): PastCloses => ({
  symbol,
  dates: Array.from({ length }, (_, index) => dateOf(index)),
  closes: Array.from({ length }, (_, index) => (index < 101 ? 100 : index < 102 ? 90 : 81)),
  high_risk: [{ from: dateOf(100), to: dateOf(100) }],
});

function setUp(rows: readonly PastCloses[] | Parameters<typeof problem>[0]) {
  const clock = createManualClock();
  const asked: string[][] = [];
  const client = {
    async page(name: string, { query }: { query: { symbols: string[] } }) {
      expect(name).toBe('pastCloses');
      asked.push(query.symbols);
      if (typeof rows === 'string') return err(problem(rows, 'no'));
      const found = rows.filter(({ symbol }) => query.symbols.includes(symbol));
      return ok({ rows: [...found, { symbol: 'odd' }], hasMore: false, nextCursor: null, took: 1 });
    },
  } as unknown as Pick<Client, 'page'>;
  const handlers = createWorthHandlers({
    client,
    mayAsk: () => true,
    ledger: bench.ledger,
    rows: { get: () => undefined },
    clock,
    worldNow: () => START + 60 * DAY_MS,
    calendarOf: calendarsOf('production', () => null),
  });
  return { handlers, asked, clock };
}
const leave = { way: 'leave', cost: 0.001 } as const;

test('each symbol and the list have figures; why others have none is said', async () => {
  const { handlers } = setUp([closesOf('A'), closesOf('B'), closesOf('NEW', 251)]);
  const record = WorthRecordSchema.parse(
    await handlers['worth.read']({ symbols: ['A', 'NONE', 'B', 'NEW'], ...leave }),
  );
  expect(record.rows.map(({ worth }) => (typeof worth === 'string' ? worth : worth.acting.money.toFixed(4)))).toEqual([
    (0.9 * 0.999 ** 2).toFixed(4),
    'no_closes',
    (0.9 * 0.999 ** 2).toFixed(4),
    'short',
  ]);
  expect(record.list).toMatchObject({ alerts: 2, turns: 4 });
  expect(record.list?.holding.money).toBeCloseTo(0.81);
});

test('a hedge without the market, or a list of one, has no figures of its own', async () => {
  const { handlers } = setUp([closesOf('A')]);
  const hedge = { symbols: ['A'], way: 'hedge' as const, cost: 0 };
  expect(await handlers['worth.read'](hedge)).toEqual({
    isGiven: true,
    list: null,
    rows: [{ symbol: 'A', worth: 'no_market' }],
  });
  const withMarket = setUp([closesOf('A'), closesOf('SPY')]);
  const [row] = (await withMarket.handlers['worth.read'](hedge)).rows;
  // It falls as the market does.
  expect(typeof row?.worth === 'string' ? row.worth : row?.worth.acting.money).toBeCloseTo(0.9);
});

test('the course of one symbol has the times out, from the close after the alert to the close after its end', async () => {
  const { handlers } = setUp([closesOf('A'), closesOf('B')]);
  const one = WorthCourseSchema.parse(await handlers['worth.course']({ symbols: ['A'], ...leave }));
  expect(one.out).toEqual([{ from: 19_101, to: 19_102 }]);
  expect(one.course?.acting.at(-1)).toBeCloseTo(one.worth?.acting.money ?? 0);
  const both = await handlers['worth.course']({ symbols: ['A', 'B'], ...leave });
  expect([both.out, both.worth?.alerts]).toEqual([[], 2]);
});

test('closes are read ten symbols at a time, and again after a quarter of an hour', async () => {
  const symbols = Array.from({ length: 12 }, (_, index) => `S${index}`);
  const { handlers, asked, clock } = setUp(symbols.map((symbol) => closesOf(symbol)));
  await handlers['worth.read']({ symbols, ...leave });
  await handlers['worth.read']({ symbols, ...leave, cost: 0.002 });
  expect(asked.map(({ length }) => length)).toEqual([10, 2]);
  await clock.advance(15 * 60_000);
  await handlers['worth.read']({ symbols: ['S3'], ...leave });
  expect(asked.slice(2)).toEqual([['S3']]);
});

test('a service without past closes says so, and is asked once; a failure is refused with its reason', async () => {
  const { handlers, asked } = setUp('not_found');
  for (let i = 0; i < 2; i++)
    expect(await handlers['worth.read']({ symbols: ['A'], ...leave })).toEqual({
      isGiven: false,
      list: null,
      rows: [],
    });
  expect(asked).toHaveLength(1);
  await expect(setUp('network').handlers['worth.read']({ symbols: ['A'], ...leave })).rejects.toThrow(
    'What acting on High Risk brought',
  );
});

test('own alerts are those that reached the user, with what came of them and when they were acknowledged', async () => {
  const told = (seq: number, symbol: string, day: number, state: 0 | 2, confidence_of: Claim) => {
    const one = event(seq, { symbol, occurredAt: START + day * DAY_MS, state });
    return { ...one, transition: one.transition && { ...one.transition, confidence_of } };
  };
  bench.take([
    told(1, 'SPY', 0, 2, 'event'),
    told(2, 'SPY', 3, 2, 'further_fall'),
    told(3, 'QQQ', 1, 2, 'event'),
    told(4, 'QQQ', 2, 0, 'event'),
  ]);
  const [first] = bench.ledger.entries.signalsOf('SPY', 0, 10);
  bench.ledger.annotations.acknowledge(first?.ledger_id ?? 0, START + 90_000);
  const { handlers } = setUp([]);
  const { alerts } = OwnAlertsSchema.parse(await handlers['worth.alerts']({ symbols: ['SPY', 'QQQ', 'TLT'] }));
  expect(
    alerts.map(({ symbol, followed, acked_after_ms, usual }) => [symbol, followed, acked_after_ms, usual]),
  ).toEqual([
    ['SPY', 'fall', 90_000, 12],
    ['QQQ', 'no_fall', null, 12],
    ['SPY', 'fallen', null, 12],
  ]);
});
