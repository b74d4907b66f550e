// Test: the states before the ledger: read once a symbol, a few at a time, kept, asked again after a failure.
import { expect, test } from 'vitest';
import { ok } from '../../../shared/lib/result.ts';
import { createPastStates, type PastStatesDeps } from './past-states.ts';

const SINCE = Date.parse('2026-02-01T00:00:00Z');
const close = (day: string) => ({
  at: `2026-02-${day}T21:00:00.000Z`,
  price: 1,
  state: 2,
  regime: null,
  confidence: null,
});

function rig(kept: ReturnType<typeof close>[] = []) {
  const asked: string[] = [];
  const state = { isDown: false };
  const past = createPastStates({
    client: {
      page: async (_: string, { query }: { query: { symbol: string } }) => {
        asked.push(query.symbol);
        if (state.isDown) return { ok: false, error: { kind: 'unreachable' } };
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
  });
  return { past, asked, state };
}

test('a symbol is asked once, also by two readers at once, and its closes are known after', async () => {
  const { past, asked } = rig();
  await Promise.all([past.fill(['SPY', 'QQQ'], SINCE), past.fill(['SPY'], SINCE)]);
  await past.fill(['SPY'], SINCE);
  expect(asked).toEqual(['SPY', 'QQQ']);
  expect(past.of('SPY', SINCE)).toEqual([{ at: Date.parse('2026-02-02T21:00:00Z'), state: 1 }]);
});

test('a past that was kept is not asked for, one that is too short is', async () => {
  const whole = rig([close('03'), close('04')]);
  await whole.past.fill(['SPY'], SINCE);
  expect(whole.asked).toEqual([]);
  const short = rig([close('20')]);
  await short.past.fill(['SPY'], SINCE);
  expect(short.asked).toEqual(['SPY']);
});

test('a service that fails is asked a few times, and again by the next call', async () => {
  const { past, asked, state } = rig();
  state.isDown = true;
  const symbols = Array.from({ length: 20 }, (_, index) => `S${index}`);
  await past.fill(symbols, SINCE);
  expect(asked).toHaveLength(4);
  state.isDown = false;
  await past.fill(symbols, SINCE);
  expect(asked).toHaveLength(24);
});
