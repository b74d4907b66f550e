// Test: a ledger without a writable file continues in memory, and is written back as it was.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { message, textOf } from '../../../shared/text/message.ts';
import { folderInMemory } from '../../../test/harness/folders.ts';
import { event, START } from '../../../test/harness/ledger-bench.ts';
import { createManualClock, type ManualClock } from '../../../test/harness/manual-clock.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import type { Decision } from './arrival.ts';
import { type OpenedDatabase, openDatabase } from './database.ts';
import { createFallbackStorage } from './fallback.ts';
import { KEYS } from './fallback-rows.ts';
import { createLedger, type Ledger, openLedger } from './ledger.ts';

let folder: ReturnType<typeof folderInMemory>;
let clock: ManualClock;
let opened: OpenedDatabase[];
let said: string[];
const open: Ledger[] = [];
/** Error of opening the file; null: it opens. */
let refusal: Error | null = null;

beforeEach(() => {
  folder = folderInMemory();
  clock = createManualClock();
  opened = [];
  said = [];
  refusal = null;
});
afterEach(() => {
  for (const one of open.splice(0)) one.close();
  folder.remove();
});

function start(): { readonly ledger: Ledger; readonly close: () => void } {
  const storage = createFallbackStorage({
    open(path, stamp) {
      if (path !== ':memory:' && refusal !== null) throw refusal;
      const file = openDatabase(path, stamp);
      if (path !== ':memory:') opened.push(file);
      return file;
    },
    folder: folder.path,
    clock,
    random: () => 0.5,
    world: { at: (local) => local },
    events: {
      emit: (name) => void said.push(name),
      signal: (name) => void said.push(name),
    },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const ledger = createLedger(storage);
  storage.start();
  open.push(ledger);
  return { ledger, close: ledger.close };
}

/** A page of the service's list anchors the cursor. */
const ingest = (ledger: Ledger, ...events: readonly ReceivedEvent[]) =>
  ledger.ingest({
    ...(ledger.cursor().eventId === null ? { source: 'backfill', after: null } : { source: 'stream' }),
    events,
    receivedAt: clock.now(),
    evaluate: ({ eventId }) => ({
      reason: 'matched:r',
      why: null,
      notification: {
        id: `n:${eventId}`,
        kind: 'alert',
        rules: ['r'],
        baseRate: null,
        outcome: 'intent',
        reason: null,
        batch: null,
      },

      ends: [],
    }),
  });
const NOTHING: Decision = { reason: null, why: null, notification: null, ends: [] };
const setFull = (isFull: boolean): void => {
  const db = opened.at(-1)?.db;
  db?.pragma(`max_page_count = ${isFull ? 1 : 1_000_000}`);
};
/** More than the free pages of the file hold. */
const many = (from: number): ReceivedEvent[] =>
  Array.from({ length: 300 }, (_, index) => event(from + index, { body: 'x'.repeat(500) }));
const idsIn = (path: string): string[] => {
  const db = new Database(join(path, 'ledger.sqlite'), { readonly: true });
  try {
    return db.prepare<[], string>('SELECT event_id FROM events ORDER BY ledger_id').pluck().all();
  } finally {
    db.close();
  }
};

test('every table of the ledger is copied and written back', () => {
  const { ledger } = start();
  const names = ledger.db().prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck().all();
  expect(Object.keys(KEYS).sort()).toEqual(names);
});

test('the ledger in memory also identifies an event dated by its arrival by its stated date', () => {
  const { ledger } = start();
  const odd = event(1);
  const checkDate = (one: ReceivedEvent): ReceivedEvent => ({ ...one, occurredAt: one.occurredAt - 3_600_000 });
  const arrival = { receivedAt: clock.now(), evaluate: () => NOTHING, checkDate } as const;
  ledger.ingest({ ...arrival, source: 'backfill', after: null, events: [odd] });
  setFull(true);
  ingest(ledger, ...many(2));
  expect(ledger.unwritten()).not.toBeNull();
  const { checkDate: _, ...later } = arrival;
  const renamed = { ...odd, eventId: 'other', seq: null };
  expect(ledger.ingest({ ...later, source: 'stream', events: [renamed] }).added).toEqual([]);
});

test('full: events are recorded in memory under their final ids, and written when there is room', async () => {
  const { ledger } = start();
  ingest(ledger, event(1), event(2));
  ledger.notifications.record('n:e1', 'shown', clock.now(), null);
  setFull(true);
  const receivedAt = clock.now();
  const { added } = ingest(ledger, ...many(3));
  expect(added.map(({ ledgerId }) => ledgerId)).toEqual(many(3).map((_, index) => index + 3));
  expect(said).toEqual(['ledgerUnwritten']);
  expect(ledger.unwritten()?.since).toBe(clock.now());
  expect(ledger.count()).toBe(302);
  // Known events are known in memory too, and a pending notification is shown from there.
  expect(ingest(ledger, event(2)).added).toEqual([]);
  ledger.notifications.record('n:e2', 'shown', clock.now(), null);
  ledger.notifications.record('n:e5', 'shown', clock.now(), null);
  ledger.annotations.acknowledge(1, clock.now());
  for (const until of ['a', 'b']) ledger.metadata.set('connected_until', until);
  await clock.advance(120_000);
  expect(idsIn(folder.path)).toEqual(['e1', 'e2']);
  setFull(false);
  await clock.advance(60_000);
  expect(said).toEqual(['ledgerUnwritten', 'ledgerWritten']);
  expect(ledger.unwritten()).toBeNull();
  expect(idsIn(folder.path)).toEqual(['e1', 'e2', ...many(3).map(({ eventId }) => eventId)]);
  expect(ledger.cursor()).toMatchObject({ eventId: 'e302', seq: 302 });
  expect(ledger.notifications.pending(1_000).map(({ id }) => id)).not.toContain('n:e5');
  expect(ledger.notifications.pending(1_000)).toHaveLength(299);
  expect([ledger.annotations.of(1).ackedAt, ledger.metadata.get('connected_until')]).toEqual([expect.any(Number), 'b']);
  expect(ledger.entries.byLedgerIds([5])).toMatchObject([{ event_id: 'e5', received_ms: receivedAt }]);
  expect(ingest(ledger, event(303)).added).toMatchObject([{ ledgerId: 303 }]);
});

test('the time in memory is a gap with its cause, which a reading of the log closes after the write', async () => {
  const { ledger } = start();
  ingest(ledger, event(1));
  setFull(true);
  ingest(ledger, ...many(2));
  const now = () => ({ world: clock.now(), here: clock.now() });
  ledger.caughtUp(now(), 0);
  expect(ledger.gaps(5)).toMatchObject([{ closed: false, to: null, cause: { code: 'gap.unwritten' } }]);
  setFull(false);
  await clock.advance(60_000);
  expect(ledger.gaps(5)).toMatchObject([{ closed: false }]);
  ledger.caughtUp(now(), 3);
  expect(ledger.gaps(5)).toMatchObject([{ closed: true, cause: { code: 'gap.unwritten' } }]);
});

test('locked by another program: written as soon as that ends', async () => {
  const { ledger } = start();
  ingest(ledger, event(1));
  opened[0]?.db.pragma('busy_timeout = 0');
  const other = new Database(join(folder.path, 'ledger.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  ingest(ledger, event(2));
  expect(textOf(ledger.unwritten()?.cause ?? message('health.refused'))).toMatch(/database is locked/);
  await clock.advance(60_000);
  expect(ledger.unwritten()).not.toBeNull();
  other.exec('ROLLBACK');
  other.close();
  await clock.advance(60_000);
  expect(ledger.unwritten()).toBeNull();
  expect(idsIn(folder.path)).toEqual(['e1', 'e2']);
});

describe('a start on a file that cannot be opened', () => {
  const readOnly = () => Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });

  test('continues with the rows of the file', async () => {
    const first = start();
    ingest(first.ledger, event(1), event(2));
    first.close();
    open.pop();
    refusal = readOnly();
    const { ledger } = start();
    expect(said).toEqual(['ledgerUnwritten']);
    expect([ledger.count(), ledger.cursor().eventId]).toEqual([2, 'e2']);
    expect(ingest(ledger, event(2), event(3)).added).toMatchObject([{ ledgerId: 3 }]);
    refusal = null;
    await clock.advance(60_000);
    expect(idsIn(folder.path)).toEqual(['e1', 'e2', 'e3']);
    expect(ledger.unwritten()).toBeNull();
  });

  test('has the last transactions of a killed program', () => {
    const first = start();
    ingest(first.ledger, event(1));
    const copy = folderInMemory();
    try {
      for (const suffix of ['', '-wal'])
        writeFileSync(
          join(copy.path, `ledger.sqlite${suffix}`),
          readFileSync(join(folder.path, `ledger.sqlite${suffix}`)),
        );
      first.close();
      for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder.path, `ledger.sqlite${suffix}`), { force: true });
      for (const suffix of ['', '-wal'])
        writeFileSync(
          join(folder.path, `ledger.sqlite${suffix}`),
          readFileSync(join(copy.path, `ledger.sqlite${suffix}`)),
        );
    } finally {
      copy.remove();
    }
    open.pop();
    refusal = readOnly();
    expect(start().ledger.count()).toBe(1);
  });

  test('a file that is missing at the start is created later', async () => {
    refusal = readOnly();
    const { ledger } = start();
    ledger.metadata.set('baseline', '2026-01-01T00:00:00.000Z');
    ingest(ledger, event(1));
    expect(existsSync(join(folder.path, 'ledger.sqlite'))).toBe(false);
    refusal = null;
    await clock.advance(60_000);
    expect(idsIn(folder.path)).toEqual(['e1']);
    expect(ledger.metadata.get('baseline')).toBe('2026-01-01T00:00:00.000Z');
  });

  test.each(['folder', 'pipe'])('and is a %s: it is named, and the file is made when that is gone', async (kind) => {
    const path = join(folder.path, 'ledger.sqlite');
    if (kind === 'folder') mkdirSync(path);
    else execFileSync('mkfifo', [path]);
    const { ledger } = start();
    ingest(ledger, event(1));
    expect(ledger.unwritten()?.cause).toMatchObject({
      values: { why: `${path} is a ${kind}, not a regular file: move it away` },
    });
    rmSync(path, { recursive: true });
    await clock.advance(60_000);
    expect([ledger.unwritten(), idsIn(folder.path)]).toEqual([null, ['e1']]);
  });

  test('and cannot be read: the ledger begins empty, and received events are added to the file', async () => {
    const first = start();
    ingest(first.ledger, event(1), event(2), event(3));
    first.ledger.metadata.set('connected_until', 'then');
    first.ledger.annotations.write(3, 'Sold half');
    first.close();
    open.pop();
    const path = join(folder.path, 'ledger.sqlite');
    const bytes = readFileSync(path);
    writeFileSync(path, 'unreadable');
    refusal = readOnly();
    const { ledger } = start();
    expect(ledger.count()).toBe(0);
    ingest(ledger, event(3), event(4), event(5));
    ledger.notifications.record('n:e3', 'shown', clock.now(), null);
    ledger.notifications.record('n:e4', 'shown', clock.now(), null);
    ledger.annotations.acknowledge(1, clock.now());
    ledger.annotations.acknowledge(2, clock.now());
    writeFileSync(path, bytes);
    chmodSync(path, 0o600);
    refusal = null;
    await clock.advance(60_000);
    expect(ledger.unwritten()).toBeNull();
    expect(idsIn(folder.path)).toEqual(['e1', 'e2', 'e3', 'e4', 'e5']);
    // The file's cursor: back-fill brings the events between.
    expect([ledger.cursor().eventId, ledger.metadata.get('connected_until')]).toEqual(['e3', 'then']);
    // Shown from memory under the same ids, so not again.
    expect(ledger.notifications.pending(10).map(({ id }) => id)).toEqual(['n:e1', 'n:e2', 'n:e5']);
    expect(ledger.annotations.of(4).ackedAt).not.toBeNull();
    // Acknowledgement of an event that both have.
    expect(ledger.annotations.of(3)).toEqual({ ackedAt: expect.any(Number), note: 'Sold half' });
  });

  test('whose notification is missing: events that joined it get their own, marked shown if shown', async () => {
    refusal = readOnly();
    const { ledger } = start();
    ingest(ledger, event(1), event(2), event(3));
    ledger.notifications.grow('n:e1', ['n:e2'], clock.now());
    ledger.notifications.record('n:e1', 'shown', clock.now(), null);
    ledger.notifications.grow('n:e1', ['n:e3'], clock.now());
    const file = openLedger(folder.path, 'now');
    // The file dropped the notification that they joined.
    ingest(file, event(1), event(4));
    file.notifications.record('n:e1', 'dropped', clock.now(), null);
    file.close();
    refusal = null;
    await clock.advance(60_000);
    expect(ledger.unwritten()).toBeNull();
    expect(['n:e1', 'n:e2', 'n:e3'].map((id) => ledger.notifications.find(id)?.outcome)).toEqual([
      'dropped',
      'shown',
      'intent',
    ]);
  });

  test('any other error is thrown', () => {
    refusal = new Error('a newer version');
    expect(start).toThrow('a newer version');
  });
});

