// Service, cluster: the journal in PostgreSQL, over one connection that is opened again when it ends.
// Runs in the thread with the connections (journal-worker.ts).
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, type QueryResult, type QueryResultRow } from 'pg';
import { messageOf } from '../../shared/lib/result.ts';
import type { AppendResult, JournalEntry, JournalHead, NewEntry } from './journal.ts';
import type { OpenedJournal, Snapshot } from './messages.ts';
import { migrate } from './schema.ts';

/** This node must not run on this database. */
export class Refused extends Error {}

/** How long PostgreSQL may take to accept a connection, or to answer one statement, ms. */
const CONNECT_MS = 2_000;
const STATEMENT_MS = 5_000;
const OLDEST_VERSION = 150_000;

/** A host that is gone is noticed by the database within seconds, and its locks are free. */
const SESSION = `SET tcp_keepalives_idle = 1; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = 3000; SET statement_timeout = 0; SET idle_session_timeout = 0`;

/** @throws when the database cannot be reached */
export async function connect(url: string, name: string, queryMs: number | null = STATEMENT_MS): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: `barograph ${name}`,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...(queryMs === null ? {} : { query_timeout: queryMs }),
  });
  // The next query says it too.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(SESSION);
  return client;
}

export interface PostgresJournal {
  /** @throws Refused for a database that this node must not use */
  open(): Promise<OpenedJournal>;
  /** @param until ms of `now`; then nobody waits for the answer */
  append(entry: NewEntry, until: number): Promise<AppendResult>;
  head(): Promise<JournalHead & { readonly hasWorld: boolean }>;
  /** @throws Error where the log is another one now */
  after(position: number, limit: number): Promise<readonly JournalEntry[]>;
  /** The same over a connection of the caller. */
  afterOver(client: Client, position: number, limit: number): Promise<readonly JournalEntry[]>;
  /**
   * Keeps the snapshot instead of the ones before it, and cuts the journal some time before it. Does nothing when the
   * term is over, or the log another one.
   */
  keep(snapshot: Snapshot, epoch: number): Promise<void>;
  /** Adds calls of a minute. @returns those of all nodes, by name */
  addCalls(minute: number, calls: readonly (readonly [string, number])[]): Promise<(readonly [string, number])[]>;
  /**
   * What is the log of this node, if the database still has it.
   * @returns why it has not: another log, or one that ends before what this node has read
   */
  whyLost(read: ReadEntry): Promise<string | null>;
  close(): Promise<void>;
}

/** The last entry that a replica has, and the newest term that it heard of. */
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

const APPEND = `
  WITH moved AS (
    UPDATE barograph.head SET position = position + 1, entry = $1, world_time = coalesce($4, world_time)
    WHERE position = $2 AND entry = $7 AND ($3::bigint IS NULL OR epoch = $3) AND log_id = $6
    RETURNING position, epoch
  ), written AS (
    INSERT INTO barograph.journal (position, epoch, entry, previous, body)
    SELECT position, epoch, $1, $7, $5 FROM moved
  )
  SELECT pg_notify('barograph_journal', position::text) FROM moved`;

const HEAD = 'SELECT log_id, epoch, position, world_time, binding, leader FROM barograph.head';
/** Entries come with the log that they are of: since the last look it may have become another one. */
const AFTER = `
  SELECT head.log_id, next.* FROM barograph.head LEFT JOIN LATERAL (
    SELECT position, epoch, entry, previous, body FROM barograph.journal WHERE position > $1 ORDER BY position LIMIT $2
  ) AS next ON true ORDER BY next.position`;
/** What a leader writes besides the journal, only in its term. */
const LEADS = 'FROM barograph.head WHERE log_id = $1 AND epoch = $2';
/** Between two attempts to append. */
const RETRY_MS = 25;
/** Bytes of a row of a snapshot. */
const PART_BYTES = 4 * 1024 * 1024;
/** Entries that stay in the journal before a snapshot, for nodes that are behind. */
const KEPT_ENTRIES = 2_000;

