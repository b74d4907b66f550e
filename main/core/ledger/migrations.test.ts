// Test: migration 005: a ledger of version 4 opens under the current names and keeps every row.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { optionalText, plainMessage } from '../../../shared/text/message.ts';
import { temporaryFolder } from '../../../test/harness/folders.ts';
import { migrate } from '../files/migrate.ts';
import { SelfTestStateSchema } from '../self-test/state.ts';
import { DAMAGE_MARKER, LEDGER_NAME, openDatabase } from './database.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { MIGRATIONS } from './migrations.ts';
import { createFixedStorage } from './storage.ts';

const SELF_TEST = {
  event_id: 'drill:1',
  began_at: '2026-03-02T14:00:00.000Z',
  ended_at: null,
  steps: [
    { step: 'sent', outcome: 'passed', after: 26, detail: 'It says "words": and "step":"handed" too.' },
    { step: 'handed', outcome: 'waits', after: null, detail: '' },
  ],
  words: 'Waiting for the desktop.',
  symbol: 'SPY',
  way: 'trigger',
};
const OUTAGE = { since: '2026-03-02T14:00:00.000Z', cause: 'told', awake: 1, inMarket: 2, told: 3, next: 4 };

/** A ledger of version 4, before the migration. */
function fourthForm(): Database.Database {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS.slice(0, 4));
  const event = db.prepare(
    `INSERT INTO events (event_id, seq, log, event, symbol, to_state, occurred_s, twin, received_ms, inlets, decision, marks, body)
     VALUES (?, ?, 1, ?, ?, ?, 100, ?, 1000, ?, ?, ?, '{}')`,
  );
  event.run('e1', 1, 'signal.high_risk', 'SPY', 2, 0, 'stream,relay', 'before_first_sight:high-risk', 'time,id');
  event.run('e2', 2, 'signal.high_risk', 'SPY', 2, 1, 'poll', 'matched:high-risk', null);
  event.run('drill:1', null, 'barograph.drill', null, null, 0, 'relay', null, null);
  const telling = db.prepare(
    `INSERT INTO tellings (id, ledger_id, outlet, kind, rules, intent_ms, outcome, reason, bin, digest_id, detail, attempts)
     VALUES (?, ?, ?, ?, 'high-risk', ?, ?, '', ?, ?, '', 0)`,
  );
  telling.run('barograph:e1', 1, 'desktop', 'alert', 1, 'gathered', 'away', null);
  telling.run('barograph:e2', 2, 'desktop', 'alert', 2, 'held', 'hold:30:e2', null);
  telling.run('barograph:e3', 2, 'desktop', 'again', 3, 'muted', 'mute', null);
  telling.run('barograph:e4', 2, 'desktop', 'alert', 4, 'digest', null, 'barograph:e5');
  telling.run('barograph:e5', 2, 'desk', 'digest', 5, 'sent', null, null);
  telling.run('barograph:blind:x', 2, 'desktop', 'alert', 6, 'shown', null, null);
  telling.run('barograph:blind:2026@2', 0, 'desktop', 'blind', 7, 'intent', null, null);
  telling.run('barograph:drill:2026', 0, 'desktop', 'drill', 8, 'shown', null, null);
  for (const step of ['judged', 'handed', 'answered'])
    db.prepare("INSERT INTO trace (ledger_id, at_ms, step, detail) VALUES (1, 1, ?, 'judged')").run(step);
  const fact = db.prepare('INSERT INTO facts (name, value) VALUES (?, ?)');
  for (const name of [
    'first_sight',
    'sight_until',
    'away_from',
    'away_until',
    'away_cause',
    'caught_up',
    'proven_event',
  ])
    fact.run(name, `value of ${name}`);
  fact.run('blind', JSON.stringify(OUTAGE));
  fact.run('drill', JSON.stringify(SELF_TEST));
  db.exec(`
    INSERT INTO ahead VALUES (9, 'e9');
    INSERT INTO marks VALUES (1, 5, 'a note');
    INSERT INTO gaps (kind, from_at, to_at, cause, closed, filled) VALUES ('away', 'a', NULL, 'asleep', 0, 0), ('lost', 'a', 'b', 'lost', 0, 0);
  `);
  return db;
}
const opened = (db: Database.Database): Ledger => {
  migrate(db, MIGRATIONS);
  return createLedger(createFixedStorage({ db, loss: null }));
};
const column = (db: Database.Database, sql: string): unknown[] => db.prepare(sql).pluck().all();

test('events keep their source and identity', () => {
  const db = fourthForm();
  const { entries } = opened(db);
  expect(entries.byLedgerIds([1, 2, 3])).toMatchObject([
    { event_id: 'e1', sources: 'stream,relay', assumptions: 'time,id', decision: 'before_baseline:high-risk' },
    { event_id: 'e2', sources: 'poll', assumptions: null, decision: 'matched:high-risk' },
    { event_id: 'drill:1', event: 'barograph.self_test', decision: null },
  ]);
  expect(column(db, 'SELECT duplicate_index FROM events ORDER BY ledger_id')).toEqual([0, 1, 0]);
});

