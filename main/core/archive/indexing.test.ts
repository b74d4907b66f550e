// Test: the index of alerts while the ledger is in memory, and after it.
import { expect, test } from 'vitest';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { createGuard } from '../guard.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ArchiveFiles } from './files.ts';
import { createIndexing } from './indexing.ts';

/** The index has the events 1, 2 and 3. */
function setUp() {
  const clock = createManualClock();
  const calls: unknown[] = [];
  const alerts = {
    ids: () => [1, 2, 3],
    remove: (ids: readonly number[]) => void calls.push(['remove', ...ids]),
    clear: () => void calls.push('clear'),
  };
  let inMemory: ReturnType<Ledger['unwritten']> = null;
  const indexing = createIndexing({
    guard: createGuard(clock, { debug() {}, info() {}, warn() {}, error() {} }),
    files: { use: (job: (store: unknown) => unknown) => job({ alerts }) } as unknown as ArchiveFiles,
    ledger: {
      entries: { present: () => new Set([2, 3]) } as unknown as Ledger['entries'],
      annotations: {} as Ledger['annotations'],
      symbolNotes: {} as Ledger['symbolNotes'],
      unwritten: () => inMemory,
    },
  });
  const setInMemory = (to: typeof inMemory): void => {
    inMemory = to;
  };
  return { clock, calls, indexing, setInMemory };
}

test('texts of events that retention removed are deleted, but none while the ledger is in memory', async () => {
  const { clock, calls, indexing, setInMemory } = setUp();
  setInMemory({ since: 0, cause: { code: 'text', values: { text: 'full' } } });
  indexing.pruned();
  await clock.advance(60_000);
  expect(calls).toEqual([]);
  setInMemory(null);
  indexing.written({ isRenumbered: false });
  await clock.advance(60_000);
  expect(calls).toEqual([['remove', 1]]);
  indexing.stop();
});

test('a ledger that was written back to its file under new ids is indexed from its beginning', () => {
  const { calls, indexing } = setUp();
  indexing.written({ isRenumbered: true });
  expect(calls).toEqual(['clear']);
  indexing.stop();
});
