// Faults: a killed service loses at most a second of the month's calls, and its quota continues.
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { nodeScript, type RunningProcess, start } from '../harness/processes.ts';
import { fetchPatiently } from '../harness/service.ts';

const KEY = 'svc_test_usageusageusage0001';
/** In the middle of a month, because the count starts again with a month. */
const MIDDLE = `Date.now = ((real) => () => real() + ${Date.parse('2026-03-16T12:00:00Z') - Date.now()})(Date.now)`;
const folder = temporaryFolder();
let service: RunningProcess | undefined;
afterEach(async () => {
  await service?.kill();
  folder.remove();
});

test('kill -9 during use', async () => {
  const db = join(folder.path, 'service.db');
  const begin = async (): Promise<string> => {
    service = start(process.execPath, [
      '--import',
      `data:text/javascript,${encodeURIComponent(MIDDLE)}`,
      ...nodeScript('service'),
      '--symbols',
      '2',
      '--port',
      '0',
      '--key',
      KEY,
      '--db',
      db,
      '--enforce-limits',
    ]);
    return (await service.line(/^ready (\S+)$/, 90_000))[1] ?? '';
  };
  /** Remaining calls of the month, from the headers of the answer. */
  const call = async (url: string): Promise<number> => {
    const answer = await fetchPatiently(`${url}/signal?symbol=SPY`, { headers: { 'x-api-key': KEY } });
    expect(answer.status).toBe(200);
    return Number(/"month";r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
  };
  let url = await begin();
  for (let calls = 1; calls <= 5; calls += 1) expect(await call(url)).toBe(250_000 - calls);
  const store = new SQLite(db, { readonly: true });
  const written = store.prepare<[], number>('SELECT sum(calls) FROM usage').pluck();
  await expect.poll(() => written.get()).toBe(5);
  store.close();
  await call(url);
  await service?.kill();
  url = await begin();
  const left = await call(url);
  // The sixth call may be lost; this is the seventh.
  expect([250_000 - 6, 250_000 - 7]).toContain(left);
  // A clean end loses nothing.
  await service?.stop();
  url = await begin();
  expect(await call(url)).toBe(left - 1);
}, 300_000);
