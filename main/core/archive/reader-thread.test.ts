// Test: the archive's reader thread: answers, refusals, damage, and a restart after its death.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BriefingQuerySchema } from '../../../shared/channels/archive.ts';
import { briefingOf } from '../../../test/harness/briefing-server.ts';
import { folderInMemory } from '../../../test/harness/folders.ts';
import { readBriefing } from '../compat/read-articles.ts';
import { type ArchiveReader, DamageError } from './reader.ts';
import { startReaderThread } from './reader-thread.ts';
import { type ArchiveStore, openStore } from './store.ts';

const NOW = Date.parse('2026-03-02T14:30:00.000Z');
let folder = { path: '', remove: (): void => undefined };
let store: ArchiveStore;
let reader: ArchiveReader;
beforeEach(() => {
  folder = folderInMemory();
  store = openStore(folder.path);
  const head = readBriefing(briefingOf({ id: 'a', date: new Date(NOW).toISOString(), title: 'Threads' }));
  if (head !== null) store.briefings.put(head);
  reader = startReaderThread(folder.path);
});
afterEach(async () => {
  await reader.close();
  store.close();
  folder.remove();
});

test('answers concurrent queries, and sees rows written meanwhile', async () => {
  const ask = BriefingQuerySchema.parse({ text: 'thread' });
  const [page, hits, sound] = await Promise.all([
    reader.ask('briefings', ask),
    reader.ask('search', { text: 'thread', kinds: null, limit: 5 }),
    reader.ask('check', {}),
  ]);
  expect(page.rows.map(({ id }) => id)).toEqual(['a']);
  expect(hits).toMatchObject([{ kind: 'briefing', id: 'a' }]);
  expect(sound).toBeNull();
  const head = readBriefing(briefingOf({ id: 'b', date: new Date(NOW + 1).toISOString(), title: 'More threads' }));
  if (head !== null) store.briefings.put(head);
  expect((await reader.ask('briefings', ask)).rows.map(({ id }) => id)).toEqual(['b', 'a']);
  const { files } = await reader.ask('backup', { names: ['archive.sqlite'], day: '2026-03-02' });
  expect(files).toEqual([join(folder.path, 'backups', 'archive-2026-03-02.sqlite')]);
});

test('a refusal keeps its message, and damage its kind', async () => {
  await expect(reader.ask('briefings', BriefingQuerySchema.parse({ text: 'x', after: 'no cursor' }))).rejects.toThrow(
    'Ask its first page again',
  );
  // The last connection to close moves the WAL into the file.
  await reader.ask('reopen', {});
  store.close();
  writeFileSync(join(folder.path, 'archive.sqlite'), Buffer.alloc(100_000, 0x5a));
  await expect(reader.ask('check', {})).rejects.toBeInstanceOf(DamageError);
});

test('a thread that dies rejects open queries, and the next query starts another', async () => {
  await reader.close();
  const script = join(folder.path, 'dies.mjs');
  writeFileSync(
    script,
    `import { existsSync, writeFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     const marker = new URL('died', import.meta.url);
     parentPort.on('message', ({ id }) => {
       if (existsSync(marker)) return parentPort.postMessage({ kind: 'answer', id, value: [] });
       writeFileSync(marker, '');
       process.exit(3);
     });`,
  );
  reader = startReaderThread(folder.path, new URL(`file://${script}`));
  const ask = () => reader.ask('search', { text: 'x', kinds: null, limit: 1 });
  await expect(ask()).rejects.toThrow('ended');
  expect(await ask()).toEqual([]);
});

test('closing ends running queries', async () => {
  const pending = reader.ask('search', { text: 'x', kinds: null, limit: 1 });
  const [outcome] = await Promise.allSettled([pending, reader.close()]);
  expect(['fulfilled', 'rejected']).toContain(outcome.status);
  await reader.close();
});
