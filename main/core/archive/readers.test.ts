// Test: the readers in use: damage that a new connection does not confirm is ignored.
import { expect, test } from 'vitest';
import { type ArchiveReader, DamageError } from './reader.ts';
import { createReaders } from './readers.ts';

const filesThat = (replace: () => void) => ({ use: () => undefined as never, replace });

/** A reader that reports damage this many times. */
function rig(damaged: number) {
  const did: string[] = [];
  let left = damaged;
  const reader: ArchiveReader = {
    async ask(name) {
      did.push(name);
      if (name === 'reopen') return null as never;
      if (left > 0) {
        left -= 1;
        throw new DamageError('a page is not a page');
      }
      return [] as never;
    },
    close: async () => undefined,
  };
  const readers = createReaders({ start: () => reader, files: filesThat(() => did.push('replaced')) });
  return { did, search: () => readers.ask('search', { text: 'x', kinds: null, limit: 1 }) };
}

test('damage that only an old connection reports quarantines no file', async () => {
  const { did, search } = rig(1);
  expect(await search()).toEqual([]);
  expect(did).toEqual(['search', 'reopen', 'search']);
});

test('damage that a new connection confirms quarantines the file, and the new file answers', async () => {
  const { did, search } = rig(2);
  expect(await search()).toEqual([]);
  expect(did).toEqual(['search', 'reopen', 'search', 'reopen', 'replaced', 'reopen', 'search']);
});

test('other errors are passed on unchanged', async () => {
  const did: string[] = [];
  const reader: ArchiveReader = {
    ask: async () => {
      throw new Error('no disk');
    },
    close: async () => undefined,
  };
  const readers = createReaders({ start: () => reader, files: filesThat(() => did.push('replaced')) });
  await expect(readers.ask('search', { text: 'x', kinds: null, limit: 1 })).rejects.toThrow('no disk');
  expect(did).toEqual([]);
});
