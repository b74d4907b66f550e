// Main, core: looks at a profile's files for the doctor. The app may be writing to them: they are opened to read, and nothing is made beside them.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { isLoopback } from '../../../client/address.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { backupsOf } from '../archive/backup.ts';
import { ARCHIVE_NAME, MARKS_NAME } from '../archive/database.ts';
import { DAMAGE_MARK, isDamage, LARGEST_CHECKED, LEDGER_NAME } from '../ledger/database.ts';
import { createGapStore } from '../ledger/gaps.ts';
import type { SettingsStore } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import { createRelaySettings } from '../relay/settings.ts';
import type { GapFacts, RelayFacts, StoreFacts, StoresFacts } from './store-findings.ts';

const DAY = 86_400_000;
/** So many of the newest gaps are counted. */
const GAPS = 10_000;

/** @param folder of the profile @param now ms */
export function lookAtStores(folder: string, now: number): Omit<StoresFacts, 'relay'> {
  let gaps: GapFacts | null = null;
  const ledger = existsSync(join(folder, DAMAGE_MARK))
    ? damaged(join(folder, LEDGER_NAME), 'found while it was in use')
    : look(join(folder, LEDGER_NAME), (db) => {
        gaps = gapsOf(db);
      });
  const day = backupsOf(folder, LEDGER_NAME)[0]?.slice(-'YYYY-MM-DD.sqlite'.length, -'.sqlite'.length);
  return {
    ledger,
    archive: look(join(folder, ARCHIVE_NAME)),
    marks: look(join(folder, MARKS_NAME)),
    gaps,
    backup: day === undefined ? null : { day, age: Math.max(0, Math.floor((now - Date.parse(day)) / DAY)) },
  };
}

function look(path: string, more: (db: Database.Database) => void = () => undefined): StoreFacts {
  if (!existsSync(path)) return { bytes: null, verdict: { kind: 'sound' } };
  const bytes = statSync(path).size;
  const unread = (why: string): StoreFacts => ({ bytes, verdict: { kind: 'unread', why } });
  if (bytes > LARGEST_CHECKED) return unread('it is too large to be looked through in passing');
  try {
    const db = openUntouched(path);
    if (db === null) return unread('Barograph ended before it could put it in order');
    try {
      const verdict = db.pragma('quick_check(1)', { simple: true });
      if (verdict !== 'ok') return damaged(path, String(verdict));
      more(db);
      return { bytes, verdict: { kind: 'sound' } };
    } finally {
      db.close();
    }
  } catch (thrown) {
    return isDamage(thrown) ? damaged(path, messageOf(thrown)) : unread(messageOf(thrown));
  }
}

const damaged = (path: string, why: string): StoreFacts => ({
  bytes: existsSync(path) ? statSync(path).size : 0,
  verdict: { kind: 'damaged', why },
});

/**
 * A reader of a file in WAL mode makes the companions that are missing. So one that is in use is read where it lies, and one that was closed in
 * good order, which needs none, from memory.
 * @returns null where one of the companions is missing
 */
function openUntouched(path: string): Database.Database | null {
  if (existsSync(`${path}-shm`)) return new Database(path, { readonly: true, fileMustExist: true });
  if (existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0) return null;
  const bytes = readFileSync(path);
  // Bytes 18 and 19 of the header say that there is a WAL, which memory has not: 1 says that there is none.
  if (bytes.length > 19 && bytes[18] === 2 && bytes[19] === 2) bytes.fill(1, 18, 20);
  return new Database(bytes, { readonly: true });
}

function gapsOf(db: Database.Database): GapFacts {
  const open = createGapStore(db)
    .newest(GAPS)
    .filter(({ closed }) => !closed);
  const closable = open.filter(({ lost }) => !lost);
  return { open: closable.length, since: closable.at(-1)?.from ?? null, lost: open.length - closable.length };
}

/** @param runs the app does */
export async function lookAtRelay(profile: Profile, settings: SettingsStore, runs: boolean): Promise<RelayFacts> {
  // The service inside the app runs on this computer.
  const reachable = profile.baseUrl === null || isLoopback(URL.parse(profile.baseUrl)?.hostname ?? '');
  const { on, port, publicUrl } = createRelaySettings(settings, profile, reachable).read();
  return { on, port, isFree: !on || port === 0 || (await isFree(port)), isPublic: publicUrl !== null, runs };
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)));
  });
