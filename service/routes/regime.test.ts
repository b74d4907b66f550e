// Service, routes, test: the pages of a regime's history, while intraday prices come and go.
import { expect, test } from 'vitest';
import { HOUR_MS } from '../../shared/lib/time.ts';
import { createCursors } from './cursor.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { regimeHandlers } from './regime.ts';

const BEGIN = Date.parse('2026-03-02T00:00:00Z');
const DAY = 24 * HOUR_MS;

test('a page in another granularity than the first is refused, so no row is missing or repeated; none is finer than the prices', async () => {
  let finest: 'day' | 'hour' = 'day';
  const history = {
    begin: BEGIN,
    closes: () => [0, 1, 2].map((day) => ({ date: `2026-03-0${2 + day}`, at: BEGIN + day * DAY })),
    point: (at: number) => ({ symbol: 'SPY', timestamp: new Date(at).toISOString(), regime: 'calm', confidence: 50 }),
  };
  const deps = {
    content: {
      signals: {
        regimes: () => history,
        evaluatedAt: () => BEGIN + 2 * DAY,
        finestStep: () => finest,
        formingDate: () => null,
        health: () => ({ data_health: 'fresh', data_age_seconds: 0 }),
      },
    },
    cursors: createCursors(new Uint8Array(32)),
    info: { world: { now: () => BEGIN + 2 * DAY } },
  } as unknown as HandlerDeps;
  const { regimeHistory } = regimeHandlers(deps);
  const page = async (after?: string, granularity: 'hour' | 'minute' = 'hour') =>
    regimeHistory(
      {
        params: { symbol: 'SPY' },
        query: { from: '2026-03-01', granularity, limit: 2, after },
        body: undefined,
      },
      { caller: { plan: 'institutional' } } as Parameters<typeof regimeHistory>[1],
      {} as Parameters<typeof regimeHistory>[2],
    );
  for (const [first, then] of [['day', 'hour'] as const, ['hour', 'day'] as const]) {
    finest = first;
    const { granularity, next_cursor } = await page();
    expect([granularity, (await page(next_cursor ?? '')).data.length > 0]).toEqual([first, true]);
    expect(await page(undefined, 'minute')).toMatchObject({ granularity: first });
    finest = then;
    await expect(page(next_cursor ?? '')).rejects.toThrow(/is not a cursor of this list/);
  }
});
