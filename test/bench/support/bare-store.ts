// Bench: makes events durable with the least work: one table and one prepared INSERT.
// The table has the ledger's columns and its two keys, at the ledger's pragmas.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { EventEnvelope } from '../../../shared/wire/events.ts';

export interface BareStore {
  /** All of them in one transaction. */
  insert(events: readonly EventEnvelope[], texts: readonly string[]): void;
  close(): void;
}

export function openBareStore(folder: string, name = 'bare.sqlite'): BareStore {
  const db = new Database(join(folder, name));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(`CREATE TABLE events (ledger_id INTEGER PRIMARY KEY, event_id TEXT NOT NULL UNIQUE, seq INTEGER, log INTEGER NOT NULL, event TEXT NOT NULL,
    symbol TEXT, to_state INTEGER, occurred_s INTEGER NOT NULL, duplicate_index INTEGER NOT NULL, received_ms INTEGER NOT NULL, sources TEXT NOT NULL,
    decision TEXT, assumptions TEXT, body TEXT NOT NULL) STRICT;
    CREATE UNIQUE INDEX second_key ON events (occurred_s, symbol, to_state, duplicate_index) WHERE to_state IS NOT NULL`);
  const put =
    db.prepare(`INSERT INTO events (event_id, seq, log, event, symbol, to_state, occurred_s, duplicate_index, received_ms, sources, decision, assumptions, body)
    VALUES (?, ?, 1, ?, ?, ?, ?, 0, ?, 'stream', NULL, NULL, ?) ON CONFLICT DO NOTHING`);
  const insert = db.transaction((events: readonly EventEnvelope[], texts: readonly string[]) => {
    const now = Date.now();
    for (const [index, { event_id, seq, event, timestamp, data }] of events.entries()) {
      const symbol = 'symbol' in data ? data.symbol : null;
      const state = 'to_state' in data ? data.to_state : null;
      put.run(event_id, seq, event, symbol, state, Math.floor(Date.parse(timestamp) / 1000), now, texts[index]);
    }
  });
  return { insert, close: () => db.close() };
}
