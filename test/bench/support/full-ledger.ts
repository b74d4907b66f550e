// Bench: writes a ledger after long use by SQL: many events, and notifications of each 25th.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openLedger } from '../../../main/core/ledger/ledger.ts';
import { eventAt, FIRST_AT, SYMBOLS } from './events.ts';

/** Makes the ledger of `folder` hold the events 1 to `rows`, all received and notified. The next is number rows + 1. */
export function fillLedger(folder: string, rows: number): void {
  // The product creates the schema.
  openLedger(folder, 'now').close();
  const db = new Database(join(folder, 'ledger.sqlite'));
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -200000');
  const last = eventAt(rows);
  db.transaction(() => {
    db.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < @rows)
       INSERT INTO events (ledger_id, event_id, seq, log, event, symbol, to_state, occurred_s, duplicate_index, received_ms, sources, decision, assumptions, body,
         asset_class, from_state, state_name, note, occurred_ms, confidence, regime, model_version)
       SELECT n, iif(n = @rows, @lastId, printf('evt_00%08d00000000000000', n)), n, 1, 'signal.elevated',
         (SELECT value FROM json_each(@symbols) WHERE key = n % @symbolCount), 1, @from + n, 0, 0, 'stream', 'unwatched', NULL, @body,
         'etf', 0, 'elevated', '', (@from + n) * 1000, 36, NULL, 'dd-p-1' FROM numbers`,
    ).run({
      rows,
      lastId: last.event_id,
      symbols: JSON.stringify(SYMBOLS.slice(0, 10)),
      symbolCount: 10,
      from: Math.floor(FIRST_AT / 1000),
      body: JSON.stringify(last),
    });
    db.exec(`INSERT INTO notifications (id, ledger_id, channel, kind, rules, base_rate, intent_ms, outcome, reason, outcome_ms, detail, attempts)
      SELECT 'n:' || event_id, ledger_id, 'desktop', 'alert', 'high-risk', 12, 0, 'shown', '', 0, '', 1 FROM events WHERE ledger_id % 25 = 0`);
    db.prepare('UPDATE cursor SET log = 1, event_id = ?, seq = ?').run(last.event_id, rows);
  })();
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  // On the disk before anything is measured: a later sync would wait for all of it.
  const file = openSync(join(folder, 'ledger.sqlite'), 'r+');
  fsyncSync(file);
  closeSync(file);
}
