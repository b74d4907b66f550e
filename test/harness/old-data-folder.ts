// Test harness: a data folder of the version of November 2026, opened with the present code.
// The files are in test/fixtures/data-folder-2026-11.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type ArchiveStore, openStore as openArchive } from '../../main/core/archive/store.ts';
import { isDamage, quarantineFile } from '../../main/core/files/sqlite-file.ts';
import { type Ledger, openLedger } from '../../main/core/ledger/ledger.ts';
import { openRelayStore, type RelayStore } from '../../main/core/relay/store.ts';
import { openStore as openService, type Store } from '../../service/store/store.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { temporaryFolder } from './folders.ts';

const FIXTURE = join(import.meta.dirname, '..', 'fixtures', 'data-folder-2026-11');
/** When the folder was last written, ms; world and computer had the same clock. */
export const OLD_FOLDER_TIME = Date.parse('2026-11-22T14:44:00.000Z');
/** Files of the profile, by the names of that version. */
const PROFILE_FILES = ['ledger', 'archive', 'marks', 'relay'];

export interface OldDataFolder {
  readonly path: string;
  /** Path of a file in the folder of its only profile. */
  profile(name: string): string;
  readonly serviceFile: string;
  ledger(): Ledger;
  archive(): ArchiveStore;
  /** @param lines receives the messages of the store */
  relay(lines?: string[]): RelayStore;
  service(): Store;
  /** Closes what a test opened. */
  close(): void;
  remove(): void;
}

/** A SQLite file of the fixture. */
export const unpackOldFile = (name: string): Buffer => gunzipSync(readFileSync(join(FIXTURE, `${name}.sqlite.gz`)));

/** The archive of a profile; a damaged file is set aside first, as by the program. */
function openArchiveAnew(folder: string): ArchiveStore {
  try {
    return openArchive(folder);
  } catch (error) {
    if (!isDamage(error)) throw error;
    quarantineFile(folder, 'archive.sqlite', timestamp(OLD_FOLDER_TIME));
    return openArchive(folder);
  }
}

export function unpackOldFolder(): OldDataFolder {
  const folder = temporaryFolder();
  const profile = (name: string): string => join(folder.path, 'profiles', 'remote', name);
  const serviceFile = join(folder.path, 'service.sqlite');
  mkdirSync(profile(''), { recursive: true });
  for (const name of PROFILE_FILES) writeFileSync(profile(`${name}.sqlite`), unpackOldFile(name));
  writeFileSync(serviceFile, unpackOldFile('service'));
  copyFileSync(join(FIXTURE, 'settings.json'), join(folder.path, 'settings.json'));

  const opened: { close(): void }[] = [];
  const keep = <Value extends { close(): void }>(value: Value): Value => {
    opened.push(value);
    return value;
  };
  const close = (): void => {
    for (const one of opened.splice(0)) one.close();
  };
  return {
    path: folder.path,
    profile,
    serviceFile,
    ledger: () => keep(openLedger(profile(''), timestamp(OLD_FOLDER_TIME))),
    archive: () => keep(openArchiveAnew(profile(''))),
    relay: (lines = []) =>
      keep(openRelayStore(profile(''), timestamp(OLD_FOLDER_TIME), (line) => void lines.push(line))),
    service: () => keep(openService(serviceFile, { environment: 'sandbox', seed: 7, clock: 'real' })),
    close,
    remove() {
      close();
      folder.remove();
    },
  };
}
