// Test: migration 006 gives an old row the same columns as a new row of the same event.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { unpackOldFile } from '../../../test/harness/old-data-folder.ts';
import { readEvent } from '../compat/read-event.ts';
import { migrate } from '../files/migrate.ts';
import { createLedger } from './ledger.ts';
import { MIGRATIONS } from './migrations.ts';
import { createFixedStorage } from './storage.ts';

const RECEIVED = 1_772_461_800_000;
const AT = '2026-03-02T14:30:00.500Z';
const DATA = { symbol: 'SPY', occurred_at: AT, from_state: 1, confidence: 41.5, regime: 'stress', note: 'Deep.' };

/** A ledger of version 5 with one row per body. */
function fifthForm(rows: readonly { readonly event: string; readonly state?: number; readonly body: string }[]) {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS.slice(0, 5));
  const put = db.prepare(
    `INSERT INTO events (event_id, seq, log, event, symbol, to_state, occurred_s, duplicate_index, received_ms, sources, decision, assumptions, body)
     VALUES (?, NULL, 1, ?, 'SPY', ?, ?, ?, ?, 'stream', NULL, NULL, ?)`,
  );
  for (const [index, { event, state, body }] of rows.entries())
    put.run(`e${index}`, event, state ?? null, RECEIVED / 1000, index, RECEIVED, body);
  return db;
}
function migrated(db: Database.Database) {
  migrate(db, MIGRATIONS);
  const ledger = createLedger(createFixedStorage({ db, loss: null }));
  return ledger.entries.after(0, 1_000_000);
}

test('the columns of every row of a folder of November 2026 match its body', () => {
  const rows = migrated(new Database(unpackOldFile('ledger')));
  expect(rows).toHaveLength(554);
  for (const row of rows) {
    const read = readEvent(JSON.parse(row.body), { name: row.event, id: row.event_id, receivedAt: row.received_ms });
    if (!read.ok) throw new Error(read.error);
    const { transition, attributes, occurredAt } = read.value;
    expect(row).toMatchObject({
      transition: transition === null ? null : { ...transition, event_id: row.event_id },
      attributes,
      occurredAt,
    });
  }
});

test('a damaged body, a body that is no event, and an unknown event', () => {
  const rows = migrated(
    fifthForm([
      { event: 'signal.high_risk', state: 2, body: '{"event":"signal.hi' },
      { event: 'signal.high_risk', state: 2, body: '[]' },
      { event: 'signal.high_risk', state: 2, body: '{}' },
      { event: 'weather.storm', body: JSON.stringify({ event: 'weather.storm', data: { title: 'Gale', version: 7 } }) },
    ]),
  );
  const values = { confidence: null, regime: null, version: null, type: null, title: 'Gale' };
  expect(rows.map(({ transition, attributes, occurredAt }) => ({ transition, attributes, occurredAt }))).toEqual([
    { transition: null, attributes: null, occurredAt: RECEIVED },
    { transition: null, attributes: null, occurredAt: RECEIVED },
    { transition: null, attributes: null, occurredAt: RECEIVED },
    { transition: null, attributes: values, occurredAt: RECEIVED },
  ]);
});

test.each([
  ['a transition', 'signal.high_risk', 2, DATA],
  ['a transition in another spelling', 'signal.created', 2, { ticker: 'spy', state: 'HIGH_RISK', timestamp: AT }],
  ['a flip', 'regime.flip', undefined, { symbol: 'SPY', to_regime: 'stress', confidence: 60, occurred_at: AT }],
  ['a briefing', 'briefing.published', undefined, { type: 'daily', title: 'Calm', occurred_at: AT }],
  ['a model', 'model.version', undefined, { version: 'dd-p-2', occurred_at: AT }],
])('an old row and a new row of %s are equal', (_, event, state, data) => {
  const value = { event_id: 'e0', event, timestamp: AT, data };
  const body = JSON.stringify(value);
  const [old] = migrated(fifthForm([{ event, ...(state === undefined ? {} : { state }), body }]));
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  const ledger = createLedger(createFixedStorage({ db, loss: null }));
  const read = readEvent(value, { receivedAt: RECEIVED, body });
  if (!read.ok) throw new Error(read.error);
  const evaluate = () => ({ reason: null, why: null, notification: null, ends: [] });
  ledger.ingest({ source: 'stream', events: [read.value], receivedAt: RECEIVED, evaluate });
  const [fresh] = ledger.entries.after(0, 1);
  const columns = ['transition', 'attributes', 'occurredAt'] as const;
  for (const column of columns) expect(fresh?.[column]).toEqual(old?.[column]);
  expect(fresh?.transition ?? fresh?.attributes).not.toBeNull();
  expect(fresh?.occurredAt).toBe(Date.parse(AT));
});
