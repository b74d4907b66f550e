// Main, core: opens the ledger's file, and replaces a damaged, emptied or missing one.
// A damaged or emptied file is renamed, never deleted. Other files prove that a missing one existed.
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { createMetadata } from '../files/metadata.ts';
import { FutureFileError } from '../files/migrate.ts';
import { type FileForm, isDamage, openSqliteFile, quarantineFile } from '../files/sqlite-file.ts';
import { type LedgerEvidence, LONGEST_QUEUE, ledgerKeptUntil, NO_EVIDENCE } from './evidence.ts';
import { type LedgerLoss, type LossKind, storedLoss, storeLoss } from './loss.ts';
import type { MetadataKey } from './metadata.ts';
import { MIGRATIONS } from './migrations.ts';
import { hasEvents, type RestoredBackup, restoreBackup } from './restore.ts';
import { missingFrom, restoreIndexes } from './schema.ts';
import { LEDGER_TABLES } from './tables.ts';

export interface OpenedDatabase {
  readonly db: Database.Database;
  /** Set when the file was lost, in this run or in one before the service was listed again. */
  readonly loss: LedgerLoss | null;
}

export const LEDGER_NAME = 'ledger.sqlite';
/**
 * Marker beside a ledger that was found damaged in use: the next start quarantines the ledger without a
 * check.
 */
export const DAMAGE_MARKER = 'ledger.is-damaged';
/**
 * Larger files are not checked at start (a million events take about a second); damage is found in use.
 */
export const LARGEST_CHECKED = 256 * 1024 * 1024;
const LEDGER_FORM: FileForm = {
  what: 'ledger',
  tables: LEDGER_TABLES,
  migrations: MIGRATIONS,
  synchronous: 'FULL',
  largestChecked: LARGEST_CHECKED,
  shrinks: true,
};

/** Makes the next start quarantine this ledger. */
export function markDamaged(db: Database.Database): void {
  if (!db.memory) writeFileSync(join(dirname(db.name), DAMAGE_MARKER), '');
}

/**
 * @param folder of the profile; ":memory:" keeps everything in memory
 * @param stamp part of the name of a quarantined file
 * @throws FutureFileError, and any error of the file system (full, read-only, locked)
 */
export function openDatabase(folder: string, stamp: string, evidence: LedgerEvidence = NO_EVIDENCE): OpenedDatabase {
  if (folder === ':memory:') return { db: openLedgerFile(folder), loss: null };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, LEDGER_NAME);
  const marker = join(folder, DAMAGE_MARKER);
  const kind = existsSync(marker) && existsSync(path) ? 'damaged' : missingOrEmpty(folder, evidence);
  const existing = kind ?? openExisting(folder, evidence);
  if (typeof existing !== 'string')
    return { db: recordBeginning(existing, stamp), loss: storedLoss(createMetadata<MetadataKey>(existing)) };
  const loss = replace(folder, stamp, existing, evidence);
  rmSync(marker, { force: true });
  const db = openLedgerFile(path);
  if (loss.restored === null) keepBaseline(db, loss);
  return { db: recordBeginning(db, stamp), loss };
}

/** The ledger in the file, or why it is lost. */
function openExisting(folder: string, evidence: LedgerEvidence): Database.Database | LossKind {
  try {
    const db = openLedgerFile(join(folder, LEDGER_NAME));
    if (!isEmptied(db, folder, evidence)) return db;
    db.close();
    return 'empty';
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return 'damaged';
  }
}

/** Throws at once, without a wait, when another program has locked the ledger. */
export function refuseLocked(folder: string): void {
  const path = join(folder, LEDGER_NAME);
  if (!existsSync(path)) return;
  const db = new Database(path, { timeout: 0, fileMustExist: true });
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
  } finally {
    db.close();
  }
}

/** "missing" or "empty" when there was a ledger and its file is gone or has no bytes; null otherwise. */
export function missingOrEmpty(folder: string, evidence: LedgerEvidence): Exclude<LossKind, 'damaged'> | null {
  const path = join(folder, LEDGER_NAME);
  const kind = !existsSync(path) ? 'missing' : statSync(path).size === 0 ? 'empty' : null;
  return kind === null || ledgerKeptUntil(folder, LEDGER_NAME, evidence) === null ? null : kind;
}

/** True when all events are gone. A ledger that never received an event has the metadata key `begun`. */
export function isEmptied(db: Database.Database, folder: string, evidence: LedgerEvidence): boolean {
  if (hasEvents(db)) return false;
  const metadata = createMetadata<MetadataKey>(db);
  const cursor = db.prepare<[], { event: string | null }>('SELECT event_id AS event FROM cursor').get();
  if (cursor === undefined || cursor.event !== null || namesEvents(db)) return true;
  const isNoted = metadata.get('begun') !== null || metadata.get('baseline') !== null;
  return !isNoted && ledgerKeptUntil(folder, LEDGER_NAME, evidence) !== null;
}

