// Contract: `barograph tail` prints the events of a service, filtered by the service.
// A wrong filter or key ends it, and `barograph listen`, also under npm.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { nodeScript, type RunningProcess, start } from '../harness/processes.ts';

const KEY = 'svc_test_tailtailtail00001';
const TIMEOUT_MS = 90_000;
const cli = nodeScript('barograph');
let service: RunningProcess;
let url = '';
beforeAll(async () => {
  service = start(process.execPath, [...nodeScript('service'), '--symbols', '3', '--port', '0', '--key', KEY]);
  url = (await service.line(/^ready (http:\S+)$/, TIMEOUT_MS))[1] ?? '';
}, TIMEOUT_MS);
afterAll(() => service?.kill());

const tail = (...flags: string[]): RunningProcess =>
  start(process.execPath, [...cli, 'tail', '--url', url, ...flags], { BAROGRAPH_KEY: KEY });
/** Such a process checks whether its npm has ended. */
const UNDER_NPM = { npm_lifecycle_event: 'barograph' };
const trigger = (event: string, symbol: string): Promise<Response> =>
  fetch(`${url}/sandbox/trigger`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ event, symbol }),
  });

test('the command tail prints one line for each event of the symbols asked for', { timeout: TIMEOUT_MS }, async () => {
  const first = (await (await fetch(`${url}/events?limit=1`, { headers: { 'x-api-key': KEY } })).json()).data[0];
  const child = tail('--symbols', 'SPY', '--after', first.event_id);
  await eventually(() => expect(child.printed()).toContain(`barograph: connected to ${url}\n`));
  await trigger('signal.high_risk', 'QQQ');
  await trigger('signal.high_risk', 'SPY');
  await child.line(/^\S+Z {2}SPY {2}High Risk {2}evt_\w+$/, TIMEOUT_MS);
  // By its column: an event id may contain the letters.
  expect(child.printed()).not.toMatch(/^\S+ +QQQ /m);
  expect(child.printed()).not.toContain(KEY);
  await child.kill();
});

test('a service that does not run yet is named with the cure, and the command connects when it does', {
  tags: ['long'],
  timeout: TIMEOUT_MS,
}, async () => {
  const first = start(process.execPath, [...nodeScript('service'), '--symbols', '1', '--port', '0', '--key', KEY]);
  const address = (await first.line(/^ready (http:\S+)$/, TIMEOUT_MS))[1] ?? '';
  await first.kill();
  const child = start(process.execPath, [...cli, 'tail', '--url', address], { BAROGRAPH_KEY: KEY });
  await eventually(() =>
    expect(child.printed()).toMatch(/^barograph: not connected to http:.*nothing listens there.*Start the service/m),
  );
  const port = new URL(address).port;
  const second = start(process.execPath, [...nodeScript('service'), '--symbols', '1', '--port', port, '--key', KEY]);
  await eventually(() => expect(child.printed()).toContain(`barograph: connected to ${address}\n`));
  await second.kill();
  await child.kill();
});

test('a filter that is none ends it before anything is sent', { timeout: TIMEOUT_MS }, async () => {
  const child = tail('--severity', 'dire');
  expect((await child.exit).code).toBe(2);
  expect(child.printed()).toMatch(/--severity/);
});

test('under npm it ends after a failure, and when nobody reads its output', {
  tags: ['long'],
  timeout: TIMEOUT_MS,
}, async () => {
  const refused = start(process.execPath, [...cli, 'tail', '--url', url], {
    ...UNDER_NPM,
    BAROGRAPH_KEY: 'svc_test_unknownunknown0001',
  });
  expect((await refused.exit).code).toBe(1);
  const first = (await (await fetch(`${url}/events?limit=1`, { headers: { 'x-api-key': KEY } })).json()).data[0];
  const command = [process.execPath, ...cli, 'tail', '--url', url, '--after', first.event_id];
  const unread = start('sh', ['-c', '"$@" | head -n 1', 'sh', ...command], { ...UNDER_NPM, BAROGRAPH_KEY: KEY });
  await unread.line(/evt_/, TIMEOUT_MS);
  for (let turn = 0; turn < 3; turn += 1) await trigger('signal.high_risk', 'QQQ');
  expect((await unread.exit).code).toBe(0);
});

test('listen under npm ends after a failure', { tags: ['long'], timeout: TIMEOUT_MS }, async () => {
  const folder = temporaryFolder();
  const child = start(
    process.execPath,
    [...cli, 'listen', '--profile', 'nobody', '--data-dir', folder.path],
    UNDER_NPM,
  );
  expect((await child.exit).code).toBe(2);
  folder.remove();
});
