// Main, diagnostics: inspects a profile's files while the app may write to them; creates no file.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { isLoopback } from '../../client/address.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { ARCHIVE_NAME, flagsPath } from '../core/archive/database.ts';
import { backupsOf } from '../core/files/backup.ts';
import { isDamage } from '../core/files/sqlite-file.ts';
import { DAMAGE_MARKER, LARGEST_CHECKED, LEDGER_NAME } from '../core/ledger/database.ts';
import { createGapStore } from '../core/ledger/gaps.ts';
import type { SettingsStore } from '../core/ports.ts';
import type { Profile } from '../core/profiles/settings.ts';
import { createRelaySettings } from '../core/relay/settings.ts';
import type { GapSummary, RelayInspection, StoreInspection, StoresInspection } from './store-findings.ts';

/** Number of the newest gaps that are counted. */
const GAPS = 10_000;

/** @param folder of the profile @param now ms */
export function inspectStores(folder: string, now: number): Omit<StoresInspection, 'relay'> {
  let gaps: GapSummary | null = null;
  const ledger = existsSync(join(folder, DAMAGE_MARKER))
    ? damaged(join(folder, LEDGER_NAME), 'found while it was in use')
    : inspect(join(folder, LEDGER_NAME), (db) => {
        gaps = gapsOf(db);
      });
  const day = backupsOf(folder, LEDGER_NAME)[0]?.slice(-'YYYY-MM-DD.sqlite'.length, -'.sqlite'.length);
  return {
    ledger,
    archive: inspect(join(folder, ARCHIVE_NAME)),
    flags: inspect(flagsPath(folder)),
    gaps,
    backup: day === undefined ? null : { day, age: Math.max(0, Math.floor((now - Date.parse(day)) / DAY_MS)) },
  };
}

function inspect(path: string, more: (db: Database.Database) => void = () => undefined): StoreInspection {
  if (!existsSync(path)) return { bytes: null, integrity: { kind: 'sound' } };
  const bytes = statSync(path).size;
  const unread = (why: string): StoreInspection => ({ bytes, integrity: { kind: 'unread', why } });
  if (bytes > LARGEST_CHECKED) return unread('it is too large to be looked through in passing');
  try {
    const db = openUntouched(path);
    if (db === null) return unread('Barograph ended before it could put it in order');
    try {
      const checkResult = db.pragma('quick_check(1)', { simple: true });
      if (checkResult !== 'ok') return damaged(path, String(checkResult));
      more(db);
      return { bytes, integrity: { kind: 'sound' } };
    } finally {
      db.close();
    }
  } catch (error) {
    return isDamage(error) ? damaged(path, messageOf(error)) : unread(messageOf(error));
  }
}

const damaged = (path: string, why: string): StoreInspection => ({
  bytes: existsSync(path) ? statSync(path).size : 0,
  integrity: { kind: 'damaged', why },
});

/**
 * A reader of a WAL database creates missing companion files. So reads a database in use in place, and one
 * that was closed cleanly, which needs none, from memory.
 * @returns null where one of the companions is missing
 */
function openUntouched(path: string): Database.Database | null {
  if (existsSync(`${path}-shm`)) return new Database(path, { readonly: true, fileMustExist: true });
  if (existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0) return null;
  const bytes = readFileSync(path);
  // Bytes 18 and 19 of the header announce a WAL, which a copy in memory lacks: 1 means that there is none.
  if (bytes.length > 19 && bytes[18] === 2 && bytes[19] === 2) bytes.fill(1, 18, 20);
  return new Database(bytes, { readonly: true });
}

function gapsOf(db: Database.Database): GapSummary {
  const open = createGapStore(db)
    .newest(GAPS)
    .filter(({ closed }) => !closed);
  const closable = open.filter(({ lost }) => !lost);
  return { open: closable.length, since: closable.at(-1)?.from ?? null, lost: open.length - closable.length };
}

/** @param runs whether the app runs */
export async function inspectRelay(profile: Profile, settings: SettingsStore, runs: boolean): Promise<RelayInspection> {
  // The embedded service runs on this computer.
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
