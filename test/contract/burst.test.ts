// Contract: notifications of a burst: a scenario of the sandbox, and the close of a bad day.
import { expect, test } from 'vitest';
import type { State } from '../../shared/domain/states.ts';
import { calls, rule } from '../harness/alert-calls.ts';
import { setUpCoreBench, shownIds } from '../harness/core-bench.ts';
import type { CoreRig } from '../harness/core-rig.ts';
import { SANDBOX_START, startSandbox } from '../harness/sandbox.ts';

const bench = setUpCoreBench();

interface Row {
  readonly symbol: string;
  readonly occurred_at: string;
  readonly to_state: State;
}

/** The High Risks of the last burst of the scenario before now, oldest first. */
async function lastBurst(symbols: number): Promise<Row[]> {
  const { service, get } = await startSandbox({ seed: 7, symbols, scenario: 'burst' });
  try {
    const from = new Date(SANDBOX_START - 2_000_000).toISOString();
    const { body } = await get(`/alert-transitions?state=high_risk&limit=100&from=${from}`);
    const rows: Row[] = body.data.toReversed();
    const last = Date.parse(rows.at(-1)?.occurred_at ?? '');
    return rows.filter(({ occurred_at: at }) => last - Date.parse(at) < 70_000);
  } finally {
    await service.close();
  }
}

async function watchAll(): Promise<CoreRig> {
  const rig = await bench.up();
  await calls(rig)['rules.save']({ rule: rule({ scope: { kind: 'all' } }) });
  return rig;
}

test('the scenario burst is one notification, which counts and names all', {
  tags: ['long'],
}, async () => {
  const rows = await lastBurst(32);
  const start = Date.parse(rows[0]?.occurred_at ?? '');
  const span = Date.parse(rows.at(-1)?.occurred_at ?? '') - start;
  expect([rows.length > 12, span > 20_000]).toEqual([true, true]);
  const rig = await watchAll();
  const begin = bench.clock.now();
  const ids: string[] = [];
  for (const { symbol, occurred_at } of rows) {
    await bench.clock.advance(begin + Date.parse(occurred_at) - start - bench.clock.now());
    ids.push(`barograph:${bench.service.emit(symbol, 2).event_id}`);
  }
  await bench.clock.advance(5_000);
  expect([...new Set(shownIds(rig))]).toEqual(ids.slice(0, 1));
  const named = new Map(rig.shown.map(({ id, names }) => [id, names ?? [id]]));
  expect([...named.values()].flat()).toEqual(ids);
  expect(rig.shown.at(-1)?.title).toMatch(
    new RegExp(`^\\[SANDBOX] ${ids.length} turned High Risk since \\d\\d:\\d\\d, worst \\S+$`),
  );
});

test.each([
  ['in one packet', 0],
  ['one after the other', 1_000],
])('the close of 24 February 2020, %s, is one notification', async (_, pause) => {
  const close = '2020-02-24T21:00:00.000Z';
  bench.service.worldOffset = Date.parse(close) + 500 - bench.clock.now();
  const rig = await watchAll();
  const ids: string[] = [];
  for (const symbol of ['SPY', 'QQQ', 'IWM', 'XLF', 'XLK', 'AAPL']) {
    ids.push(`barograph:${bench.service.emit(symbol, 2, { at: close }).event_id}`);
    await bench.clock.advance(pause);
  }
  await bench.clock.advance(5_000);
  expect([...new Set(shownIds(rig))]).toEqual(ids.slice(0, 1));
  expect(rig.shown.at(-1)).toMatchObject({ title: expect.stringContaining('6 turned High Risk since'), names: ids });
});