/** @param now a clock that never runs back, ms */
export function createPostgresJournal(url: string, binding: string, now: () => number): PostgresJournal {
  let client: Client | null = null;
  let logId = '';

  const query = async <Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<QueryResult<Row>> => {
    client ??= await connect(url, 'journal');
    const used = client;
    try {
      return await used.query<Row>(text, values);
    } catch (error) {
      // An answer of the server about the statement has a code of five characters; any other error is of the connection.
      if (!isOfStatement(error)) {
        if (client === used) client = null;
        void used.end().catch(() => undefined);
      }
      throw error;
    }
  };
  const readHead = async (): Promise<HeadRow> => {
    const { rows } = await query<HeadRow>(HEAD);
    const [row] = rows;
    if (row === undefined) throw new Error('the database has no head');
    return row;
  };
  const head: PostgresJournal['head'] = async () => headOf(await readHead());

  /** What stands where the entry was to be. */
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
      const opened = await connect(url, 'journal');
      client = opened;
      const { rows } = await opened.query<{ version: string; at: string }>(
        `SELECT current_setting('server_version_num') AS version, extract(epoch FROM clock_timestamp()) * 1000 AS at`,
      );
      const clockOffset = Number(rows[0]?.at) - Date.now();
      if (Number(rows[0]?.version) < OLDEST_VERSION)
        throw new Refused('The database of --cluster is older than PostgreSQL 15. Use version 15 or newer.');
      const refusal = await migrate(opened);
      if (refusal !== null) throw new Refused(refusal);
      await opened.query('INSERT INTO barograph.head (binding) VALUES ($1) ON CONFLICT DO NOTHING', [binding]);
      const row = await readHead();
      if (row.binding !== binding)
        throw new Refused(
          `The database of --cluster belongs to ${row.binding}, not to ${binding}. Start this node as the others, or give another database.`,
        );
      logId = row.log_id;
      return { head: headOf(row), snapshot: await readSnapshot(opened), clockOffset };
    },
    async append(entry, until) {
      const { id, after, previous, epoch, worldTime, body } = entry;
      for (;;) {
        try {
          const { rowCount } = await query(APPEND, [id, after, epoch, worldTime, body, logId, previous]);
          return rowCount === 1 ? 'appended' : await foundAt(entry);
        } catch (error) {
          // The answer may be lost and the entry written: the same entry again is safe, and finds itself.
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
      const { rows } = await client.query<NextRow>(AFTER, [position, limit]);
      return entriesIn(rows);
    },
    async keep({ position, entry, body }, epoch) {
      const parts = Math.max(1, Math.ceil(body.length / PART_BYTES));
      for (let part = 0; part < parts; part++)
        await query(
          `INSERT INTO barograph.snapshot (position, entry, part, parts, body)
           SELECT $3::bigint, $4::text, $5::int, $6::int, $7::bytea ${LEADS} ON CONFLICT DO NOTHING`,
          [
            logId,
            epoch,
            position,
            entry,
            part,
            parts,
            Buffer.from(body.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)),
          ],
        );
      const isOurs = `AND EXISTS (SELECT 1 ${LEADS})`;
      await query(`DELETE FROM barograph.snapshot WHERE position < $3 ${isOurs}`, [logId, epoch, position]);
      await query(`DELETE FROM barograph.journal WHERE position <= $3 ${isOurs}`, [
        logId,
        epoch,
        position - KEPT_ENTRIES,
      ]);
    },
    async addCalls(minute, calls) {
      const { rows } = await query<{ name: string; calls: string }>(
        `WITH gone AS (DELETE FROM barograph.calls WHERE minute < $1 - 2)
         INSERT INTO barograph.calls SELECT $1, * FROM unnest($2::text[], $3::bigint[])
         ON CONFLICT (minute, name) DO UPDATE SET calls = barograph.calls.calls + excluded.calls
         RETURNING name, calls`,
        [minute, calls.map(([name]) => name), calls.map(([, count]) => count)],
      );
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
      // Restored from a backup: what clients know after it never was. The first node that sees it says so.
      await query(
        'UPDATE barograph.head SET log_id = gen_random_uuid(), epoch = greatest(epoch, $2) + 1 WHERE log_id = $1',
        [logId, read.epoch],
      );
      return 'the database was restored from an older backup';
    },
    async close() {
      await client?.end().catch(() => undefined);
    },
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

/** `position` null: there is no entry. */
type NextRow = { readonly log_id: string } & (EntryRow | { readonly position: null });

const entryOf = ({ position, epoch, entry, previous, body }: EntryRow): JournalEntry => ({
  position: Number(position),
  id: entry,
  previous,
  epoch: Number(epoch),
  body,
});

/** Whether the server refused the statement, and the connection goes on. Classes 57 and 08 end it. */
export const isOfStatement = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(?!57|08)[0-9A-Z]{5}$/.test(String(error.code));

/** The newest whole snapshot. */
async function readSnapshot(client: Client): Promise<OpenedJournal['snapshot']> {
  const { rows } = await client.query<{ position: string; entry: string; body: Buffer }>(
    `SELECT position, entry, body FROM barograph.snapshot WHERE position = (
       SELECT position FROM barograph.snapshot GROUP BY position, parts HAVING count(*) = parts ORDER BY position DESC LIMIT 1
     ) ORDER BY part`,
  );
  const [first] = rows;
  if (first === undefined) return null;
  return { position: Number(first.position), entry: first.entry, body: Buffer.concat(rows.map(({ body }) => body)) };
}

/** Statements in a row of which each goes to another session where a pooler takes its sessions in turn. */
const SESSION_PROBES = 3;

/**
 * A pooler in transaction mode gives the same session of the database to two connections, or a connection another
 * session with every statement, and locks do not stay. One in statement mode refuses transactions.
 * @throws Refused
 */
async function assertDirect(url: string): Promise<void> {
  let clients: Client[] = [];
  try {
    const first = await connect(url, 'start');
    clients = [first];
    const session = randomUUID();
    await first.query("SELECT set_config('barograph.session', $1, false)", [session]);
    const backends = new Set<number | undefined>();
    for (let probe = 0; probe < SESSION_PROBES; probe++) {
      const { rows } = await first.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      backends.add(rows[0]?.pid);
    }
    const second = await connect(url, 'start');
    clients.push(second);
    await second.query('BEGIN');
    const asked = "SELECT current_setting('barograph.session', true) AS session";
    const seen = await second.query<{ session: string | null }>(asked);
    const own = await first.query<{ session: string | null }>(asked);
    if (seen.rows[0]?.session === session || own.rows[0]?.session !== session || backends.size > 1)
      throw new Refused(poolerRefusal('transaction'));
  } catch (error) {
    if (error instanceof Refused) throw error;
    // The words of PgBouncer, whose code is that of any protocol error.
    if (/statement pooling/.test(messageOf(error))) throw new Refused(poolerRefusal('statement'));
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // 28: authorization, 3D: no such database.
    if (/^(28|3D)/.test(code)) throw new Refused(`The database of --cluster refuses this node: ${messageOf(error)}.`);
    throw error;
  } finally {
    await Promise.all(clients.map((one) => one.end().catch(() => undefined)));
  }
}

const poolerRefusal = (mode: 'transaction' | 'statement'): string =>
  `The address of --cluster is a pooler in ${mode} mode, which keeps no locks. Give the address of PostgreSQL itself, or of a pooler in session mode.`;