/** True when other tables name events. The cursor has no event until the service's list was read. */
const namesEvents = (db: Database.Database): boolean =>
  db.prepare('SELECT 1 FROM pending_events UNION ALL SELECT 1 FROM notifications WHERE ledger_id > 0 LIMIT 1').get() !==
  undefined;

function openLedgerFile(path: string): Database.Database {
  const db = openSqliteFile(path, LEDGER_FORM);
  try {
    const missing = missingFrom(db);
    if (missing !== null) throw new Database.SqliteError(`${missing} is missing`, 'SQLITE_CORRUPT');
    restoreIndexes(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** True for damage of the file or of its tables: a migration or a unique index fails. */
const isCorrupt = (error: unknown): boolean =>
  !(error instanceof FutureFileError) &&
  (isDamage(error) ||
    (error instanceof Database.SqliteError && /^SQLITE_(ERROR|CONSTRAINT|MISMATCH)/.test(error.code)));

/**
 * Stored at once: after a kill before the service's first answer, the next start must not count as the first.
 */
function keepBaseline(db: Database.Database, loss: LedgerLoss): void {
  const metadata = createMetadata<MetadataKey>(db);
  const keep = db.transaction(() => {
    metadata.set(loss.isWorldTime ? 'baseline' : 'kept_until_here', loss.settledUntil);
    storeLoss(metadata, loss);
  });
  keep();
}

/** Records when a ledger without events began, so that it does not pass for an emptied one. */
function recordBeginning(db: Database.Database, stamp: string): Database.Database {
  const metadata = createMetadata<MetadataKey>(db);
  try {
    if (metadata.get('begun') === null && !hasEvents(db)) metadata.set('begun', stamp);
  } catch {
    // A full disk does not prevent the start.
  }
  return db;
}

function replace(folder: string, stamp: string, kind: LossKind, evidence: LedgerEvidence): LedgerLoss {
  const path = join(folder, LEDGER_NAME);
  const history = evidence.history();
  // The program that damaged the file may have written it last.
  const writtenAt = lastWriteAt(path);
  const lastKnown = isoOf(Math.min(ledgerKeptUntil(folder, LEDGER_NAME, evidence) ?? writtenAt, writtenAt));
  const provenUntil = lastProof(path);
  const isPresent = ['', '-wal', '-shm'].some((ending) => existsSync(path + ending));
  const name = isPresent ? quarantineFile(folder, LEDGER_NAME, stamp, kind) : null;
  // Without a history of notifications, only times separate notified events from others.
  const baseline = history === null ? (provenUntil ?? lastKnown) : null;
  // Queued and pending notifications were in the lost ledger alone. Events before the profile was monitored
  // are history.
  const hasHistory = provenUntil !== null && history !== null;
  const lossOf = (backup: RestoredBackup | null): LedgerLoss => {
    const connectedUntil = backup === null ? provenUntil : (baseline ?? backup.connectedUntil);
    const until = connectedUntil ?? lastKnown;
    const unqueued = Math.max(Date.parse(until) - LONGEST_QUEUE, evidence.since ?? 0);
    return {
      at: stamp,
      kind,
      name,
      connectedUntil: until,
      isWorldTime: connectedUntil !== null,
      settledUntil: hasHistory ? isoOf(Math.min(unqueued, Date.parse(until))) : until,
      restored: backup?.name ?? null,
    };
  };
  return restoreBackup(folder, LEDGER_NAME, { open: openLedgerFile, history, baseline, lossOf }) ?? lossOf(null);
}

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Time of the last write to the file or its WAL, ms; infinity: neither exists. */
function lastWriteAt(path: string): number {
  const times = [path, `${path}-wal`].filter((file) => existsSync(file)).map((file) => statSync(file).mtimeMs);
  return times.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...times);
}

/** World time up to which a lost ledger was complete, ISO; null: unreadable. */
function lastProof(path: string): string | null {
  try {
    const db = new Database(path, { readonly: true, fileMustExist: true });
    try {
      // The file may never have been migrated: up to version 4 the table is called `facts`.
      const tables = db
        .prepare<[], string>("SELECT name FROM sqlite_master WHERE name IN ('metadata', 'facts')")
        .pluck();
      const [table] = tables.all();
      const row = db.prepare<[], { value: string }>(`SELECT value FROM ${table} WHERE name = 'proven_until'`).get();
      return row?.value ?? null;
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}
