// Contract: the typed client as another program uses it: by its name, without the app.
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../shared/wire/routes.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { nodeScript, type RunningProcess, start, TOP } from '../harness/processes.ts';

const KEY = 'svc_test_clientclient000001';
const TIMEOUT_MS = 90_000;

let folder: TemporaryFolder;
let service: RunningProcess;
let url = '';
beforeAll(async () => {
  folder = temporaryFolder();
  mkdirSync(join(folder.path, 'node_modules'));
  symlinkSync(TOP, join(folder.path, 'node_modules', 'barograph'), 'dir');
  copyFileSync(join(TOP, 'test/fixtures/client-program.ts'), join(folder.path, 'program.ts'));
  service = start(process.execPath, [
    ...nodeScript('service'),
    '--symbols',
    '3',
    '--clock',
    '2026-03-02T14:30:00Z,x1',
    '--port',
    '0',
    '--key',
    KEY,
  ]);
  url = (await service.line(/^ready (http:\S+)$/, TIMEOUT_MS))[1] ?? '';
}, TIMEOUT_MS);
afterAll(async () => {
  await service?.kill();
  folder?.remove();
});

test('every endpoint and the stream, by barograph/client alone', { tags: ['long'], timeout: TIMEOUT_MS }, async () => {
  const program = start(process.execPath, ['--disable-warning=ExperimentalWarning', join(folder.path, 'program.ts')], {
    SERVICE_URL: url,
    SERVICE_KEY: KEY,
  });
  const { code } = await program.exit;
  expect(code, program.printed()).toBe(0);
  const { used, live, again, ...rest } = JSON.parse(program.printed());
  expect(Object.keys(used).sort()).toEqual(
    Object.keys(routes)
      .filter((name) => name !== 'stream')
      .sort(),
  );
  expect(used).toMatchObject({
    health: 'ok',
    root: 'sandbox',
    proof: 64,
    snapshot: 3,
    signal: 'SPY',
    history: expect.any(Number),
    regime: 'BTC',
    factors: 12,
    archetypes: 12,
    briefing: true,
    events: expect.any(Number),
    trigger: 'signal.high_risk',
    subscribe: 44,
    subscriptions: 1,
    subscription: 'http://127.0.0.1:9/x',
    testSubscription: 'failed',
    replayDelivery: 'replay',
    replaySubscription: 0,
    account: 'pro',
    setHardCap: true,
    usage: false,
    issueKey: 'svc_test_',
    rotateKey: 'read',
    revokeKey: 'revoked',
    keys: 3,
    rotateSecret: true,
    promoteSecret: false,
    resumeSubscription: 'active',
    deleteSubscription: true,
  });
  expect(Object.values(used)).not.toContain(null);
  expect(used.history).toBeGreaterThan(80);
  // SPY was High Risk: it falls, then rises; a client that resumes after the first event receives the second.
  expect(live).toEqual({ beginning: 'live', ids: [expect.any(String), expect.any(String)] });
  expect(again).toEqual({ beginning: 'resumed', ids: live.ids.slice(1) });
  expect(rest).toEqual({
    refused: { kind: 'not_covered', code: 'symbol_not_covered' },
    stranger: 'not_sent',
    ended: 'bad_request',
  });
});
