// Main, core: copies rows from the ledger's file into the ledger in memory, and back.
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { migrate } from '../files/migrate.ts';
import { refuseOtherKind } from '../files/private-file.ts';
import { LARGEST_CHECKED, LEDGER_NAME } from './database.ts';
import { MIGRATIONS } from './migrations.ts';

/** Every table of the ledger, and its key. */
export const KEYS = {
  events: 'ledger_id',
  aliases: 'event_id',
  removed_events: 'hash',
  cursor: 'only_row',
  pending_events: 'seq',
  gaps: 'id',
  notifications: 'id',
  trace: 'id',
  mutes: 'id',
  annotations: 'ledger_id',
  symbol_notes: 'id',
  metadata: 'name',
  price_states: 'id',
  desk_acts: 'id',
} as const;
type Table = keyof typeof KEYS;
const TABLES = Object.keys(KEYS) as Table[];

type Row = Record<string, string | number | null>;

/** Limits of the events copied from the file: number, and bytes of their bodies. */
const MAX_EVENTS = 20_000;
const MAX_BYTES = 32 * 1024 * 1024;
/**
 * Growth of the ledger in memory, bytes, before it drops events without a notification; also the next steps.
 */
const GROWTH = 64 * 1024 * 1024;
/** Largest size of the ledger in memory, bytes; also where all of its events were notified. */
const MAX_MEMORY = 256 * 1024 * 1024;
/** Removed events that are copied, newest first: some 10 MB. Events dated before them count as removed. */
const MAX_REMOVED = 200_000;
/** Newest events that stay when a full memory drops events without a notification. */
const KEPT_EVENTS = 100;

const OPEN = "outcome IN ('intent', 'failed', 'batched', 'pending', 'muted')";
/** Rows copied from the file; `?` is the oldest copied event. The last row of a table gives the next id. */
const TAKEN: Readonly<Record<Table, string>> = {
  events: `ledger_id >= ? OR ledger_id IN (SELECT ledger_id FROM notifications WHERE ${OPEN})`,
  aliases: 'ledger_id >= ?',
  // Without them, reading the log again would notify events that retention removed.
  removed_events: `? IS NOT NULL AND hash IN (SELECT hash FROM removed_events ORDER BY occurred_s DESC LIMIT ${MAX_REMOVED})`,
  cursor: '? IS NOT NULL',
  pending_events: '? IS NOT NULL',
  gaps: '? IS NOT NULL AND (closed = 0 OR id > (SELECT max(id) FROM gaps) - 500)',
  notifications: `ledger_id >= ? OR ledger_id = 0 OR ${OPEN}`,
  trace: 'ledger_id >= ? OR id = (SELECT max(id) FROM trace)',
  mutes: '? IS NOT NULL AND (ended_at IS NULL OR id = (SELECT max(id) FROM mutes))',
  annotations: 'ledger_id >= ?',
  symbol_notes: '? IS NOT NULL',
  metadata: '? IS NOT NULL',
  price_states: '? IS NOT NULL',
  desk_acts: '? IS NOT NULL',
};

/** Copies the newest events, and the rows needed to continue with them. */
export function copyRows(source: Database.Database, memory: Database.Database): void {
  const oldest = source
    .prepare<[number, number], number | null>(
      `SELECT min(ledger_id) FROM (
         SELECT ledger_id, sum(length(CAST(body AS BLOB))) OVER (ORDER BY ledger_id DESC) AS bytes
         FROM (SELECT ledger_id, body FROM events ORDER BY ledger_id DESC LIMIT ?)) WHERE bytes <= ?`,
    )
    .pluck()
    .get(MAX_EVENTS, MAX_BYTES);
  memory.transaction(() => {
    for (const table of TABLES) {
      const put = putter(memory, table);
      const taken = source.prepare<[number], Row>(`SELECT * FROM ${table} WHERE ${TAKEN[table]}`);
      for (const row of taken.iterate(oldest ?? 0)) put(row);
    }
    memory
      .prepare(
        `INSERT OR REPLACE INTO metadata (name, value)
         SELECT 'identity_from', min(occurred_s) + 1 FROM removed_events HAVING count(*) >= ${MAX_REMOVED}`,
      )
      .run();
  })();
}

