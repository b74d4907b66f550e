// Faults: a foreign service whose words or numbers for states are its own.
import { expect, test } from 'vitest';
import type { StateMap } from '../../shared/settings/state-map.ts';
import { connectionOf, setUpCoreBench } from '../harness/core-bench.ts';
import type { CoreRig } from '../harness/core-rig.ts';
import { createForeignService, type ForeignChoices, type ForeignService } from '../harness/foreign-service.ts';
import { WIRE_SYMBOLS } from '../harness/wire-service.ts';

const bench = setUpCoreBench();

async function watch(service: ForeignService, states?: StateMap): Promise<CoreRig> {
  const profile = { baseUrl: service.url, ...(states === undefined ? {} : { states }) };
  const rig = bench.rig({ service, profile });
  await rig.core.start();
  rig.core.handlers['connection.trust']({});
  await bench.clock.until(() => connectionOf(rig).indicators.open.state === 'ok');
  await bench.clock.advance(2_000);
  return rig;
}
const foreign = (choices: Partial<ForeignChoices>) =>
  createForeignService(bench.clock, WIRE_SYMBOLS, { frame: 'created', ...choices });
const wordAlarms = (rig: CoreRig) => rig.shown.filter(({ id }) => id.startsWith('barograph:state-word:'));
const signalOf = (rig: CoreRig, symbol: string) =>
  rig.snapshot().rows.find((row) => row.symbol === symbol)?.signal ?? null;

test('words that are not known count as High Risk, are notified once, and are read again by the map that follows', async () => {
  const service = foreign({ states: ['green', 'amber', 'red'] });
  for (const symbol of WIRE_SYMBOLS) service.enter(symbol, 0);
  const first = await watch(service);
  await bench.clock.advance(1_000);
  expect(wordAlarms(first)).toMatchObject([
    {
      title: expect.stringContaining('“green”'),
      body: expect.stringContaining('count as High Risk'),
    },
  ]);
  service.enter('SPY', 2);
  service.enter('QQQ', 1);
  await bench.clock.advance(1_000);
  expect(first.shown.map(({ title }) => title).join('\n')).toMatch(
    /5 turned High Risk .*\n.*“green”.*\n.*“red”, “amber”/,
  );
  expect(signalOf(first, 'SPY')).toMatchObject({ state: 2, state_word: 'red' });
  expect(wordAlarms(first)).toHaveLength(2);
  await bench.down(first);

  const second = await watch(service, { green: 'normal', amber: 'elevated', red: 'high_risk' });
  const alerts = second
    .snapshot()
    .alerts.map(({ transition: { symbol, to_state, state_word } }) => [symbol, to_state, state_word]);
  expect(alerts).toContainEqual(['SPY', 2, undefined]);
  expect(alerts).toContainEqual(['QQQ', 1, undefined]);
  expect(alerts.every(([, , word]) => word === undefined)).toBe(true);
  expect([signalOf(second, 'SPY')?.state, signalOf(second, 'QQQ')?.state, signalOf(second, 'IWM')?.state]).toEqual([
    2, 1, 0,
  ]);
  expect(wordAlarms(second)).toEqual([]);
});

test('a numbering from one is understood by its first 3, and stays so after a restart', async () => {
  const service = foreign({ states: [1, 2, 3] });
  for (const symbol of WIRE_SYMBOLS) service.enter(symbol, 0);
  service.enter('SPY', 2);
  const first = await watch(service);
  await bench.clock.advance(130_000);
  expect(first.shown.map(({ title }) => title).join()).toContain('SPY');
  expect([signalOf(first, 'SPY')?.state, signalOf(first, 'QQQ')?.state]).toEqual([2, 0]);
  await bench.down(first);
  service.enter('SPY', 0);
  const second = await watch(service);
  await bench.clock.advance(130_000);
  expect([signalOf(second, 'SPY')?.state, signalOf(second, 'QQQ')?.state]).toEqual([0, 0]);
  expect([...wordAlarms(first), ...wordAlarms(second)]).toEqual([]);
});