const big = (from: number): ReceivedEvent[] =>
  Array.from({ length: 50 }, (_, index) => event(from + index, { body: 'y'.repeat(300_000) }));
const unnotified = (ledger: Ledger, events: ReceivedEvent[]) =>
  ledger.ingest({ source: 'stream', events, receivedAt: START, evaluate: () => ({ ...NOTHING, reason: 'no_rule' }) });
/** More than the memory may grow by: the file keeps its cursor. */
const flood = (ledger: Ledger, from: number): void => {
  for (let batch = 0; batch < 8; batch += 1) unnotified(ledger, big(from + batch * 50));
};

test('memory is bounded: older events without a notification are dropped, and fetched again later', async () => {
  const { ledger } = start();
  ingest(ledger, event(1));
  setFull(true);
  flood(ledger, 2);
  expect(Number(ledger.db().pragma('page_count', { simple: true })) * 4096).toBeLessThan(70e6);
  expect(ledger.cursor().seq).toBe(401);
  setFull(false);
  await clock.advance(60_000);
  expect(ledger.unwritten()).toBeNull();
  expect(ledger.cursor().seq).toBe(1);
});

test('memory full of notified events may grow, so that the next High Risk is notified', {
  tags: ['long'],
}, async () => {
  const { ledger } = start();
  ingest(ledger, event(1));
  setFull(true);
  for (let batch = 0; batch < 6; batch += 1) ingest(ledger, ...big(2 + batch * 50));
  expect(ingest(ledger, event(302)).added).toHaveLength(1);
  expect(ledger.notifications.find('n:e302')?.outcome).toBe('intent');
  setFull(false);
  await clock.advance(60_000);
  expect(ledger.unwritten()).toBeNull();
  expect(ledger.cursor().seq).toBe(302);
});

