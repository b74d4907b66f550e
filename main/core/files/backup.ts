// Main, core: the daily backups of files that cannot be fetched again: ledger and flags.
// A backup is complete, or it does not exist.
import { chmodSync, closeSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { messageOf } from '../../../shared/lib/result.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { openPrivateFile, syncFile, syncFolder } from './private-file.ts';

const BACKUPS = 'backups';
const MAX_BACKUPS = 7;
/** Most bytes of all copies of one file; the two newest remain, whatever their size. */
const MAX_BYTES = 2 * 1024 ** 3;
const SURE = 2;

export interface BackupRequest {
  /** Names of files in the profile's folder, as "ledger.sqlite". */
  readonly names: readonly string[];
  /** Day of the copy, YYYY-MM-DD: a second one of the same day replaces the first. */
  readonly day: string;
  /** Copies these tables of another file alone, under the name. */
  readonly tables?: { readonly of: string; readonly names: readonly string[] };
}

export interface BackupResult {
  /** Paths of the new copies. */
  readonly files: readonly string[];
}

/**
 * @param sync writes a file, and the names of a folder, to the disk
 * @throws Error where a copy cannot be made or is damaged; the older ones remain
 */
export function backUp(
  folder: string,
  { names, day, tables }: BackupRequest,
  sync = { file: syncFile, folder: syncFolder },
): BackupResult {
  const backups = join(folder, BACKUPS);
  mkdirSync(backups, { recursive: true, mode: 0o700 });
  // The leftovers of a killed program, of any day.
  for (const name of readdirSync(backups)) if (/\.next(-journal)?$/.test(name)) rmSync(join(backups, name));
  const files: string[] = [];
  for (const name of names) {
    const source = join(folder, tables?.of ?? name);
    const base = name.replace('.sqlite', '');
    if (!existsSync(source)) continue;
    files.push(copyOne(source, { backups, base, day, tables: tables?.names ?? null }, sync.file));
    redate(backups, base, day);
    sync.folder(backups);
    thinOut(backups, base);
  }
  return { files };
}

/** Copies of a file, newest first. */
export function backupsOf(folder: string, name: string): string[] {
  const base = name.replace('.sqlite', '');
  const backups = join(folder, BACKUPS);
  if (!existsSync(backups)) return [];
  return readdirSync(backups)
    .filter((file) => file.startsWith(`${base}-`) && /-\d{4}-\d{2}-\d{2}\.sqlite$/.test(file))
    .sort()
    .reverse()
    .map((file) => join(backups, file));
}

interface Copy {
  readonly backups: string;
  readonly base: string;
  readonly day: string;
  /** null: all. */
  readonly tables: readonly string[] | null;
}

function copyOne(source: string, { backups, base, day, tables }: Copy, sync: (path: string) => void): string {
  const path = join(backups, `${base}-${day}.sqlite`);
  const next = `${path}.next`;
  closeSync(openPrivateFile(next, 'wx'));
  try {
    const db = new Database(tables === null ? source : next, {
      fileMustExist: true,
      readonly: tables === null,
      timeout: 5000,
    });
    try {
      if (tables === null) db.prepare('VACUUM INTO ?').run(next);
      else db.prepare('ATTACH ? AS source').run(source);
      for (const table of tables ?? []) db.exec(`CREATE TABLE ${table} AS SELECT * FROM source.${table}`);
    } finally {
      db.close();
    }
    const copy = new Database(next, { readonly: true, fileMustExist: true });
    try {
      const checkResult = copy.pragma('quick_check(1)', { simple: true });
      if (checkResult !== 'ok') throw new Error(`the copy of ${base} is not sound: ${String(checkResult)}`);
    } finally {
      copy.close();
    }
    chmodSync(next, 0o600);
    sync(next);
    renameSync(next, path);
    return path;
  } catch (error) {
    rmSync(next, { force: true });
    throw new Error(`${base} could not be copied: ${messageOf(error)}`);
  }
}

/**
 * Gives copies of later days, made while the clock was ahead (or it is behind now), the nearest free earlier
 * day.
 */
function redate(backups: string, base: string, day: string): void {
  let free = Date.parse(day);
  const pathOf = (at: number): string => join(backups, `${base}-${new Date(at).toISOString().slice(0, 10)}.sqlite`);
  for (const path of backupsOf(join(backups, '..'), `${base}.sqlite`)) {
    if (path <= pathOf(Date.parse(day))) return;
    while (existsSync(pathOf(free))) free -= DAY_MS;
    renameSync(path, pathOf(free));
  }
}

function thinOut(backups: string, base: string): void {
  let bytes = 0;
  for (const [index, path] of backupsOf(join(backups, '..'), `${base}.sqlite`).entries()) {
    bytes += statSync(path).size;
    if (index >= MAX_BACKUPS || (index >= SURE && bytes > MAX_BYTES)) rmSync(path, { force: true });
  }
}
