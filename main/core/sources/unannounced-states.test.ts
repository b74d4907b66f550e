// Test: a High Risk that only the service's list of signals shows.
import { expect, test } from 'vitest';
import { iso } from '../../../test/harness/alert-calls.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';

const bench = setUpCoreBench();
/** Longer than the interval of the polls. */
const POLLED = 130_000;
const list = (symbol: string, signal: object): void => void bench.service.prices.set(symbol, signal as never);

test('a High Risk that is listed without an event is notified once, and its late event is no second one', async () => {
  const rig = await bench.up();
  const since = iso(bench.clock.now());
  list('SPY', { state: 2, state_name: 'high_risk', since });
  list('ZZZ', { state: 2, state_name: 'high_risk', since });
  await bench.clock.advance(3 * POLLED);
  expect(rig.shown).toMatchObject([
    { title: '[SANDBOX] SPY is High Risk', body: expect.stringContaining('Seen in the list of the service') },
  ]);
  bench.service.emit('SPY', 2, { at: since });
  await bench.clock.advance(3 * POLLED);
  expect(rig.shown).toHaveLength(1);
  expect(rig.snapshot().alerts.map(({ transition, sources }) => [transition.symbol, sources])).toEqual([
    ['SPY', ['poll', 'stream', 'backfill']],
  ]);
});

test('a High Risk that is listed without its time says that it has none', async () => {
  const rig = await bench.up();
  list('SPY', { state: 2, state_name: 'high_risk', since: null });
  await bench.clock.advance(10 * POLLED);
  expect(rig.shown).toMatchObject([{ body: expect.stringContaining('the service gives no time') }]);
  expect(rig.snapshot().alerts).toMatchObject([{ assumed: ['time', 'from'] }]);
});
