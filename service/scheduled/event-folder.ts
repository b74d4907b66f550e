// Service, what is due: a folder of files of events, read again when they change.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_FOLDER } from '../../shared/domain/price-file-names.ts';
import { folderRefusal } from '../../shared/lib/folder-refusal.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { fingerprintOf, readWhole } from '../folder-files.ts';
import type { CsvProblem } from '../market/files/table.ts';
import { EVENT_FILE, type EventContext, type EventFile, readEventFile } from './event-file.ts';

/** A file, or the folder itself where it cannot be listed. */
export interface EventList extends EventFile {
  readonly name: string;
}

export interface EventFolder {
  readonly lists: readonly EventList[];
  readonly problems: readonly CsvProblem[];
  /** Reads the changed files again. @returns whether there were any */
  refresh(): boolean;
}

const MAX_BYTES = 8 * 1_048_576;

export interface EventFolderOptions extends EventContext {
  /** Whether it may not be there yet. Default: false */
  readonly mayLack?: boolean;
}

/** Of a price folder, where none is named; it need not be there. */
export const defaultEventFolder = (prices: string): string => join(prices, EVENT_FOLDER);

/** A file that cannot be read, or no longer, keeps its last events. @throws Error with one sentence for no folder */
export function openEventFolder(folder: string, { mayLack = false, ...context }: EventFolderOptions): EventFolder {
  const files = new Map<string, EventList & { readonly print: string }>();
  let folderError: string | null = null;
  const namesIn = (): string[] => {
    if (mayLack && !existsSync(folder)) return [];
    try {
      return readdirSync(folder)
        .filter((name) => EVENT_FILE.test(name) && !name.startsWith('.'))
        .sort();
    } catch (error) {
      throw new Error(folderRefusal(`The folder of events ${folder}`, error));
    }
  };
  const read = (name: string): EventFile => {
    try {
      return readEventFile(name, readWhole(join(folder, name), MAX_BYTES, 'split it by year'), context);
    } catch (error) {
      const reason = messageOf(error);
      return { events: [], problems: [{ file: name, line: 0, reason }], error: reason };
    }
  };
  const readAll = (): boolean => {
    const names = namesIn();
    const gone = [...files.keys()].filter((name) => !names.includes(name));
    for (const name of gone) files.delete(name);
    const changed = names.filter((name) => files.get(name)?.print !== fingerprintOf(folder, [name]));
    for (const name of changed) {
      const print = fingerprintOf(folder, [name]);
      const file = read(name);
      const events = file.error === null ? file.events : (files.get(name)?.events ?? []);
      files.set(name, { ...file, events, name, print });
    }
    return gone.length + changed.length > 0;
  };
  readAll();
  return {
    get lists() {
      const broken: EventList[] =
        folderError === null ? [] : [{ name: folder, events: [], problems: [], error: folderError }];
      return [...broken, ...files.values()];
    },
    get problems() {
      const own = folderError === null ? [] : [{ file: folder, line: 0, reason: folderError }];
      return [...own, ...[...files.values()].flatMap(({ problems }) => problems)];
    },
    refresh() {
      const before = folderError;
      try {
        folderError = null;
        return readAll() || before !== null;
      } catch (error) {
        folderError = messageOf(error);
        return before === null;
      }
    },
  };
}
