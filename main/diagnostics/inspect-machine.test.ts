// Test: inspection of folder, settings and running app.
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../test/harness/folders.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { openLedger } from '../core/ledger/ledger.ts';
import { DEFAULT_SETTINGS } from '../core/profiles/settings.ts';
import type { RunFile } from '../host/run-file.ts';
import { inspectDisk } from './inspect-disk.ts';
import { inspectApp, inspectFolder, inspectSettings } from './inspect-machine.ts';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());
const put = (name: string, text: string): void => writeFileSync(join(folder.path, name), text);

test('a folder: its permissions and free space; a missing one; a file in its place', async () => {
  chmodSync(folder.path, 0o755);
  expect(await inspectFolder(folder.path, 'linux')).toMatchObject({
    exists: true,
    problem: null,
    mode: 0o755,
    free: expect.any(Number),
  });
  expect(await inspectFolder(folder.path, 'win32')).toMatchObject({ mode: null });
  expect(await inspectFolder(join(folder.path, 'none'), 'linux')).toMatchObject({ exists: false });
  put('file', '');
  expect(await inspectFolder(join(folder.path, 'file'), 'linux')).toMatchObject({
    exists: true,
    problem: 'it is not a folder',
  });
});

test('settings: none, valid, invalid, unreadable, and quarantined ones', () => {
  const sound = { problem: null, hasCopy: false, quarantined: [] };
  expect(inspectSettings(folder.path)).toEqual({
    inspection: { status: 'missing', ...sound },
    settings: DEFAULT_SETTINGS,
  });
  put('settings.json', JSON.stringify({ ...DEFAULT_SETTINGS, selected: 'QQQ' }));
  expect(inspectSettings(folder.path)).toMatchObject({
    inspection: { status: 'valid', ...sound },
    settings: { selected: 'QQQ' },
  });
  put('settings.bad-1.json', '{');
  put('settings.bad-2.json', JSON.stringify(DEFAULT_SETTINGS));
  put('settings.json', '{"version":1}');
  expect(inspectSettings(folder.path).settings).toBe(DEFAULT_SETTINGS);
  put('settings.last-good.json', JSON.stringify({ ...DEFAULT_SETTINGS, selected: 'IWM' }));
  const { inspection, settings } = inspectSettings(folder.path);
  expect([settings.selected, inspection.hasCopy]).toEqual(['IWM', true]);
  expect(inspection.problem).toMatch(/profiles/);
  expect(inspection.quarantined).toEqual([
    { name: 'settings.bad-1.json', problem: expect.stringMatching(/^not JSON/) },
    { name: 'settings.bad-2.json', problem: 'it is valid now' },
  ]);
});

const RUN: RunFile = {
  pid: process.pid,
  started: null,
  address: 'http://127.0.0.1:4780',
  socket: null,
  sandbox: null,
  profile: 'sandbox',
};

test('the app: not running, ended without cleaning up, on a desktop, answering, silent', async () => {
  const clock = createManualClock();
  const inspect = (run: RunFile | null, fetch: Parameters<typeof inspectApp>[2]) =>
    inspectApp(folder.path, run, fetch, clock);
  const answer = async (): Promise<Response> => new Response('no', { status: 403 });
  expect(await inspect(null, answer)).toMatchObject({ status: 'none' });
  put('run.json', '{}');
  expect(await inspect(null, answer)).toMatchObject({ status: 'left' });
  expect(await inspect({ ...RUN, address: null }, answer)).toMatchObject({
    status: 'runs',
    address: null,
    silence: null,
  });
  expect(await inspect(RUN, answer)).toMatchObject({ status: 'runs', silence: null });
  const hanging = inspect(
    RUN,
    (_, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  );
  await clock.advance(3_000);
  expect(await hanging).toMatchObject({ silence: 'no answer within 3 s' });
});

test('a ledger that another program has locked is reported; one that no program has open is not opened', {
  tags: ['long'],
}, () => {
  const folder = temporaryFolder();
  const path = join(folder.path, 'ledger.sqlite');
  try {
    expect(inspectDisk(join(folder.path, 'none'), false)).toBeNull();
    const ledger = openLedger(folder.path, 'now');
    expect(inspectDisk(folder.path, true)).toBeNull();
    const other = new Database(path);
    other.exec('BEGIN EXCLUSIVE');
    expect(inspectDisk(folder.path, true)).toBe('locked');
    other.close();
    ledger.close();
    expect([inspectDisk(folder.path, true), existsSync(`${path}-shm`)]).toEqual([null, false]);
  } finally {
    folder.remove();
  }
});
