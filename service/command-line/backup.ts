// Service, command line: `backup FILE`: a consistent copy of a store, also while a service uses it.
// To restore, start a service with the copy as --db.
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import SQLite, { type Database } from 'better-sqlite3';
import { Command } from 'commander';
import { type Progress, StoppedError } from '../../shared/lib/progress.ts';
import { messageOf, ok, type Result } from '../../shared/lib/result.ts';
import { tapeFileOf } from '../market/tape/tape-database.ts';
import { createPrivate } from '../store/lock.ts';
import { isStore } from '../store/migrate.ts';
import { StoreError } from '../store/store-error.ts';
import { parseVerb, type VerbRefusal } from './parse-verb.ts';

/** Pages copied between two turns of the event loop: some ms. */
const PAGES_A_TURN = 1_024;

export interface BackupRequest {
  readonly target: string;
  /** null: the default store. */
  readonly db: string | null;
  readonly dataDir: string | null;
}

/** @returns the arguments, or the text to print with the exit code */
export function readBackup(argv: readonly string[]): Result<BackupRequest, VerbRefusal> {
  const command = new Command('service backup')
    .description(
      'Copy the store of a service to a new file, also while it runs; --db FILE starts a service on the copy',
    )
    .argument('<file>', 'the copy; it must not exist')
    .option('--db <file>', 'store of the service')
    .option('--data-dir <folder>', 'folder of the store');
  const read = parseVerb(command, argv);
  if (!read.ok) return read;
  const [target = ''] = command.args;
  const { db, dataDir } = command.opts<{ db?: string; dataDir?: string }>();
  return ok({ target, db: db ?? null, dataDir: dataDir ?? null });
}

/**
 * Copies the store, then the record of prices beside it, which may be ahead of its store, as after a kill.
 * @param defaultFolder folder of the default store
 * @returns a sentence for the operator
 * @param report may throw to end it
 * @throws StoreError with one sentence, and what `report` throws; then there is no file at the target
 */
export async function writeBackup(
  { target, db, dataDir }: BackupRequest,
  defaultFolder: string,
  report: (progress: Progress) => void = () => undefined,
): Promise<string> {
  const store = db ?? join(dataDir ?? defaultFolder, 'service.db');
  const tape = tapeFileOf(store);
  const pairs = [[store, target], ...(existsSync(tape) ? [[tape, tapeFileOf(target)]] : [])] as [string, string][];
  if (!existsSync(store)) throw new StoreError(`There is no store at ${store}. Name it with --db or --data-dir.`);
  if (!existsSync(dirname(resolve(target)))) throw new StoreError(`There is no folder ${dirname(resolve(target))}.`);
  const taken = pairs.find(([, to]) => existsSync(to));
  if (taken !== undefined)
    throw new StoreError(`${taken[1]} exists already. A backup replaces nothing: name another file.`);
  const written: string[] = [];
  try {
    for (const [from, to] of pairs) {
      await copy(from, to, from === store ? isStore : () => true, report);
      written.push(to);
    }
  } catch (error) {
    for (const to of written) rmSync(to, { force: true });
    throw error instanceof StoreError || error instanceof StoppedError
      ? error
      : new StoreError(`${store} cannot be copied: ${messageOf(error)}`);
  }
  return `${store} is copied to ${written.join(' and ')}. To restore, start the service with --db ${target}`;
}

/**
 * Copies in one read transaction, which blocks no writer. Renames the copy once it is complete, checked and
 * synced.
 */
async function copy(
  from: string,
  to: string,
  isOurs: (source: Database) => boolean,
  report: (progress: Progress) => void,
): Promise<void> {
  const partial = join(dirname(to), `.${basename(to)}.partial`);
  rmSync(partial, { force: true });
  createPrivate(partial);
  try {
    const source = new SQLite(from, { fileMustExist: true, timeout: 5_000 });
    try {
      if (!isOurs(source)) throw new StoreError(`${from} is no store of a service.`);
      // Without the transaction the copy would begin again at each write of the service.
      source.exec('BEGIN; SELECT 1 FROM sqlite_schema');
      const pageSize = Number(source.pragma('page_size', { simple: true }));
      await source.backup(partial, {
        progress({ totalPages, remainingPages }) {
          report({ what: 'copying', done: (totalPages - remainingPages) * pageSize, total: totalPages * pageSize });
          return PAGES_A_TURN;
        },
      });
    } finally {
      source.close();
    }
    report({ what: 'verifying', done: 0, total: null });
    check(partial);
    sync(partial);
    renameSync(partial, to);
    if (process.platform !== 'win32') sync(dirname(resolve(to)));
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

function check(file: string): void {
  const database = new SQLite(file);
  try {
    // As the pages have it, it would write into files beside it.
    database.pragma('journal_mode = DELETE');
    const result = database.pragma('integrity_check(1)', { simple: true });
    if (result !== 'ok') throw new StoreError(`The copy is damaged (${String(result)}); the store may be, too.`);
  } finally {
    database.close();
  }
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
