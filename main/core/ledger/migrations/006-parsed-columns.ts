// Main, core: version 6 of the ledger adds columns for the content of a body, which is parsed once.
import type { Database } from 'better-sqlite3';
import { readEvent } from '../../compat/read-event.ts';

export const version = 6;

export const sql = `
-- Of a signal.*; null where the body cannot be read.
ALTER TABLE events ADD COLUMN asset_class TEXT;
ALTER TABLE events ADD COLUMN from_state INTEGER;
ALTER TABLE events ADD COLUMN state_name TEXT;
ALTER TABLE events ADD COLUMN note TEXT;
-- Of any event.
ALTER TABLE events ADD COLUMN occurred_ms INTEGER;    -- world time, ms since the epoch
ALTER TABLE events ADD COLUMN confidence REAL;
ALTER TABLE events ADD COLUMN regime TEXT;            -- of a regime.flip: the one entered
ALTER TABLE events ADD COLUMN model_version TEXT;     -- of a model.version: the one that begins
-- Of a briefing.
ALTER TABLE events ADD COLUMN type TEXT;
ALTER TABLE events ADD COLUMN title TEXT;
`;

/** Rows read at a time. */
const CHUNK = 1_000;

interface Row {
  readonly ledger_id: number;
  readonly event_id: string;
  readonly event: string;
  readonly received_ms: number;
  readonly body: string;
}

/** Fills the columns of every row that an earlier version wrote. */
export function fill(db: Database): void {
  const read = db.prepare<[number, number], Row>(
    'SELECT ledger_id, event_id, event, received_ms, body FROM events WHERE ledger_id > ? ORDER BY ledger_id LIMIT ?',
  );
  const write = db.prepare(
    `UPDATE events SET asset_class = ?, from_state = ?, state_name = ?, note = ?, occurred_ms = ?, confidence = ?, regime = ?,
       model_version = ?, type = ?, title = ? WHERE ledger_id = ?`,
  );
  for (let rows = read.all(0, CHUNK); rows.length > 0; rows = read.all(rows.at(-1)?.ledger_id ?? 0, CHUNK))
    for (const row of rows) {
      const columns = columnsOf(row);
      if (columns !== null) write.run(...columns, row.ledger_id);
    }
}

/** @returns null where the body is damaged or no event */
function columnsOf({ event_id, event, received_ms, body }: Row): readonly unknown[] | null {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return null;
  }
  const read = readEvent(value, { name: event, id: event_id, receivedAt: received_ms, body });
  if (!read.ok) return null;
  const { transition, attributes, occurredAt } = read.value;
  return [
    transition?.asset_class ?? null,
    transition?.from_state ?? null,
    transition?.state_name ?? null,
    transition?.note ?? null,
    occurredAt,
    (transition ?? attributes)?.confidence ?? null,
    (transition ?? attributes)?.regime ?? null,
    transition?.model_version ?? attributes?.version ?? null,
    attributes?.type ?? null,
    attributes?.title ?? null,
  ];
}
