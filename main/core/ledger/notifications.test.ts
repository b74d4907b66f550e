// Test: the outbox alone: its queue, its batches, and queries that never read every notification.

import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { message, plainMessage } from '../../../shared/text/message.ts';
import { migrate } from '../files/migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { createNotificationStore, type NewNotification, type NotificationStore } from './notifications.ts';

const openStore = () => {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  return { db, store: createNotificationStore(db) };
};
const notification = (id: string, more: Partial<NewNotification> = {}): NewNotification => ({
  id,
  kind: 'alert',
  rules: ['high-risk'],
  baseRate: null,
  outcome: 'intent',
  reason: null,
  batch: null,
  ...more,
});

/** Writes a notification that joins `a`. */
const join = (store: NotificationStore, ledgerId: number, id: string, at: number): void => {
  store.write(ledgerId, notification(id, { outcome: 'batched', batch: 'x' }), at);
  store.grow('a', [id], at);
};

describe('queue', () => {
  const waiting = fc.record({
    batch: fc.constantFrom('downtime', 'burst', 'flap:SPY', 'hold:30:a', 'hold:30:b', 'mute'),
    outcome: fc.constantFrom('batched' as const, 'pending' as const, 'muted' as const),
    next: fc.constantFrom('waits' as const, 'notified' as const, 'moved' as const),
  });
  test('a notification is in its batch, in the order of events, and in no other', { tags: ['long'] }, () => {
    fc.assert(
      fc.property(fc.array(waiting, { maxLength: 40 }), (all) => {
        const { store } = openStore();
        const expected = new Map<string, string[]>();
        all.forEach(({ batch, outcome, next }, index) => {
          const id = `n${index}`;
          store.write(index + 1, notification(id, { batch, outcome }), index);
          if (next === 'notified') store.move(id, 'intent', null, null, 0);
          if (next === 'moved') store.move(id, 'muted', message('muted.snoozed'), 'mute', 0);
          const at = next === 'moved' ? 'mute' : batch;
          if (next !== 'notified') expected.set(at, [...(expected.get(at) ?? []), id]);
        });
        store.write(1_000, notification('notified'), 0);
        expect(store.queuedBatches()).toEqual([...expected.keys()].sort());
        for (const [batch, ids] of expected) expect(store.queued(batch).map(({ id }) => id)).toEqual(ids);
      }),
    );
  });
});

test('the last desktop notification: self-tests, outages, other channels and dropped ones do not count', () => {
  const { store } = openStore();
  expect(store.newestOnDesktop()).toBeNull();
  store.write(1, notification('a'), 1_000);
  store.write(2, notification('b'), 2_000);
  store.write(3, notification('dropped', { outcome: 'dropped' }), 3_000);
  store.write(0, notification('self_test', { kind: 'self_test' }), 4_000);
  store.write(0, notification('outage', { kind: 'outage' }), 5_000);
  store.write(4, notification('waits', { outcome: 'pending', batch: 'hold:30:x' }), 6_000);
  store.copyTo('rule', 'a', 7_000);
  expect(store.newestOnDesktop()).toBe(2_000);
  store.record('b', 'dropped', 8_000, null);
  expect(store.newestOnDesktop()).toBe(1_000);
  store.record('a', 'shown', 9_000, null);
  expect(store.newestOnDesktop()).toBe(1_000);
});

test('a dropped notification stays dropped, whatever a running attempt returns; its detail is shortened', () => {
  const { store } = openStore();
  store.write(1, notification('a'), 0);
  store.record('a', 'dropped', 1, plainMessage('x'.repeat(600)));
  store.record('a', 'shown', 2, plainMessage('taken'));
  expect(store.find('a')).toMatchObject({
    channel: 'desktop',
    outcome: 'dropped',
    detail: plainMessage('x'.repeat(500)),
    revision: 1,
  });
  expect(store.pending(9)).toEqual([]);
});

const PARAMETERS = { symbol: 'SPY', before: 60_000, id: 'a', at: 1, tried: 1, joined: '[]', channel: 'c', step: 2 };

