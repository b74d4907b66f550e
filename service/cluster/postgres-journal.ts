// Service, cluster: the journal in PostgreSQL.
// Runs in the thread with the connections (journal-worker.ts).
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { Connection, isOfStatement } from './connection.ts';
import { assertDirect, NodeRefusal } from './direct.ts';
import { type AppendResult, type JournalEntry, type JournalHead, type NewEntry, READ_BYTES } from './journal.ts';
import type { OpenedJournal, Snapshot } from './messages.ts';
import { migrate } from './schema.ts';
import { keepSnapshot, readSnapshot } from './snapshots.ts';

const OLDEST_VERSION = 150_000;

export interface PostgresJournal {
  /** @throws NodeRefusal for a database that this node must not use */
  open(): Promise<OpenedJournal>;
  /** @param until deadline of the caller, ms of `now` */
  append(entry: NewEntry, until: number): Promise<AppendResult>;
  head(): Promise<JournalHead & { readonly hasWorld: boolean }>;
  /** @throws Error if the log has changed */
  after(position: number, limit: number): Promise<readonly JournalEntry[]>;
  /** As `after`, over a connection of the caller. */
  afterOver(client: Client, position: number, limit: number): Promise<readonly JournalEntry[]>;
  /** The entry in a notification; null: no entry, or an entry of another log. */
  notified(payload: string): JournalEntry | null;
  /**
   * Replaces earlier snapshots with this one, and deletes older entries of the journal. Does nothing when the
   * term is over or the log has changed.
   */
  keep(snapshot: Snapshot, epoch: number): Promise<void>;
  /** Adds calls of a minute. @returns the calls of all nodes, by name */
  addCalls(minute: number, calls: readonly (readonly [string, number])[]): Promise<(readonly [string, number])[]>;
  /**
   * Checks that the database still has the log of this node.
   * @returns null if it does; else the reason: another log, or a log that ends before the position of this node
   */
  whyLost(read: ReadEntry): Promise<string | null>;
  close(): Promise<void>;
}

/** The last entry that a replica has, and the newest term that it knows. */
interface ReadEntry {
  readonly position: number;
  readonly entry: string;
  readonly epoch: number;
}

export interface HeadRow {
  readonly log_id: string;
  readonly epoch: string;
  readonly position: string;
  readonly world_time: string | null;
  readonly binding: string;
  readonly leader: string | null;
}

/** A notification contains its entry, to save a read; PostgreSQL limits it to less than 8,000 bytes. */
const APPEND = {
  name: 'append',
  text: `
  WITH moved AS (
    UPDATE barograph.head SET position = position + 1, entry = $1, world_time = coalesce($4, world_time)
    WHERE position = $2 AND entry = $7 AND ($3::bigint IS NULL OR epoch = $3) AND log_id = $6
    RETURNING position, epoch, log_id
  ), written AS (
    INSERT INTO barograph.journal (position, epoch, entry, previous, body)
    SELECT position, epoch, $1, $7, $5 FROM moved
  )
  SELECT pg_notify('barograph_journal', CASE WHEN octet_length($5) < 7000
    THEN concat_ws(' ', log_id, position, epoch, $1::text, $7::text) || E'\\n' || $5 ELSE '' END) FROM moved`,
};

const ADD_CALLS = `
  WITH gone AS (DELETE FROM barograph.calls WHERE minute < $1 - 2)
  INSERT INTO barograph.calls SELECT $1, * FROM unnest($2::text[], $3::bigint[])
  ON CONFLICT (minute, name) DO UPDATE SET calls = barograph.calls.calls + excluded.calls
  RETURNING name, calls`;

const HEAD = 'SELECT log_id, epoch, position, world_time, binding, leader FROM barograph.head';
/** Entries come with the id of their log, which may have changed since the last read. */
const AFTER = {
  name: 'after',
  text: `
  SELECT head.log_id, next.* FROM barograph.head LEFT JOIN LATERAL (
    SELECT position, epoch, entry, previous, body FROM (
      SELECT *, sum(octet_length(body)) OVER (ORDER BY position) - octet_length(body) AS before
      FROM (SELECT * FROM barograph.journal WHERE position > $1 ORDER BY position LIMIT $2) AS most
    ) AS sized WHERE before < ${READ_BYTES}
  ) AS next ON true ORDER BY next.position`,
};
/** Delay between two attempts to append, ms. */
const RETRY_MS = 25;

/**
 * @param binding the flags that all nodes share; null: not a node
 * @param now a monotonic clock, ms
 */
