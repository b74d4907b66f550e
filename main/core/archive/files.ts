// Main, core: the archive's files during a run: opened on first use, replaced when damaged.
import { type Message, message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { isDamage, quarantineFile } from '../files/sqlite-file.ts';
import type { CoreContext } from '../module.ts';
import { ARCHIVE_NAME, FLAGS_NAME } from './database.ts';
import { noArchive } from './problems.ts';
import { type ArchiveStore, openStore } from './store.ts';

export interface ArchiveFiles {
  /** False: this program keeps no archive; every use is refused. */
  readonly isAvailable: boolean;
  /**
   * Runs over the open files. On an error of a damaged file both are checked: the damaged one is quarantined,
   * and the work runs once more over the new one. Where both are sound, the error is of another file, and is
   * thrown.
   * @throws RefusedError, ArchiveClosedError, errors of the file system
   */
  use<Value>(work: (store: ArchiveStore) => Value): Value;
  /**
   * A reader found damage: quarantines the file of flags where a check finds it damaged, else the archive.
   */
  replace(): void;
  /** The files quarantined in this run; null: none. */
  problem(): Message | null;
  close(): void;
}

/** The core is stopping: its last requests are answered, but nothing more is stored. */
export class ArchiveClosedError extends Error {
  override readonly name = 'ArchiveClosedError';
}

/** @param open opens the files; a test of full disks passes its own */
export function createArchiveFiles({ folder, ports, guard, events }: CoreContext, open = openStore): ArchiveFiles {
  const { logger } = ports;
  const { clock } = guard;
  const isAvailable = ports.host?.archive !== undefined && folder !== ':memory:';
  let store: ArchiveStore | null = null;
  let isClosed = false;
  let problem: Message | null = null;

  const report = (file: string): void => {
    logger.error({ file }, 'a file of the archive was damaged; it was set aside and a new one begun');
    problem = message(file.startsWith('flags.') ? 'archive.flags_damaged' : 'archive.damaged', { file });
  };
  const opened = (): ArchiveStore => {
    if (!isAvailable) throw noArchive();
    if (isClosed) throw new ArchiveClosedError('the archive is closed');
    if (store !== null) return store;
    const made = open(folder, clock.now());
    store = made;
    for (const file of made.quarantined) report(file);
    return made;
  };
  const quarantine = (damaged: string): void => {
    store?.close();
    store = null;
    const quarantined = quarantineFile(folder, damaged, timestamp(clock.now()));
    report(quarantined);
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
        if (!isDamage(error) || isClosed) throw error;
        const damaged = ([FLAGS_NAME, ARCHIVE_NAME] as const).find(used.isDamaged);
        if (damaged === undefined) throw error;
        quarantine(damaged);
        return work(opened());
      }
    },
    replace: () => quarantine(store?.isDamaged(FLAGS_NAME) ? FLAGS_NAME : ARCHIVE_NAME),
    problem: () => problem,
    close() {
      isClosed = true;
      store?.close();
      store = null;
    },
  };
}
