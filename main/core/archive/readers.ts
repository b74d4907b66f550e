// Main, core: the readers of the archive in use: one kept open for searches, one per long check.
import type { ArchiveFiles } from './files.ts';
import { type ArchiveReader, DamageError, type ReaderFactory, type ReaderTasks } from './reader.ts';

type ReaderQuery = ArchiveReader['ask'];

export interface Readers {
  /** Searches and lists. A damaged file is quarantined; the new, still empty one answers. */
  readonly ask: ReaderQuery;
  /** Long checks and backups, which block no search. A check also needs a new connection: see `ask`. */
  readonly askDedicated: ReaderQuery;
  /** Closes the file of the search reader. */
  release(): Promise<void>;
  close(): Promise<void>;
}

export interface ReadersOptions {
  /** @throws RefusedError where this program keeps no archive */
  readonly start: () => ReturnType<ReaderFactory>;
  readonly files: Pick<ArchiveFiles, 'use' | 'replace'>;
}

export function createReaders({ start, files }: ReadersOptions): Readers {
  /** A read-only connection needs the file to exist. @throws errors of the file system */
  const open = (): void => files.use(() => undefined);
  const dedicated = new Set<ArchiveReader>();
  let reader: ArchiveReader | null = null;

  const release = async (): Promise<void> => void (await reader?.ask('reopen', {}));
  return {
    async ask<Name extends keyof ReaderTasks>(name: Name, ask: ReaderTasks[Name]['ask']) {
      open();
      reader ??= start();
      const current = reader;
      const again = async (error: unknown) => {
        if (!(error instanceof DamageError)) throw error;
        await release();
        return current.ask(name, ask);
      };
      // An old connection may have a part of the full-text index that the writer has merged since: a new one
      // decides.
      return current
        .ask(name, ask)
        .catch(again)
        .catch(async (error: unknown) => {
          if (error instanceof DamageError) {
            await release();
            files.replace();
          }
          return again(error);
        });
    },
    async askDedicated(name, ask) {
      // A backup does not read the archive, and is made where that cannot be opened.
      if (name !== 'backup') open();
      const own = start();
      dedicated.add(own);
      try {
        return await own.ask(name, ask);
      } finally {
        dedicated.delete(own);
        await own.close();
      }
    },
    release,
    async close() {
      await Promise.all([reader, ...dedicated].map((each) => each?.close()));
    },
  };
}
