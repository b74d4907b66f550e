// Faults: a service goes on from a backup that was made under load, after the original is lost.
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { nodeScript, type RunningProcess, start } from '../harness/processes.ts';
import { fetchPatiently } from '../harness/service.ts';

const KEY = 'svc_test_backupbackupbackup1';
const READY_MS = 90_000;
/** A fast world, so that the log grows by prices alone, too. */
const WORLD = [
  '--symbols',
  '4',
  '--scenario',
  'burst',
  '--clock',
  '2026-03-02T14:30:00.000Z,x600',
  '--key',
  KEY,
  '--port',
  '0',
];

const folder = temporaryFolder();
const running: RunningProcess[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.kill()));
});
afterAll(() => folder.remove());

interface Logged {
  readonly seq: number;
  readonly event_id: string;
}

async function serve(db: string, ...flags: string[]): Promise<{ url: string; process: RunningProcess }> {
  const process_ = start(process.execPath, [...nodeScript('service'), ...WORLD, '--db', db, ...flags]);
  running.push(process_);
  const [, url = ''] = await process_.line(/^ready (\S+)$/, READY_MS);
  return { url, process: process_ };
}

async function backup(db: string, target: string): Promise<void> {
  const run = start(process.execPath, [...nodeScript('service'), 'backup', target, '--db', db]);
  const { code } = await run.exit;
  expect(code, run.printed()).toBe(0);
  expect(run.printed()).toContain(`--db ${target}`);
}

const get = async (url: string) => (await fetchPatiently(url, { headers: { 'x-api-key': KEY } })).json();

async function wholeLog(url: string): Promise<Logged[]> {
  const rows: Logged[] = [];
  for (let after = ''; ; ) {
    const page = await get(`${url}/events?limit=100${after}`);
    rows.push(...page.data.map(({ seq, event_id }: Logged) => ({ seq, event_id })));
    if (!page.has_more) return rows;
    after = `&after=${page.next_cursor}`;
  }
}

async function trigger(url: string): Promise<Logged> {
  const answer = await fetchPatiently(`${url}/sandbox/trigger`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ event: 'signal.high_risk', symbol: 'SPY' }),
  });
  return (await answer.json()).data[0];
}

const untilLonger = (url: string, than: number): Promise<void> =>
  expect.poll(async () => (await wholeLog(url)).length, { timeout: READY_MS }).toBeGreaterThan(than);

function expectWhole(log: readonly Logged[]): void {
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  expect(new Set(log.map(({ event_id }) => event_id)).size).toBe(log.length);
}

test('a copy that is made under load has the log up to an instant, and a service goes on from it without a hole', async () => {
  const [db, copy] = [join(folder.path, 'loaded.db'), join(folder.path, 'loaded-copy.db')];
  const original = await serve(db, '--rate', '100');
  const begun = (await wholeLog(original.url)).length;
  await untilLonger(original.url, begun + 50);
  await backup(db, copy);
  const atBackup = (await wholeLog(original.url)).length;
  await untilLonger(original.url, atBackup + 50);
  const lost = await wholeLog(original.url);
  await original.process.kill();

  const restored = await serve(copy);
  const before = await wholeLog(restored.url);
  expectWhole(before);
  const common = before.filter(
    ({ seq }, index) => lost[index]?.seq === seq && lost[index]?.event_id === before[index]?.event_id,
  );
  // What was forced after the backup is lost with the original; what was in it is there, under the same ids.
  expect(common.length).toBeGreaterThanOrEqual(begun + 50);
  expect(before.slice(0, common.length)).toEqual(lost.slice(0, common.length));
  const next = await trigger(restored.url);
  const after = await wholeLog(restored.url);
  expectWhole(after);
  expect(after.find(({ seq }) => seq === next.seq)).toEqual({ seq: next.seq, event_id: next.event_id });
  expect(after.slice(0, before.length)).toEqual(before);
}, 240_000);

test('what prices caused between backup and loss comes again under the same ids and numbers', async () => {
  const [db, copy] = [join(folder.path, 'prices.db'), join(folder.path, 'prices-copy.db')];
  const original = await serve(db);
  await backup(db, copy);
  const atBackup = (await wholeLog(original.url)).length;
  await untilLonger(original.url, atBackup + 20);
  const lost = await wholeLog(original.url);
  await original.process.kill();

  const restored = await serve(copy);
  await untilLonger(restored.url, lost.length);
  const again = await wholeLog(restored.url);
  expectWhole(again);
  expect(again.slice(0, lost.length)).toEqual(lost);
}, 240_000);