test("the user's changes in memory to rows of the file are applied to the file, also after memory dropped events", async () => {
  const { ledger } = start();
  ingest(ledger, event(1), event(2));
  const silence = { kind: 'silence', matchers: [], until: 'time', from: START, untilAt: null } as const;
  const [ended, kept] = ['all', 'kept'].map((comment) => ledger.mutes.add({ ...silence, comment }, START)) as [
    number,
    number,
  ];
  ledger.annotations.write(1, 'Sold half');
  ledger.annotations.acknowledge(2, START);
  const note = { symbol: 'SPY', at: '2026-03-02T14:30:00.000Z' };
  const [removed, changed] = ['a', 'b'].map((text) => ledger.symbolNotes.add({ ...note, text }, START)) as [
    number,
    number,
  ];
  ledger.openGap('downtime', note.at, null, message('gap.unwritten', { why: '' }));
  setFull(true);
  unnotified(ledger, [event(3)]);
  ledger.annotations.write(3, 'Looked at');
  flood(ledger, 4);
  ledger.mutes.end(ended, note.at, 'by the user');
  ledger.mutes.change(kept, { ...silence, comment: 'changed' });
  ledger.mutes.add({ ...silence, comment: 'made in memory' }, START);
  ledger.annotations.acknowledge(1, START);
  ledger.annotations.acknowledge(2, null);
  ledger.symbolNotes.remove(removed);
  ledger.symbolNotes.change(changed, { at: note.at, text: 'c' });
  ledger.symbolNotes.remove(ledger.symbolNotes.add({ ...note, text: 'for a moment' }, START));
  ledger.symbolNotes.add({ ...note, text: 'd' }, START);
  ledger.caughtUp({ world: clock.now(), here: clock.now() }, 0);
  setFull(false);
  await clock.advance(60_000);
  expect(ledger.unwritten()).toBeNull();
  expect(ledger.mutes.active().map(({ comment }) => comment)).toEqual(['changed', 'made in memory']);
  expect(ledger.annotations.of(1)).toEqual({ ackedAt: START, note: 'Sold half' });
  expect(ledger.annotations.of(2).ackedAt).toBeNull();
  expect([ledger.entries.byLedgerIds([3])[0]?.event_id, ledger.annotations.of(3).note]).toEqual(['e3', 'Looked at']);
  expect(ledger.symbolNotes.all().map(({ text }) => text)).toEqual(['c', 'd']);
  // Back-fill closes both after it brought the dropped events.
  expect(ledger.gaps(5).map(({ closed }) => closed)).toEqual([false, false]);
});
