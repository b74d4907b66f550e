// Main, core: the archive's files during a run: opened on first use, replaced when damaged.
import type { Clock } from '../../../shared/lib/clock.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { isDamage, quarantineFile } from '../files/sqlite-file.ts';
import type { Logger } from '../ports.ts';
import { ARCHIVE_NAME, FLAGS_NAME } from './database.ts';
import { type ArchiveStore, openStore } from './store.ts';

export interface ArchiveFiles {
  /**
   * Runs over the open files. A damaged archive is quarantined, and the work runs once more over the new one.
   * @throws errors of the file system
   */
  use<Value>(work: (store: ArchiveStore) => Value): Value;
  /** Quarantines the damaged archive and begins a new one. */
  replace(): void;
  /** The files quarantined in this run, as a message; null: none. */
  problem(): string | null;
  close(): void;
}

export interface ArchiveFilesOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Opens the files; a test of full disks passes its own. */
  readonly open?: typeof openStore;
  /** A new archive replaced a damaged one. */
  readonly onReplaced: () => void;
}

export function createArchiveFiles({
  folder,
  clock,
  logger,
  onReplaced,
  open = openStore,
}: ArchiveFilesOptions): ArchiveFiles {
  let store: ArchiveStore | null = null;
  let isClosed = false;
  let problem: string | null = null;

  const say = (file: string): void => {
    logger.error({ file }, 'a file of the archive was damaged; it was set aside and a new one begun');
    problem = file.startsWith('flags.')
      ? `Your marks on briefings were damaged; the file is set aside as ${file}. They are restored from the archive and the last backup.`
      : `The archive was damaged and is set aside as ${file}. It is filled again from the service; your marks are kept.`;
  };
  const opened = (): ArchiveStore => {
    if (isClosed) throw new Error('the archive is closed');
    if (store !== null) return store;
    const made = open(folder, clock.now());
    store = made;
    for (const file of made.quarantined) say(file);
    return made;
  };
  const replace = (): void => {
    // A read of both files finds which one is damaged.
    const damaged = store?.flagsProblem() == null ? ARCHIVE_NAME : FLAGS_NAME;
    store?.close();
    store = null;
    const quarantined = quarantineFile(folder, damaged, timestamp(clock.now()));
    say(quarantined);
    opened();
    onReplaced();
  };
  return {
    use(work) {
      const used = opened();
      try {
        return work(used);
      } catch (error) {
        if (!isDamage(error) || isClosed) throw error;
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
