// Service, cluster: snapshots of the store in PostgreSQL, in parts; a node starts from the newest.
// Runs in the thread with the connections (journal-worker.ts).
import type { Client } from 'pg';
import type { Connection } from './connection.ts';
import type { OpenedJournal, Snapshot } from './messages.ts';

/** Writes of a leader besides the journal; valid only in its term. */
const LEADS = 'FROM barograph.head WHERE log_id = $1 AND epoch = $2';
/** Bytes of a row of a snapshot. One statement writes or reads one row, because statements have a timeout. */
const PART_BYTES = 512 * 1024;
/** Entries that stay in the journal before a snapshot, for nodes that are behind. */
const KEPT_ENTRIES = 2_000;

/** The newest complete snapshot, or null. @throws Error if a newer snapshot replaced it meanwhile */
export async function readSnapshot(client: Client): Promise<OpenedJournal['snapshot']> {
  const { rows } = await client.query<{ position: string; entry: string; parts: number }>(
    `SELECT position, entry, parts FROM barograph.snapshot GROUP BY position, entry, parts HAVING count(*) = parts
     ORDER BY position DESC LIMIT 1`,
  );
  const [newest] = rows;
  if (newest === undefined) return null;
  const { position, entry, parts } = newest;
  const read: Buffer[] = [];
  for (let part = 0; part < parts; part++) {
    const { rows: found } = await client.query<{ body: Buffer }>(
      'SELECT body FROM barograph.snapshot WHERE position = $1 AND part = $2',
      [position, part],
    );
    if (found[0] === undefined) throw new Error('the snapshot was replaced while it was read');
    read.push(found[0].body);
  }
  return { position: Number(position), entry, body: Buffer.concat(read) };
}

/**
 * Replaces earlier snapshots with this one, and deletes older entries of the journal. Does nothing when the
 * term is over or the log has changed.
 */
export async function keepSnapshot(
  connection: Connection,
  { position, entry, body }: Snapshot,
  { logId, epoch }: { readonly logId: string; readonly epoch: number },
): Promise<void> {
  const parts = Math.max(1, Math.ceil(body.length / PART_BYTES));
  for (let part = 0; part < parts; part++) {
    const bytes = Buffer.from(body.subarray(part * PART_BYTES, (part + 1) * PART_BYTES));
    await connection.query(
      `INSERT INTO barograph.snapshot (position, entry, part, parts, body)
       SELECT $3::bigint, $4::text, $5::int, $6::int, $7::bytea ${LEADS} ON CONFLICT DO NOTHING`,
      [logId, epoch, position, entry, part, parts, bytes],
    );
  }
  const isOurs = `AND EXISTS (SELECT 1 ${LEADS})`;
  const cut = position - KEPT_ENTRIES;
  await connection.query(`DELETE FROM barograph.snapshot WHERE position < $3 ${isOurs}`, [logId, epoch, position]);
  await connection.query(`DELETE FROM barograph.journal WHERE position <= $3 ${isOurs}`, [logId, epoch, cut]);
}
