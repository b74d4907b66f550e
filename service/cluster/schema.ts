// Service, cluster: the tables in PostgreSQL, made and changed by numbered steps.
import type { Client } from 'pg';

/** First key of every advisory lock of the service, "BARO" as a number. Advisory locks are per database. */
export const LOCKS = 0x4241524f;
/** Second keys. Lanes are LANE_LOCKS + lane. */
export const MIGRATION_LOCK = 1;
export const LEADER_LOCK = 2;
export const PRESENCE_LOCK = 3;
export const LANE_LOCKS = 100;

/**
 * Step n migrates from version n-1 to n. A released step must never change. Nodes of two versions run side by
 * side, so a step only adds what older nodes ignore; any other step sets `oldest` of barograph.version to its
 * number.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE barograph.head (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    -- Another one after a restore from a backup.
    log_id uuid NOT NULL DEFAULT gen_random_uuid(),
    -- Term of the leader.
    epoch bigint NOT NULL DEFAULT 0,
    -- Node of the leader.
    leader text,
    -- Position of the newest entry.
    position bigint NOT NULL DEFAULT 0,
    -- Its id.
    entry text NOT NULL DEFAULT '',
    -- World ms up to which the leader has evaluated.
    world_time bigint,
    -- The flags that every node must have.
    binding text NOT NULL
  ) WITH (fillfactor = 10);

  -- One row is one transaction of the store: the rows that it changed.
  CREATE TABLE barograph.journal (
    position bigint PRIMARY KEY,
    epoch bigint NOT NULL,
    -- Given by the writer, so that it recognizes an entry whose answer was lost.
    entry text NOT NULL,
    -- Id of the entry before it: a node that knew more than a restored backup does not continue it.
    previous text NOT NULL,
    written_at timestamptz NOT NULL DEFAULT now(),
    body text NOT NULL
  );

  -- The store as it was at a position, as a compressed SQLite file in parts.
  CREATE TABLE barograph.snapshot (
    position bigint NOT NULL,
    entry text NOT NULL,
    part integer NOT NULL,
    parts integer NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (position, part)
  );

  -- Calls of a key to an endpoint within a minute. Lost when the database ends hard, which frees a minute's calls.
  CREATE UNLOGGED TABLE barograph.calls (
    minute bigint NOT NULL,
    name text NOT NULL,
    calls bigint NOT NULL,
    PRIMARY KEY (minute, name)
  );
  `,
  // The oldest version that a node may have.
  'ALTER TABLE barograph.version ADD COLUMN oldest integer NOT NULL DEFAULT 1',
  // Unused: databases have this step, and later steps count from it.
  'ALTER TABLE barograph.head ADD COLUMN withholds_prices boolean',
];

/**
 * Creates or migrates the tables. Nodes that start at once wait for each other.
 * @returns why a node with these steps must not run on this database; null: it may
 */
export async function migrate(client: Client, steps: readonly string[] = MIGRATIONS): Promise<string | null> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', [LOCKS, MIGRATION_LOCK]);
    await client.query(
      'CREATE SCHEMA IF NOT EXISTS barograph; CREATE TABLE IF NOT EXISTS barograph.version (version integer NOT NULL)',
    );
    const { rows } = await client.query<{ version: number; oldest?: number }>('SELECT * FROM barograph.version');
    const version = rows[0]?.version ?? 0;
    const oldest = rows[0]?.oldest ?? 1;
    if (rows.length === 0) await client.query('INSERT INTO barograph.version VALUES (0)');
    for (const [index, step] of steps.entries()) if (index >= version) await client.query(step);
    if (version < steps.length) await client.query('UPDATE barograph.version SET version = $1', [steps.length]);
    await client.query('COMMIT');
    return steps.length < oldest
      ? `The database of --cluster needs nodes that know version ${oldest} of its tables, and this one knows ${steps.length}. Update this node.`
      : null;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
