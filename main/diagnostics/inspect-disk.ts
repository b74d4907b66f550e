// Main, diagnostics: checks whether a profile's ledger can be written now, and writes nothing.
import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { isLocked } from '../core/files/file-lock.ts';
import { LEDGER_NAME } from '../core/ledger/database.ts';
import type { DiskProblem } from './store-findings.ts';

/** Barograph itself never holds the lock that long, ms. */
const LOCKED = 1_000;

/** @param folder of the profile @param runs whether the app runs */
export function inspectDisk(folder: string, runs: boolean): DiskProblem | null {
  if (!existsSync(folder)) return null;
  const path = join(folder, LEDGER_NAME);
  try {
    for (const one of [folder, path]) if (existsSync(one)) accessSync(one, constants.W_OK);
  } catch {
    return 'read_only';
  }
  // A lock matters while the app runs; opening a file that no program has open would change its companions.
  return runs && existsSync(`${path}-shm`) && isLedgerLocked(path) ? 'locked' : null;
}

function isLedgerLocked(path: string): boolean {
  const db = new Database(path, { fileMustExist: true, timeout: LOCKED });
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    return isLocked(error);
  } finally {
    db.close();
  }
}
