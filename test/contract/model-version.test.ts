// Contract: model.version announces a change of the model, and every record has the version.
// The change comes by request or by an upgrade (specification 6.1 and 9; contract 49).
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import { RISK_MODEL } from '../../service/engine/risk/parameters.ts';
import { modelOf } from '../../service/model-file.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts';
import { type Sandbox, startSandbox } from '../harness/sandbox.ts';

// The service starts again and again.
vi.setConfig({ testTimeout: 120_000 });

const folder = temporaryFolder();
let sandbox: Sandbox;
afterEach(async () => {
  await sandbox.service.close();
  folder.remove();
});

const versionOf = async (path: string): Promise<string> => (await sandbox.get(path)).body.model_version;
const everywhere = async (): Promise<string[]> => [
  await versionOf('/signal?symbol=SPY'),
  (await sandbox.get('/snapshot')).body.data[0].model_version,
  await versionOf('/regime/SPY'),
  await versionOf('/regime/BTC'),
  (await sandbox.trigger('signal.high_risk', 'SPY')).body.data.at(-1).data.model_version,
];

test('a version on request is what every record names from then on, and a regime of before names the one of before', async () => {
  sandbox = await startSandbox({ symbols: 2 });
  const own = await versionOf('/signal?symbol=SPY');
  const before = (await sandbox.get('/')).body.time;
  await sandbox.clock.advance(60_000);
  const [event] = (await sandbox.trigger('model.version')).body.data;
  expect(event.data).toMatchObject({ previous: own, effective_at: event.timestamp });
  expect(event.data.version).not.toBe(own);
  expect(await everywhere()).toEqual(Array(5).fill(event.data.version));

  await sandbox.clock.advance(60_000);
  const [again] = (await sandbox.trigger('model.version')).body.data;
  expect(again.data.previous).toBe(event.data.version);
  expect(new Set([own, event.data.version, again.data.version]).size).toBe(3);
  expect(await everywhere()).toEqual(Array(5).fill(again.data.version));
  expect(await versionOf(`/regime/SPY?as_of=${before}`)).toBe(own);
  expect(await versionOf(`/regime/SPY?as_of=${event.timestamp}`)).toBe(event.data.version);
  // What was written stays as it was written.
  for (const row of (await sandbox.get('/alert-transitions?limit=100')).body.data) {
    const { version } =
      row.occurred_at < event.timestamp
        ? { version: own }
        : row.occurred_at < again.timestamp
          ? event.data
          : again.data;
    expect(row.model_version).toBe(version);
  }
});

test('a model of the operator is named as such in every record, and what it scores is scored by it', {
  tags: ['long'],
}, async () => {
  const { years, ...source } = RISK_MODEL.source;
  // Half of the chance at the same inputs.
  const event = (year: (typeof years)[number]) => ({ ...year.event, bias: year.event.bias - 0.7 });
  const model = modelOf({ ...source, version: 'mine', years: years.map((year) => ({ ...year, event: event(year) })) });
  sandbox = await startSandbox({ symbols: 2, model });
  const version = await versionOf('/signal?symbol=SPY');
  expect(version).toBe(`dd-p-3+own-mine.${model.hash}`);
  expect(await everywhere()).toEqual(Array(5).fill(version));
  const { provenance } = (await sandbox.get('/api/validation/metrics')).body;
  expect([provenance.model_version, provenance.fitted.version]).toEqual([version, 'mine']);
  const shipped = await startSandbox({ symbols: 2, clock: sandbox.clock });
  const other = (await shipped.get('/api/validation/metrics')).body.provenance;
  await shipped.service.close();
  expect(provenance.data_hash).toBe(other.data_hash);
  const [own, theirs] = [provenance, other].map(({ reliability }) => reliability.full.bins.at(-1).predicted);
  expect(own).toBeLessThan(0.8 * theirs);
});

test('over a restart it stays; another engine than the store knows is announced first of all, once', {
  tags: ['long'],
}, async () => {
  const file = join(folder.path, 'service.db');
  const clock: ManualClock = createManualClock();
  const start = () => startSandbox({ symbols: 1, file, clock });
  const events = () => sandbox.whole<{ event: string; data: { version?: string; previous?: string } }>('/events');
  sandbox = await start();
  const own = await versionOf('/signal?symbol=SPY');
  expect((await events()).filter(({ event }) => event === 'model.version')).toEqual([]);
  const { version } = (await sandbox.trigger('model.version')).body.data[0].data;
  await sandbox.service.close();
  sandbox = await start();
  expect(await versionOf('/signal?symbol=SPY')).toBe(version);
  await sandbox.service.close();

  const store = new SQLite(file);
  store.prepare("UPDATE meta SET value = 'older-1' WHERE name = 'model_version'").run();
  const { last } = store.prepare<[], { last: number }>('SELECT max(seq) AS last FROM events').get() ?? { last: 0 };
  store.close();
  clock.jump(3 * 3_600_000);
  sandbox = await start();
  expect(await versionOf('/signal?symbol=SPY')).toBe(own);
  const [first] = (await events()).slice(last);
  expect(first).toMatchObject({ event: 'model.version', data: { version: own, previous: 'older-1' } });
  await sandbox.service.close();
  sandbox = await start();
  expect((await events()).filter(({ event }) => event === 'model.version')).toHaveLength(2);
  expect(await versionOf('/signal?symbol=SPY')).toBe(own);
});