/** Both ledgers have the same columns in the same order. */
function putter(db: Database.Database, table: Table, verb = 'INSERT OR REPLACE'): (row: Row) => Database.RunResult {
  let statement: Database.Statement<Row[string][]> | null = null;
  return (row) => {
    const columns = Object.keys(row);
    statement ??= db.prepare(
      `${verb} INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    return statement.run(...Object.values(row));
  };
}

/**
 * Reads the file of a ledger that cannot be opened in its folder. Ignores locks: the copy may be slightly
 * old.
 * @throws when the file cannot be read or is large
 */
export function readCopy(folder: string): Database.Database {
  const path = join(folder, LEDGER_NAME);
  refuseOtherKind(path);
  if (statSync(path).size > LARGEST_CHECKED) throw new Error(`${path} is too large to be read into memory`);
  const db =
    existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0 ? copyElsewhere(path) : inMemory(readFileSync(path));
  try {
    migrate(db, MIGRATIONS, 'ledger');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Copies the file with its WAL: the last transactions are there, and SQLite reads a WAL only beside its file.
 */
function copyElsewhere(path: string): Database.Database {
  const folder = mkdtempSync(join(tmpdir(), 'barograph-'));
  const copy = join(folder, LEDGER_NAME);
  try {
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, copy + suffix);
    const db = new Database(copy);
    try {
      db.pragma('journal_mode = DELETE');
    } finally {
      db.close();
    }
    return inMemory(readFileSync(copy));
  } catch {
    return inMemory(readFileSync(path));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function inMemory(bytes: Buffer): Database.Database {
  // Bytes 18 and 19 are the file format versions: 1 is a rollback journal, as a file in memory has no WAL.
  if (bytes.length >= 20) bytes.fill(1, 18, 20);
  return new Database(bytes);
}

/** Highest ids of a ledger's tables, and its cursor. */
export interface LedgerEnd {
  readonly events: number;
  readonly trace: number;
  readonly gaps: number;
  readonly mutes: number;
  readonly symbol_notes: number;
  readonly cursor: string;
}

export function endOf(db: Database.Database): LedgerEnd {
  const last = (table: Table): number =>
    db.prepare<[], number | null>(`SELECT max(${KEYS[table]}) FROM ${table}`).pluck().get() ?? 0;
  return {
    events: last('events'),
    trace: last('trace'),
    gaps: last('gaps'),
    mutes: last('mutes'),
    symbol_notes: last('symbol_notes'),
    cursor: JSON.stringify(db.prepare('SELECT log, event_id, seq FROM cursor').get()),
  };
}

/** From now on, records which rows change, and limits the size in memory. */
export function trackChanges(memory: Database.Database): void {
  memory.exec('CREATE TABLE changed (name TEXT, key, PRIMARY KEY (name, key)) WITHOUT ROWID');
  for (const table of TABLES) {
    // Events are deleted only to save memory.
    for (const [verb, row] of [
      ['INSERT', 'NEW'],
      ['UPDATE', 'NEW'],
      ['DELETE', 'OLD'],
    ])
      if (verb !== 'DELETE' || table !== 'events')
        memory.exec(
          `CREATE TRIGGER changed_${table}_${verb} AFTER ${verb} ON ${table}
           WHEN NOT EXISTS (SELECT 1 FROM changed WHERE name = '${table}' AND key = ${row}.${KEYS[table]})
           BEGIN INSERT INTO changed VALUES ('${table}', ${row}.${KEYS[table]}); END`,
        );
  }
  allowGrowth(memory);
}

function allowGrowth(memory: Database.Database): void {
  const pages = Number(memory.pragma('page_count', { simple: true }));
  const growth = Math.ceil(GROWTH / Number(memory.pragma('page_size', { simple: true })));
  memory.pragma(`max_page_count = ${pages + growth}`);
}

/** Lets the memory grow further: notified events stay. @returns false at the largest size */
export function allowMoreGrowth(memory: Database.Database): boolean {
  const size =
    Number(memory.pragma('page_count', { simple: true })) * Number(memory.pragma('page_size', { simple: true }));
  if (size + GROWTH > MAX_MEMORY) return false;
  allowGrowth(memory);
  return true;
}

/**
 * Deletes older events without a notification or annotation; the service has them.
 * @returns false: none left
 */
export function dropUnnotifiedEvents(memory: Database.Database): boolean {
  const drop = memory.prepare(
    `DELETE FROM events WHERE ledger_id <= (SELECT max(ledger_id) FROM events) - ${KEPT_EVENTS}
       AND ledger_id NOT IN (SELECT ledger_id FROM notifications UNION SELECT ledger_id FROM annotations)`,
  );
  return drop.run().changes > 0;
}

function changedRows(
  memory: Database.Database,
  table: Table,
): { readonly key: unknown; readonly row: Row | undefined }[] {
  const select = memory.prepare<[unknown], Row>(`SELECT * FROM ${table} WHERE ${KEYS[table]} = ?`);
  return memory
    .prepare<[string], unknown>('SELECT key FROM changed WHERE name = ? ORDER BY key')
    .pluck()
    .all(table)
    .map((key) => ({ key, row: select.get(key) }));
}

/** Writes every change into a file that did not change since: rows keep their ids. */
export function writeChanges(memory: Database.Database, file: Database.Database): void {
  for (const table of TABLES) {
    const put = putter(file, table);
    const drop = file.prepare(`DELETE FROM ${table} WHERE ${KEYS[table]} = ?`);
    for (const { key, row } of changedRows(memory, table))
      if (row !== undefined) put(row);
      else if (table !== 'events') drop.run(key);
  }
}

/**
 * Writes received events and their notifications into a file that changed since. The rows get new ids, and
 * the file's cursor stays, so that back-fill brings the rest. Skips events before the baseline; back-fill
 * decides them, because the file may have another baseline.
 * @param shared rows up to these ids are the same in both; null: no row is
 */
export function writeNewRows(memory: Database.Database, file: Database.Database, shared: LedgerEnd | null): void {
  const ids = new Map<unknown, number>();
  const log = file.prepare<[], number>('SELECT log FROM cursor').pluck().get() ?? 1;
  const putEvent = putter(file, 'events', 'INSERT OR IGNORE');
  for (const { key, row } of changedRows(memory, 'events')) {
    if (row === undefined || String(row.decision).startsWith('before_baseline:')) continue;
    const { changes, lastInsertRowid } = putEvent({ ...row, ledger_id: null, seq: null, log });
    if (changes > 0) ids.set(key, Number(lastInsertRowid));
  }
  const rowsAbout = (table: Table): readonly Row[] =>
    changedRows(memory, table).flatMap(({ row }) => {
      const known = Number(row?.ledger_id);
      const id = known <= (shared?.events ?? 0) ? known : ids.get(known);
      return row === undefined || id === undefined ? [] : [{ ...row, ledger_id: id }];
    });
  for (const table of ['aliases', 'notifications'] as const)
    for (const row of rowsAbout(table)) putter(file, table, 'INSERT OR IGNORE')(row);
  for (const row of rowsAbout('trace')) putter(file, 'trace')({ ...row, id: null });
  writeUserChanges(memory, file, shared);
  for (const { key, row } of changedRows(memory, 'price_states'))
    if (row !== undefined) putter(file, 'price_states')(row);
    else file.prepare('DELETE FROM price_states WHERE id = ?').run(key);
  for (const { row } of changedRows(memory, 'desk_acts')) if (row !== undefined) putter(file, 'desk_acts')(row);
  // A notification that was pending in the file may have been shown from memory.
  const closePending = file.prepare(
    `UPDATE notifications SET outcome = ?, outcome_ms = ?, detail = ?, digest_id = ?, batch = ?, taken_revision = ? WHERE id = ? AND ${OPEN}`,
  );
  // A notification that grew in memory stays pending until the desktop accepts its newest revision.
  const grow = file.prepare(
    `UPDATE notifications SET outcome = @outcome, outcome_ms = @outcome_ms, revision = @revision,
       taken_revision = max(taken_revision, @taken_revision), grown_ms = @grown_ms
     WHERE id = @id AND revision < @revision AND outcome NOT IN ('digest', 'dropped')`,
  );
  for (const { row } of changedRows(memory, 'notifications')) {
    if (row === undefined) continue;
    closePending.run(row.outcome, row.outcome_ms, row.detail, row.digest_id, row.batch, row.taken_revision, row.id);
    grow.run(row);
  }
  separateJoined(memory, file);
}

/** Writes mutes, notes, annotations and gaps: updates rows that came from the file, and adds new ones. */
function writeUserChanges(memory: Database.Database, file: Database.Database, shared: LedgerEnd | null): void {
  for (const table of ['mutes', 'symbol_notes'] as const) {
    const put = putter(file, table);
    const drop = file.prepare(`DELETE FROM ${table} WHERE id = ?`);
    for (const { key, row } of changedRows(memory, table)) {
      const isShared = Number(key) <= (shared?.[table] ?? 0);
      if (row !== undefined) put(isShared ? row : { ...row, id: null });
      else if (isShared) drop.run(key);
    }
  }
  // A gap that was closed in memory stays open until back-fill has brought the events that memory dropped.
  const widen = file.prepare(
    'UPDATE gaps SET from_at = @from_at, to_at = @to_at, cause = @cause WHERE id = @id AND closed = @closed',
  );
  for (const { key, row } of changedRows(memory, 'gaps'))
    if (row !== undefined && Number(key) <= (shared?.gaps ?? 0)) widen.run(row);
    else if (row !== undefined) putter(file, 'gaps')({ ...row, id: null });
  const replace = putter(file, 'annotations');
  const eventOf = memory.prepare<[unknown], string>('SELECT event_id FROM events WHERE ledger_id = ?').pluck();
  const merge = file.prepare(
    `INSERT INTO annotations (ledger_id, acked_ms, note) SELECT ledger_id, @acked_ms, @note FROM events WHERE event_id = @event
     ON CONFLICT (ledger_id) DO UPDATE
       SET acked_ms = coalesce(excluded.acked_ms, acked_ms), note = coalesce(nullif(excluded.note, ''), note)`,
  );
  for (const { key, row } of changedRows(memory, 'annotations')) {
    if (row === undefined) continue;
    if (Number(key) <= (shared?.events ?? 0)) replace(row);
    else merge.run({ acked_ms: row.acked_ms, note: row.note, event: eventOf.get(key) ?? null });
  }
}

/**
 * Events joined to a notification missing or closed in the file get their own row, marked shown if it was
 * shown.
 */
function separateJoined(memory: Database.Database, file: Database.Database): void {
  const isTaken = memory.prepare<[unknown, unknown], number>(
    `SELECT 1 FROM notifications WHERE id = ? AND (outcome = 'in_app' OR taken_revision >= ?)`,
  );
  const separate = file.prepare(
    `UPDATE notifications SET outcome = ?, digest_id = NULL, revision = 1, taken_revision = ? WHERE id = ? AND outcome = 'digest'
       AND NOT EXISTS (SELECT 1 FROM notifications AS host
         WHERE host.id = notifications.digest_id AND host.outcome IN ('intent', 'failed', 'shown', 'in_app'))`,
  );
  for (const { row } of changedRows(memory, 'notifications')) {
    if (row?.outcome !== 'digest') continue;
    const wasShown = isTaken.get(row.digest_id, row.revision) !== undefined;
    separate.run(wasShown ? 'shown' : 'intent', wasShown ? 1 : 0, row.id);
  }
}
