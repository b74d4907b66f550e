// Main, core: the readers of the archive in use: one for searches, kept open, and one for each long look, gone after it.
import { type ArchiveReader, DamageError, type ReaderTasks, type StartReader } from './reader.ts';

type Ask = ArchiveReader['ask'];

export interface Readers {
  /** Searches and lists. A damaged file is set aside, and the new one, which is not filled yet, answers. */
  readonly ask: Ask;
  /** Looks and copies that may last: they hold up no search. */
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
      open();
      try {
        return await reader.ask(name, ask);
      } catch (thrown) {
        if (!(thrown instanceof DamageError)) throw thrown;
        await release();
        replace();
        return reader.ask(name, ask);
      }
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
