// Main, core: the readers of the archive in use: one for searches, kept open, and one for each long look, gone after it.
import { type ArchiveReader, DamageError, type ReaderTasks, type StartReader } from './reader.ts';

type Ask = ArchiveReader['ask'];

export interface Readers {
  /** Searches and lists. A damaged file is set aside, and the new one, which is not filled yet, answers. */
  readonly ask: Ask;
  /** Looks and copies that may last: they hold up no search. A look needs a connection of its own too: see `ask`. */
  readonly askAside: Ask;
  /** The reader of searches holds no file any more. */
  release(): Promise<void>;
  close(): Promise<void>;
}

export interface ReadersOptions {
  /** @throws RefusedError where this program keeps no archive */
  readonly start: () => ReturnType<StartReader>;
  /** Opens the archive, so that there is a file to be read. @throws what the file system says */
  readonly open: () => void;
  /** Sets the archive aside and begins a new one. */
  readonly replace: () => void;
}

export function createReaders({ start, open, replace }: ReadersOptions): Readers {
  const asides = new Set<ArchiveReader>();
  let reader: ArchiveReader | null = null;

  const release = async (): Promise<void> => void (await reader?.ask('reopen', {}));
  return {
    async ask<Name extends keyof ReaderTasks>(name: Name, ask: ReaderTasks[Name]['ask']) {
      reader ??= start();
      const asked = reader;
      const again = async (thrown: unknown) => {
        if (!(thrown instanceof DamageError)) throw thrown;
        await release();
        return asked.ask(name, ask);
      };
      open();
      // A connection that is kept may hold a part of the full-text index that the writer has merged away since: a new one decides.
      return asked
        .ask(name, ask)
        .catch(again)
        .catch(async (thrown: unknown) => {
          if (thrown instanceof DamageError) {
            await release();
            replace();
          }
          return again(thrown);
        });
    },
    async askAside(name, ask) {
      const own = start();
      asides.add(own);
      try {
        open();
        return await own.ask(name, ask);
      } finally {
        asides.delete(own);
        await own.close();
      }
    },
    release,
    async close() {
      await Promise.all([reader, ...asides].map((each) => each?.close()));
    },
  };
}