export function createPostgresJournal(url: string, binding: string | null, now: () => number): PostgresJournal {
  const connection = new Connection(url, 'journal');
  const query: Connection['query'] = (statement, values) => connection.query(statement, values);
  let logId = '';

  const readHead = async (): Promise<HeadRow> => {
    const { rows } = await query<HeadRow>(HEAD);
    const [row] = rows;
    if (row === undefined) throw new Error('the database has no head');
    return row;
  };
  const head: PostgresJournal['head'] = async () => headOf(await readHead());

  /** Result of an append that inserted nothing. */
  const foundAt = async ({ id, after, epoch }: NewEntry): Promise<AppendResult> => {
    const { rows } = await query<{ entry: string | null; epoch: string; position: string }>(
      'SELECT (SELECT entry FROM barograph.journal WHERE position = $1) AS entry, epoch, position FROM barograph.head',
      [after + 1],
    );
    const [row] = rows;
    if (row?.entry === id) return 'appended';
    if (row !== undefined && epoch !== null && Number(row.epoch) !== epoch) return 'deposed';
    return 'behind';
  };

  const entriesIn = (rows: readonly NextRow[]): JournalEntry[] => {
    if (rows[0]?.log_id !== logId) throw new Error('the log is another one now');
    return rows.flatMap((row) => (row.position === null ? [] : [entryOf(row)]));
  };

  return {
    async open() {
      await assertDirect(url);
      const client = await connection.reconnect();
      if (binding === null) await assertUsed(client);
      const clockOffset = await prepare(client);
      if (binding !== null)
        await client.query('INSERT INTO barograph.head (binding) VALUES ($1) ON CONFLICT DO NOTHING', [binding]);
      const row = await readHead();
      if (binding !== null && row.binding !== binding)
        throw new NodeRefusal(
          `The database of --cluster belongs to ${row.binding}, not to ${binding}. Start this node as the others, or give another database.`,
        );
      logId = row.log_id;
      return { head: headOf(row), binding: row.binding, snapshot: await readSnapshot(client), clockOffset };
    },
    async append(entry, until) {
      const { id, after, previous, epoch, worldTime, body } = entry;
      for (;;) {
        try {
          const { rowCount } = await query(APPEND, [id, after, epoch, worldTime, body, logId, previous]);
          return rowCount === 1 ? 'appended' : await foundAt(entry);
        } catch (error) {
          // The entry may be written although its answer was lost; appending it again is idempotent.
          if (isOfStatement(error) || now() + RETRY_MS >= until) throw error;
          await pause(RETRY_MS);
        }
      }
    },
    head,
    async after(position, limit) {
      const { rows } = await query<NextRow>(AFTER, [position, limit]);
      return entriesIn(rows);
    },
    async afterOver(client, position, limit) {
      const { rows } = await client.query<NextRow>({ ...AFTER }, [position, limit]);
      return entriesIn(rows);
    },
    notified: (payload) => notifiedEntry(payload, logId),
    keep: (snapshot, epoch) => keepSnapshot(connection, snapshot, { logId, epoch }),
    async addCalls(minute, calls) {
      const { rows } = await query<{ name: string; calls: string }>(ADD_CALLS, [
        minute,
        calls.map(([name]) => name),
        calls.map(([, count]) => count),
      ]);
      return rows.map((row) => [row.name, Number(row.calls)] as const);
    },
    async whyLost(read) {
      const row = headOf(await readHead());
      if (row.logId !== logId) return 'the log is another one now';
      const { rows } = await query<{ entry: string }>('SELECT entry FROM barograph.journal WHERE position = $1', [
        read.position,
      ]);
      const isSame = rows[0] === undefined || rows[0].entry === read.entry;
      if (isSame && row.position >= read.position && row.epoch >= read.epoch) return null;
      // A backup was restored that lacks events which clients know. The first node that notices gives the
      // log a new id.
      await query(
        'UPDATE barograph.head SET log_id = gen_random_uuid(), epoch = greatest(epoch, $2) + 1 WHERE log_id = $1',
        [logId, read.epoch],
      );
      return 'the database was restored from an older backup';
    },
    close: () => connection.end(),
  };
}

export const headOf = (row: HeadRow): JournalHead & { readonly hasWorld: boolean } => ({
  logId: row.log_id,
  epoch: Number(row.epoch),
  position: Number(row.position),
  worldTime: row.world_time === null ? Number.NEGATIVE_INFINITY : Number(row.world_time),
  hasWorld: row.world_time !== null,
});

interface EntryRow {
  readonly position: string;
  readonly epoch: string;
  readonly entry: string;
  readonly previous: string;
  readonly body: string;
}

/** `position` null: no entry. */
type NextRow = { readonly log_id: string } & (EntryRow | { readonly position: null });

const entryOf = ({ position, epoch, entry, previous, body }: EntryRow): JournalEntry => ({
  position: Number(position),
  id: entry,
  previous,
  epoch: Number(epoch),
  body,
});

/** Log, position, term, id and previous id of the entry whose body follows. */
const NOTIFIED = /^(\S+) (\d+) (\d+) (\S+) (\S*)\n/;

function notifiedEntry(payload: string, logId: string): JournalEntry | null {
  const [header = '', log, position, epoch, id = '', previous = ''] = NOTIFIED.exec(payload) ?? [];
  if (log !== logId) return null;
  return { position: Number(position), id, previous, epoch: Number(epoch), body: payload.slice(header.length) };
}

/** @throws NodeRefusal for a database that no node has used yet */
async function assertUsed(client: Client): Promise<void> {
  const { rows } = await client.query<{ used: boolean }>("SELECT to_regclass('barograph.head') IS NOT NULL AS used");
  if (rows[0]?.used !== true)
    throw new NodeRefusal('The database of --cluster has no service yet. Start a node first.');
}

/**
 * Checks the version of the database, and migrates it.
 * @returns the offset of its clock from this computer's, ms
 * @throws NodeRefusal
 */
async function prepare(client: Client): Promise<number> {
  const { rows } = await client.query<{ version: string; at: string }>(
    `SELECT current_setting('server_version_num') AS version, extract(epoch FROM clock_timestamp()) * 1000 AS at`,
  );
  const clockOffset = Number(rows[0]?.at) - Date.now();
  if (Number(rows[0]?.version) < OLDEST_VERSION)
    throw new NodeRefusal('The database of --cluster is older than PostgreSQL 15. Use version 15 or newer.');
  const refusal = await migrate(client);
  if (refusal !== null) throw new NodeRefusal(refusal);
  return clockOffset;
}
