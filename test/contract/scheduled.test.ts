// Contract: GET /api/scheduled over a folder of files, which changes while the service runs.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { startSandbox } from '../harness/sandbox.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const POLL = 2_000;

test('what the files say is served, corrected when a file changes, and kept while one cannot be read', async () => {
  const file = join(folder.path, 'earnings.csv');
  writeFileSync(file, 'symbol,earnings date,time\nSPY,2026-03-03,21:30\nQQQ,2026-03-04,later\n');
  const sandbox = await startSandbox({ symbols: 2, events: folder.path });
  const read = async () => (await sandbox.get('/api/scheduled')).body;
  const event = { kind: 'earnings', symbol: 'SPY', date: '2026-03-03', at: '2026-03-03T21:30:00.000Z', part: null };
  const source = { name: 'earnings.csv', error: null, refused: 1, covers: [{ kind: 'earnings', until: '2026-03-03' }] };
  expect(await read()).toEqual({
    events: [{ ...event, zone: 'UTC', title: '', source: 'earnings.csv' }],
    sources: [source],
  });

  writeFileSync(file, 'symbol,earnings date\nSPY,1/2/2027\n');
  await sandbox.clock.advance(POLL);
  const broken = await read();
  expect(broken.events).toHaveLength(1);
  expect(broken.sources[0]).toMatchObject({
    name: 'earnings.csv',
    error: expect.stringMatching(/^1\/2\/2027 may begin/),
  });

  writeFileSync(join(folder.path, 'macro.json'), '[{"date":"2026-03-18T18:00:00Z","title":"FOMC rate decision"}]');
  rmSync(file);
  await sandbox.clock.advance(POLL);
  expect((await read()).events).toMatchObject([{ kind: 'central_bank', symbol: null, zone: 'UTC' }]);
  await sandbox.service.close();
});

test('a service without lists says that it has none', async () => {
  const sandbox = await startSandbox({ symbols: 2 });
  expect((await sandbox.get('/api/scheduled')).body).toEqual({ events: [], sources: [] });
  await sandbox.service.close();
});
