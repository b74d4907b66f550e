// Test: the states before the ledger: read once a symbol, a few at a time, kept, asked again after a failure.
import { expect, test } from 'vitest';
import { ok } from '../../../shared/lib/result.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { createPastStates, type PastStatesDeps } from './past-states.ts';

const SINCE = Date.parse('2026-02-01T00:00:00Z');
const UNTIL = Date.parse('2026-02-06T00:00:00Z');
const of = (...symbols: string[]) => new Map(symbols.map((symbol) => [symbol, UNTIL]));
const close = (day: string) => ({
  at: `2026-02-${day}T21:00:00.000Z`,
  price: 1,
  state: 2,
  regime: null,
  confidence: null,
});

function rig(kept: ReturnType<typeof close>[] = []) {
  const asked: string[] = [];
  const state = { isDown: false, unknown: '' };
  const clock = createManualClock();
  const past = createPastStates({
    client: {
      page: async (_: string, { query }: { query: { symbol: string } }) => {
        asked.push(query.symbol);
        if (state.isDown) return { ok: false, error: { kind: 'unreachable' } };
        if (query.symbol === state.unknown) return { ok: false, error: { kind: 'not_found' } };
        const row = {
          symbol: query.symbol,
          timestamp: '2026-02-02T21:00:00.000Z',
          state: 1,
          price: 1,
          regime: 'stress',
          confidence: 50,
        };
        return ok({ rows: [row], hasMore: false, nextCursor: null });
      },
    } as unknown as PastStatesDeps['client'],
    mayAsk: () => true,
    memory: {
      keepHistory: () => {},
      history: () => (kept.length === 0 ? null : { points: kept, cachedAt: '' }),
    } as never,
    vocabulary: { row: (one: unknown) => one } as never,
    clock,
  });
  return { past, asked, state, clock };
}

test('a symbol is asked once, also by two readers at once, and its closes are known after', async () => {
  const { past, asked } = rig();
  await Promise.all([past.fill(of('SPY', 'QQQ'), SINCE), past.fill(of('SPY'), SINCE)]);
  await past.fill(of('SPY'), SINCE);
  expect(asked).toEqual(['SPY', 'QQQ']);
  expect(past.of('SPY', SINCE)).toEqual([{ at: Date.parse('2026-02-02T21:00:00Z'), state: 1 }]);
});

test('a past that was kept is not asked for, one that is too short is', async () => {
  const whole = rig([close('03'), close('04')]);
  await whole.past.fill(of('SPY'), SINCE);
  expect(whole.asked).toEqual([]);
  const short = rig([close('20')]);
  await short.past.fill(of('SPY'), SINCE);
  expect(short.asked).toEqual(['SPY']);
});

test('kept closes that end too early are read again', async () => {
  const { past, asked } = rig([close('03'), close('04')]);
  await past.fill(new Map([['SPY', Date.parse('2026-02-28T00:00:00Z')]]), SINCE);
  expect(asked).toEqual(['SPY']);
});

test('a symbol that the service does not know holds up no other', async () => {
  const { past, asked, state } = rig();
  state.unknown = 'S0';
  await past.fill(of('S0', 'S1', 'S2', 'S3', 'S4', 'S5'), SINCE);
  expect(asked).toHaveLength(6);
});

test('a service that fails is asked a few times, and again after a minute', async () => {
  const { past, asked, state, clock } = rig();
  state.isDown = true;
  const symbols = of(...Array.from({ length: 4 }, (_, index) => `S${index}`));
  await past.fill(symbols, SINCE);
  state.isDown = false;
  await past.fill(symbols, SINCE);
  expect(asked).toHaveLength(4);
  await clock.advance(60_000);
  await past.fill(symbols, SINCE);
  expect(asked).toHaveLength(8);
});