test('notifications keep their outcome; only those about no event change their id', () => {
  const db = fourthForm();
  const { notifications } = opened(db);
  expect(notifications.queuedBatches()).toEqual(['downtime', 'hold:30:e2', 'mute']);
  expect(notifications.queued('downtime')).toMatchObject([{ id: 'barograph:e1', outcome: 'batched' }]);
  expect(notifications.queued('hold:30:e2')).toMatchObject([{ id: 'barograph:e2', outcome: 'pending' }]);
  expect(notifications.queued('mute')).toMatchObject([{ id: 'barograph:e3', kind: 'again', outcome: 'muted' }]);
  expect(notifications.membersOf('barograph:e5')).toMatchObject([{ id: 'barograph:e4', sources: 'poll' }]);
  expect(notifications.pending(9)).toMatchObject([{ id: 'barograph:outage:2026@2', kind: 'outage' }]);
  expect(notifications.find('barograph:self-test:2026')).toMatchObject({
    channel: 'desktop',
    outcome: 'shown',
    revision: 1,
    detail: null,
  });
  expect(notifications.newestOnDesktop()).toBe(6);
  expect(column(db, 'SELECT id FROM notifications ORDER BY intent_ms').slice(3, 6)).toEqual([
    'barograph:e4',
    'barograph:e5',
    'barograph:blind:x',
  ]);
  expect(column(db, 'SELECT DISTINCT channel FROM notifications ORDER BY 1')).toEqual(['desk', 'desktop']);
});

test('trace, gaps, cursor and annotations', () => {
  const db = fourthForm();
  const { trace, annotations, pendingIds, openGap } = opened(db);
  expect(trace.of(1).map(({ step, detail }) => `${step} ${optionalText(detail)}`)).toEqual([
    'evaluated judged',
    'dispatched judged',
    'answered judged',
  ]);
  expect(annotations.of(1)).toEqual({ ackedAt: 5, note: 'a note' });
  expect(pendingIds()).toEqual(['e9']);
  // A gap of the kind is still open: no second row.
  expect(openGap('downtime', 'c', null, plainMessage('again'))).toBe(false);
  expect(column(db, 'SELECT kind FROM gaps ORDER BY id')).toEqual(['downtime', 'lost']);
});

test('metadata: names, and the keys inside JSON but not its texts', () => {
  const { metadata } = opened(fourthForm());
  expect(
    (['baseline', 'connected_until', 'downtime_from', 'downtime_until', 'downtime_cause'] as const).map(metadata.get),
  ).toEqual(['first_sight', 'sight_until', 'away_from', 'away_until', 'away_cause'].map((name) => `value of ${name}`));
  expect([metadata.get('caught_up'), metadata.get('proven_event')]).toEqual([
    'value of caught_up',
    'value of proven_event',
  ]);
  const { told, ...outage } = OUTAGE;
  expect(JSON.parse(metadata.get('outage') ?? '')).toEqual({ ...outage, notifiedCount: told });
  const state = SelfTestStateSchema.parse(JSON.parse(metadata.get('self_test') ?? ''));
  expect(state).toMatchObject({ message: plainMessage(SELF_TEST.words), method: SELF_TEST.way });
  const [sent, handed] = SELF_TEST.steps;
  expect(state.steps).toEqual([
    { ...sent, detail: plainMessage('It says "words": and "step":"handed" too.') },
    { ...handed, step: 'dispatched', detail: null },
  ]);
});

test('empty or damaged metadata does not stop the migration', () => {
  const db = fourthForm();
  db.exec("UPDATE facts SET value = '' WHERE name = 'blind'; UPDATE facts SET value = '{' WHERE name = 'drill'");
  const { metadata } = opened(db);
  expect([metadata.get('outage'), metadata.get('self_test')]).toEqual(['', '{']);
});

test('a migrated ledger has the tables and indexes of a new one, and no old name in their SQL', () => {
  const migrated = fourthForm();
  migrate(migrated, MIGRATIONS);
  const names = column(migrated, 'SELECT name FROM sqlite_master ORDER BY name');
  for (const name of ['tellings', 'facts', 'marks', 'ahead', 'tellings_waiting']) expect(names).not.toContain(name);
  const indexes = column(migrated, "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").join('\n');
  expect(indexes).not.toMatch(/tellings|outlet|\bbin\b|gathered|held|twin/);
  expect(column(migrated, 'PRAGMA integrity_check')).toEqual(['ok']);
});

test('a damaged ledger of version 4 still gives the end of its connection', () => {
  const folder = temporaryFolder();
  const db = new Database(join(folder.path, LEDGER_NAME));
  migrate(db, MIGRATIONS.slice(0, 4));
  db.exec("INSERT INTO facts (name, value) VALUES ('proven_until', '2026-03-02T14:00:00.000Z')");
  db.close();
  writeFileSync(join(folder.path, DAMAGE_MARKER), '');
  const { db: fresh, loss } = openDatabase(folder.path, 'stamp');
  fresh.close();
  folder.remove();
  expect(loss).toMatchObject({ connectedUntil: '2026-03-02T14:00:00.000Z', restored: null });
});
