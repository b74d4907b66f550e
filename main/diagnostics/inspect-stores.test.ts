// Test: an inspection changes no file of a profile, closed, in use, after a crash or damaged.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { plainMessage } from '../../shared/text/message.ts';
import { type TemporaryFolder, temporaryFolder } from '../../test/harness/folders.ts';
import { openStore } from '../core/archive/store.ts';
import { backUp } from '../core/files/backup.ts';
import { openLedger } from '../core/ledger/ledger.ts';
import { DEFAULT_SETTINGS, type Profile } from '../core/profiles/settings.ts';
import { inspectRelay, inspectStores } from './inspect-stores.ts';

const DAY = '2026-03-02';
const NOW = Date.parse(`${DAY}T14:30:00.000Z`);
const GAP = '2026-03-01T10:00:00.000Z';
let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const open = (path = folder.path) => openLedger(path, new Date(NOW).toISOString());
/** Every file with its bytes; of a WAL's index, which readers write to, only its name. */
const state = (path = folder.path): unknown =>
  readdirSync(path).map((name) =>
    name.endsWith('-shm') || name === 'backups' ? name : [name, readFileSync(join(path, name), 'latin1')],
  );
function untouched(path = folder.path) {
  const before = state(path);
  const found = inspectStores(path, NOW + 2 * 86_400_000);
  expect(state(path)).toEqual(before);
  return found;
}
const NONE = { bytes: null, integrity: { kind: 'sound' } };
const SOUND = { bytes: expect.any(Number), integrity: { kind: 'sound' } };

test('a profile that never ran has no files, and still has none afterwards', () => {
  expect(untouched()).toEqual({
    ...{ ledger: NONE, archive: NONE, gaps: null, loss: null, backup: null },
    ...{ questions: [], stateWords: [], store: null },
  });
});

test('closed cleanly: sound, with its gap and its backup', () => {
  const ledger = open();
  ledger.openGap('downtime', GAP, null, plainMessage('asleep'));
  ledger.openGap('lost', GAP, GAP, plainMessage('gone'));
  ledger.close();
  openStore(folder.path).close();
  backUp(folder.path, { names: ['ledger.sqlite'], day: DAY });
  expect(untouched()).toEqual({
    ledger: SOUND,
    archive: SOUND,
    gaps: { open: 1, since: GAP, lost: 1, unreadable: { count: 0, last: '' }, odd: null },
    loss: null,
    backup: { day: DAY, age: 2 },
    ...{ questions: [], stateWords: [], store: null },
  });
});

test('prices that need a decision are listed, with the store of the service inside the app', () => {
  const ledger = open();
  ledger.metadata.set('price_questions', JSON.stringify({ 'AAPL 2026-03-02': '', 'GE 2026-03-03': 'a notification' }));
  ledger.close();
  writeFileSync(join(folder.path, 'service.sqlite'), '');
  expect(untouched()).toMatchObject({
    questions: ['AAPL 2026-03-02', 'GE 2026-03-03'],
    store: join(folder.path, 'service.sqlite'),
  });
});

test('in use, and after a crash: the content of the WAL counts', () => {
  const ledger = open();
  ledger.openGap('downtime', GAP, null, plainMessage('asleep'));
  expect(untouched()).toMatchObject({ ledger: SOUND, gaps: { open: 1, since: GAP } });
  const crashed = join(folder.path, 'crashed');
  mkdirSync(crashed);
  for (const suffix of ['', '-wal', '-shm'])
    copyFileSync(join(folder.path, `ledger.sqlite${suffix}`), join(crashed, `ledger.sqlite${suffix}`));
  const halved = join(folder.path, 'halved');
  mkdirSync(halved);
  for (const suffix of ['', '-wal'])
    copyFileSync(join(folder.path, `ledger.sqlite${suffix}`), join(halved, `ledger.sqlite${suffix}`));
  ledger.close();
  expect(untouched(crashed)).toMatchObject({ ledger: SOUND, gaps: { open: 1, since: GAP } });
  expect(untouched(halved)).toMatchObject({ ledger: { integrity: { kind: 'unread' } }, gaps: null });
});

test('damaged: not a database, a torn page, or damage found while the app used it', () => {
  writeFileSync(join(folder.path, 'archive.sqlite'), 'no database');
  open().close();
  expect(untouched()).toMatchObject({ ledger: SOUND, archive: { integrity: { kind: 'damaged' } } });
  const bytes = readFileSync(join(folder.path, 'ledger.sqlite'));
  writeFileSync(join(folder.path, 'archive.sqlite'), Buffer.from(bytes).fill(0xff, 4096, 12_288));
  writeFileSync(join(folder.path, 'ledger.is-damaged'), '');
  expect(untouched()).toMatchObject({
    ledger: { integrity: { kind: 'damaged' } },
    archive: { integrity: { kind: 'damaged' } },
    gaps: null,
  });
});

test('the port of the relay: its default, switched off, held', async () => {
  const settings = { read: () => DEFAULT_SETTINGS, change: () => undefined };
  const holder = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => holder.once('listening', resolve));
  const { port } = holder.address() as AddressInfo;
  const far: Profile = {
    name: 'far',
    environment: 'production',
    baseUrl: 'https://risk.example',
    mode: 'auto',
    enabled: true,
  };
  const near: Profile = {
    ...far,
    baseUrl: 'http://127.0.0.1:1',
    relay: { on: true, port, publicUrl: 'https://me.example' },
  };
  expect(await inspectRelay(far, settings, false, null)).toMatchObject({ on: false, isFree: true, isPublic: false });
  expect(await inspectRelay(near, settings, true, null)).toEqual({
    on: true,
    port,
    isFree: false,
    isPublic: true,
    runs: true,
    listening: null,
  });
  await new Promise((resolve) => holder.close(resolve));
  expect(await inspectRelay(near, settings, false, null)).toMatchObject({ isFree: true });
});
