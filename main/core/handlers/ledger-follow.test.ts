// Test: a terminal gets each entry of the ledger once, at once, also across restarts of either side.
import { expect, test } from 'vitest';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { setUpRelayBench } from '../../../test/harness/relay-bench.ts';

// The file of the relay has the position.
const { bench, ...relay } = setUpRelayBench();
const up = async (): Promise<CoreRig> => {
  const rig = await relay.up();
  bench.service.deaf = false;
  return rig;
};
const follow = (rig: CoreRig, printed: number | null) => rig.core.handlers['ledger.follow']({ printed });
const idsOf = async (answer: ReturnType<typeof follow>) => (await answer).entries.map(({ event_id }) => event_id);

test('what is there comes at once; then the next entry ends the wait', async () => {
  const rig = await up();
  const first = bench.service.emit('SPY', 2);
  await bench.clock.advance(300);
  const { entries } = await follow(rig, null);
  expect(entries).toMatchObject([
    { event_id: first.event_id, symbol: 'SPY', to_state: 2, sources: expect.arrayContaining(['stream']), body: {} },
  ]);
  let answered = false;
  const next = idsOf(follow(rig, entries[0]?.ledger_id ?? null)).finally(() => {
    answered = true;
  });
  await bench.clock.advance(1_000);
  expect(answered).toBe(false);
  const second = bench.service.emit('QQQ', 1);
  await bench.clock.advance(300);
  expect(await next).toEqual([second.event_id]);
});

test('a wait ends empty before the time limit of a call, and when the core stops', async () => {
  const rig = await up();
  const quiet = idsOf(follow(rig, null));
  await bench.clock.advance(21_000);
  expect(await quiet).toEqual([]);
  const ended = idsOf(follow(rig, null));
  await bench.clock.advance(10);
  await bench.down(rig);
  expect(await ended).toEqual([]);
});

test('the position outlives the core, and a terminal that is behind does not move it back', async () => {
  const rig = await up();
  const events = ['SPY', 'QQQ', 'IWM'].map((symbol) => bench.service.emit(symbol, 1));
  await bench.clock.advance(300);
  const { entries } = await follow(rig, null);
  const [first, second] = entries.map(({ ledger_id }) => ledger_id);
  expect(await idsOf(follow(rig, second ?? null))).toEqual([events[2]?.event_id]);
  expect(await idsOf(follow(rig, first ?? null))).toHaveLength(2);
  await bench.down(rig);
  expect(await idsOf(follow(await up(), null))).toEqual([events[2]?.event_id]);
});