test('no query reads every notification', () => {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  const statements: string[] = [];
  const prepare = db.prepare.bind(db);
  db.prepare = ((sql: string) => {
    statements.push(sql);
    return prepare(sql);
  }) as typeof db.prepare;
  createNotificationStore(db);
  expect(statements.length).toBeGreaterThan(8);
  for (const sql of statements) {
    const plan = prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(
      ...(/@\w/.test(sql) ? [PARAMETERS] : (sql.match(/\?/g) ?? []).map(() => 1)),
    );
    const steps = plan.map(({ detail }) => detail).filter((detail) => detail.includes('notifications'));
    // A query may scan an index of open rows or of rows by end; any other index has a row for each
    // notification.
    for (const step of steps)
      expect(step, sql).toMatch(
        /^SEARCH notifications (EXISTS )?USING |^SCAN notifications USING INDEX notifications_(open|newest)\b|^SEARCH notifications \(/,
      );
  }
});

test('an event that joins is recorded as shown only when a revision that names it was accepted', () => {
  const { store } = openStore();
  const outcomeOf = (ledgerId: number) => store.dispatchOf(ledgerId)?.outcome;
  store.write(1, notification('a'), 0);
  expect(store.record('a', 'shown', 1, null, 1)).toEqual([1]);
  join(store, 2, 'b', 2);
  join(store, 3, 'c', 3);
  expect(store.pending(9)).toMatchObject([{ id: 'a', revision: 3, acceptedAt: 1 }]);
  expect([1, 2, 3].map(outcomeOf)).toEqual(['shown', 'intent', 'intent']);
  expect(store.record('a', 'shown', 4, null, 2)).toEqual([2, 3]);
  expect([1, 2, 3].map(outcomeOf)).toEqual(['shown', 'shown', 'intent']);
  expect(store.record('a', 'failed', 5, null, 3)).toEqual([3]);
  expect([1, 2, 3].map(outcomeOf)).toEqual(['shown', 'shown', 'failed']);
  store.record('a', 'shown', 6, null, 3);
  expect([[1, 2, 3].map(outcomeOf), store.pending(9)]).toEqual([['shown', 'shown', 'shown'], []]);
  expect(store.eventsOf('a')).toEqual([1, 2, 3]);
});

test('an answer is about the events of the first and of accepted revisions', () => {
  const { store } = openStore();
  store.write(1, notification('a'), 0);
  expect(store.answeredEventsOf('a')).toEqual([1]);
  join(store, 2, 'b', 1);
  expect(store.answeredEventsOf('a')).toEqual([1]);
  store.record('a', 'shown', 2, null, 2);
  join(store, 3, 'c', 3);
  expect(store.answeredEventsOf('a')).toEqual([1, 2]);
  store.record('a', 'failed', 4, null, 3);
  expect(store.answeredEventsOf('a')).toEqual([1, 2]);
  // A window shows all joined events.
  store.record('a', 'in_app', 5, null);
  expect(store.answeredEventsOf('a')).toEqual([1, 2, 3]);
  store.write(4, notification('d', { outcome: 'batched', batch: 'x' }), 6);
  store.write(5, notification('e', { outcome: 'batched', batch: 'x' }), 6);
  store.move('d', 'intent', null, null, 6);
  store.join(['e'], 'd', 6);
  expect([store.answeredEventsOf('d'), store.answeredEventsOf('unknown')]).toEqual([[4, 5], []]);
});

test('the newest notified: High Risk by time, crossings by rule; later unnotified events do not hide it', () => {
  const { db, store } = openStore();
  const put = db.prepare(
    `INSERT INTO events (event_id, log, event, symbol, to_state, occurred_s, duplicate_index, received_ms, sources, decision, body)
     VALUES (?, 1, ?, 'SPY', ?, ?, 0, 0, 'stream', ?, '{}')`,
  );
  let made = 0;
  const happens = (event: string, decision: string, outcome: NewNotification['outcome'] | null, at: number): number => {
    made += 1;
    put.run(`e${made}`, event, event === 'price.crossed' ? null : 2, at, decision);
    if (outcome !== null) store.write(made, notification(`n${made}`, { outcome, batch: 'x' }), made);
    return made;
  };
  expect([store.newestHigh('SPY'), store.newestCrossings('SPY')]).toEqual([null, []]);
  const newest = happens('signal.high_risk', 'matched:a', 'shown', 1_000);
  happens('signal.high_risk', 'matched:a', 'shown', 500);
  const [a, b] = ['a', 'b'].map((rule) => happens('price.crossed', `matched:${rule}`, 'intent', 1));
  happens('price.crossed', 'outside_hours:c', null, 2);
  for (let index = 0; index < 50; index += 1) {
    happens('signal.high_risk', 'matched:a', index % 2 === 0 ? 'muted' : 'dropped', 2_000 + index);
    happens('price.crossed', 'matched:b', 'dropped', 3);
  }
  expect([store.newestHigh('SPY'), store.newestCrossings('SPY')]).toEqual([newest, [a, b]]);
  const later = happens('price.crossed', 'matched:b', 'shown', 4);
  expect(store.newestCrossings('SPY')).toEqual([a, later]);
  expect([store.newestHigh('QQQ'), store.newestCrossings('QQQ')]).toEqual([null, []]);
});

test('notifications that may grow: newest first, about events only, and not those from before a ledger loss', () => {
  const { store } = openStore();
  const ids = () => store.recent(0, 99).map(({ id, at }) => [id, at]);
  store.write(1, notification('a'), 10);
  store.write(2, notification('b'), 20);
  store.write(3, notification('lost', { outcome: 'shown' }), 30);
  store.write(4, notification('queued', { outcome: 'batched', batch: 'x' }), 40);
  store.write(0, notification('outage', { kind: 'outage' }), 50);
  store.write(5, notification('ahead'), 100);
  expect(ids()).toEqual([
    ['b', 20],
    ['a', 10],
  ]);
  join(store, 6, 'c', 60);
  expect(ids()).toEqual([
    ['b', 20],
    ['a', 60],
  ]);
});
