// Main, core: the archive's file during a run: opened on first use, replaced when damaged.
import { type Message, message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { isDamage, quarantineFile } from '../files/sqlite-file.ts';
import type { CoreContext } from '../module.ts';
import { noArchive } from './problems.ts';
import { type ArchiveStore, openStore } from './store.ts';
import { ARCHIVE_NAME } from './tables.ts';

export interface ArchiveFiles {
  /** False: this program keeps no archive; every use is refused. */
  readonly isAvailable: boolean;
  /**
   * Runs over the open file. On an error of a damaged file it is checked: a damaged one is quarantined, and
   * the work runs once more over a new one. Where it is sound, the error is of another file, and is thrown.
   * @throws RefusedError, ArchiveClosedError, errors of the file system
   */
  use<Value>(work: (store: ArchiveStore) => Value): Value;
  /** A reader found damage: quarantines the file, and begins a new one. */
  replace(): void;
  /** The file quarantined in this run; null: none. */
  problem(): Message | null;
  close(): void;
}

/** The core is stopping: its last requests are answered, but nothing more is stored. */
export class ArchiveClosedError extends Error {
  override readonly name = 'ArchiveClosedError';
}

/** @param open opens the file; a test of full disks passes its own */
export function createArchiveFiles({ folder, ports, guard, events }: CoreContext, open = openStore): ArchiveFiles {
  const { logger } = ports;
  const { clock } = guard;
  const isAvailable = ports.host?.archive !== undefined && folder !== ':memory:';
  let store: ArchiveStore | null = null;
  let isClosed = false;
  let problem: Message | null = null;

  /** A damaged file is never deleted: it has flags that the user set. */
  const setAside = (): void => {
    const file = quarantineFile(folder, ARCHIVE_NAME, timestamp(clock.now()));
    logger.error({ file }, 'the archive was damaged; it was set aside and a new one begun');
    problem = message('archive.damaged', { file });
  };
  const opened = (): ArchiveStore => {
    if (!isAvailable) throw noArchive();
    if (isClosed) throw new ArchiveClosedError('the archive is closed');
    if (store !== null) return store;
    try {
      store = open(folder);
    } catch (error) {
      // The first reads find damage that no opening does.
      if (!isDamage(error)) throw error;
      setAside();
      store = open(folder);
    }
    return store;
  };
  const replace = (): void => {
    store?.close();
    store = null;
    setAside();
    opened();
    events.signal('archiveReplaced');
  };
  return {
    isAvailable,
    use(work) {
      const used = opened();
      try {
        return work(used);
      } catch (error) {
        if (!isDamage(error) || isClosed || !used.isDamaged()) throw error;
        replace();
        return work(opened());
      }
    },
    replace,
    problem: () => problem,
    close() {
      isClosed = true;
      store?.close();
      store = null;
    },
  };
}
