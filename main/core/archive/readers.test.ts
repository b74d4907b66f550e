// The readers in use: damage that a new connection does not find is none.
import { expect, test } from 'vitest';
import { type ArchiveReader, DamageError } from './reader.ts';
import { createReaders } from './readers.ts';

/** A reader that finds damage as many times as said. */
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
  const readers = createReaders({ start: () => reader, open: () => undefined, replace: () => did.push('replaced') });
  return { did, search: () => readers.ask('search', { text: 'x', kinds: null, limit: 1 }) };
}

test('what only a kept connection calls damaged is asked anew, and nothing is set aside', async () => {
  const { did, search } = rig(1);
  expect(await search()).toEqual([]);
  expect(did).toEqual(['search', 'reopen', 'search']);
});

test('what a new connection finds too is set aside, and the new file answers', async () => {
  const { did, search } = rig(2);
  expect(await search()).toEqual([]);
  expect(did).toEqual(['search', 'reopen', 'search', 'reopen', 'replaced', 'reopen', 'search']);
});

test('other faults are told as they are', async () => {
  const did: string[] = [];
  const reader: ArchiveReader = {
    ask: async () => {
      throw new Error('no disk');
    },
    close: async () => undefined,
  };
  const readers = createReaders({ start: () => reader, open: () => undefined, replace: () => did.push('replaced') });
  await expect(readers.ask('search', { text: 'x', kinds: null, limit: 1 })).rejects.toThrow('no disk');
  expect(did).toEqual([]);
});
