// Test: a High Risk that only the list of signals of a service shows which cannot prove its log.
import { expect, test } from 'vitest';
import { connectionOf, setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { createForeignService, type ForeignService } from '../../../test/harness/foreign-service.ts';

const bench = setUpCoreBench();
/** Longer than the interval of the polls. */
const POLLED = 130_000;

/** A service of which the list alone knows that a symbol is High Risk. @param since as the list has it */
async function up(since: string | null): Promise<{ service: ForeignService; rig: CoreRig }> {
  const service = createForeignService(bench.clock, ['SPY', 'QQQ'], {});
  for (const symbol of ['SPY', 'QQQ']) service.enter(symbol, 0);
  const rig = bench.rig({ service, profile: { baseUrl: service.url } });
  await rig.core.start();
  rig.core.handlers['connection.trust']({});
  await bench.clock.until(() => connectionOf(rig).indicators.open.state === 'ok');
  await bench.clock.advance(POLLED);
  const row = (symbol: string, state: number): object => ({ symbol, state, confidence: 40, note: '', since });
  service.fault = ({ path }) =>
    path === '/snapshot' ? Response.json({ data: [row('SPY', 2), row('QQQ', 0)], has_more: false }) : null;
  await bench.clock.advance(5 * POLLED);
  return { service, rig };
}
const transitionsOf = (rig: CoreRig) =>
  rig.core.entries(0, 100).flatMap(({ symbol, transition }) => (symbol === 'SPY' ? [transition?.to_state] : []));

test('a High Risk that is listed without an event is notified once, and its late event is no second one', {
  tags: ['long'],
}, async () => {
  const since = new Date(bench.clock.now() + 60_000).toISOString();
  const { service, rig } = await up(since);
  expect(rig.shown).toMatchObject([
    { title: '[SANDBOX] SPY is High Risk', body: expect.stringContaining('Seen in the list of the service') },
  ]);
  service.enter('SPY', 2, Date.parse(since));
  await bench.clock.advance(3 * POLLED);
  expect(rig.shown).toHaveLength(1);
  expect(transitionsOf(rig)).toEqual([0, 2]);
});

test('a High Risk that is listed without its time says that it has none', async () => {
  const { rig } = await up(null);
  expect(rig.shown).toMatchObject([{ body: expect.stringContaining('the service gives no time') }]);
  expect(rig.snapshot().alerts[0]).toMatchObject({ assumed: ['time', 'from'] });
});
