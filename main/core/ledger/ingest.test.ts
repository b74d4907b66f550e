// Test: what one arrival does to cursor, gaps and notifications.

import { describe, expect, test } from 'vitest';
import { plainMessage } from '../../../shared/text/message.ts';
import { event, instant, START, setUpLedger } from '../../../test/harness/ledger-bench.ts';
import { saying } from '../../../test/harness/saying.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';

const bench = setUpLedger();
const { take } = bench;

describe('cursor', () => {
  test('moves over contiguous numbers only, and catches up when the hole is filled', () => {
    take([event(5)], 'backfill', null);
    expect(take([event(6), event(7)]).hasPending).toBe(false);
    expect(take([event(9), event(11)]).hasPending).toBe(true);
    expect(bench.ledger.cursor().seq).toBe(7);
    expect(take([event(8)]).hasPending).toBe(true);
    expect(bench.ledger.cursor()).toMatchObject({ seq: 9, eventId: 'e9' });
    expect(take([event(10)]).hasPending).toBe(false);
    expect(bench.ledger.cursor()).toMatchObject({ seq: 11, eventId: 'e11' });
  });

  test('the stream alone does not set it: only the list shows where the log begins', () => {
    expect(take([event(7)]).hasPending).toBe(true);
    expect(bench.ledger.cursor().eventId).toBeNull();
    take([event(5), event(6), event(7)], 'backfill', null);
    expect(bench.ledger.cursor()).toMatchObject({ seq: 7 });
    expect(bench.ledger.hasPending()).toBe(false);
  });

  test('passes over events that the service has no record of, and leaves a gap open', () => {
    take([event(1), event(2)], 'backfill', null);
    const { gaps } = take([event(6), event(7)], 'backfill', 'e2');
    expect(gaps).toBe(true);
    expect(bench.ledger.cursor()).toMatchObject({ seq: 7 });
    bench.ledger.caughtUp(instant('2026-03-02T15:00:00.000Z'), 2);
    expect(bench.ledger.gaps(10)).toMatchObject([
      { closed: false, cause: saying('The service has no record of events 3 to 5. This gap stays open.') },
    ]);
  });

  test('a page that does not start at the cursor proves nothing', () => {
    take([event(1), event(2)], 'backfill', null);
    take([event(5)], 'backfill', 'e4');
    expect(bench.ledger.cursor()).toMatchObject({ seq: 2 });
    expect(bench.ledger.hasPending()).toBe(true);
  });

  test('another event under a known number means another log', () => {
    take([event(1), event(2), event(3)], 'backfill', null);
    const other = take([event(2, { eventId: 'x2', occurredAt: START + 1e7 })]);
    expect(other).toMatchObject({ replaced: true, added: [{ event: { eventId: 'x2' } }] });
    expect(bench.ledger.cursor()).toEqual({ log: 2, eventId: 'e3', seq: null });
    take(
      [event(1, { eventId: 'x1', occurredAt: START + 9e6 }), event(2, { eventId: 'x2', occurredAt: START + 1e7 })],
      'backfill',
      'e3',
    );
    expect(bench.ledger.cursor()).toEqual({ log: 2, eventId: 'x2', seq: 2 });
  });

  test('the cursor follows the list where there are no numbers', () => {
    take([event(null, { eventId: 'a' }), event(null, { eventId: 'b', state: 1 })], 'backfill', null);
    take([event(null, { eventId: 'c', state: 0 })]);
    expect(bench.ledger.cursor()).toEqual({ log: 1, eventId: 'b', seq: null });
    expect(bench.ledger.hasPending()).toBe(false);
  });

  test('a failed transaction leaves cursor and events unchanged', () => {
    take([event(1)], 'backfill', null);
    const evaluate = (one: ReceivedEvent) => {
      if (one.seq === 3) throw new Error('no');
      return { reason: null, why: null, notification: null, ends: [] };
    };
    expect(() =>
      bench.ledger.ingest({ source: 'stream', events: [event(2), event(3)], receivedAt: START, evaluate }),
    ).toThrow('no');
    expect(bench.ledger.count()).toBe(1);
    expect(bench.ledger.cursor()).toMatchObject({ seq: 1 });
    take([event(2)]);
    expect(bench.ledger.cursor()).toMatchObject({ seq: 2 });
  });
});

test('a cursor without a number takes the number of its event in the list', () => {
  take([event(1), event(2), event(3)], 'backfill', null);
  // Another log: it begins with unknown events and ends with known ones.
  const other = [
    event(1, { eventId: 'x1', symbol: 'QQQ', state: 1 }),
    event(2, { eventId: 'e3', occurredAt: START + 180_000 }),
  ];
  take(other, 'backfill', null);
  expect(bench.ledger.hasPending()).toBe(false);
  expect(bench.ledger.cursor()).toMatchObject({ eventId: 'e3', seq: 2 });
});

describe('gaps', () => {
  test('a hole in the stream is written with the event that shows it; a failure writes neither', () => {
    take([event(1), event(2)], 'backfill', null);
    expect(take([event(4)])).toMatchObject({ hasPending: true, gaps: true });
    expect(take([event(6)])).toMatchObject({ hasPending: true, gaps: false });
    expect(bench.ledger.gaps(9)).toMatchObject([
      { from: '2026-03-02T14:32:00.000Z', to: null, cause: saying('The stream left something out after event 2.') },
    ]);
    bench.ledger.caughtUp(instant('2026-03-02T15:00:00.000Z'), 0);
    const evaluate = () => {
      throw new Error('no');
    };
    expect(() => bench.ledger.ingest({ source: 'stream', events: [event(9)], receivedAt: START, evaluate })).toThrow(
      'no',
    );
    expect([bench.ledger.count(), bench.ledger.gaps(9).length]).toEqual([4, 1]);
  });

  test('during the first reading of the log, a stream that is ahead of it shows no hole', () => {
    bench.ledger.metadata.set('baseline', '2026-03-02T14:00:00.000Z');
    take([event(1)], 'backfill', null);
    expect(take([event(4)])).toMatchObject({ hasPending: true, gaps: false });
    bench.ledger.caughtUp(instant('2026-03-02T15:00:00.000Z'), 0);
    expect(take([event(5)])).toMatchObject({ hasPending: true, gaps: true });
  });

  test('one gap of each kind is open at a time; catching up closes it and records its end', () => {
    expect(bench.ledger.openGap('downtime', '2026-03-02T14:30:00.000Z', null, plainMessage('asleep'))).toBe(true);
    expect(bench.ledger.openGap('downtime', '2026-03-02T14:31:00.000Z', null, plainMessage('asleep'))).toBe(false);
    expect(bench.ledger.caughtUp(instant('2026-03-02T14:40:00.000Z'), 3)).toEqual({ closed: true });
    expect(bench.ledger.gaps(10)).toEqual([
      {
        id: 1,
        from: '2026-03-02T14:30:00.000Z',
        to: '2026-03-02T14:40:00.000Z',
        cause: plainMessage('asleep'),
        closed: true,
        filled: 3,
        lost: false,
      },
    ]);
    expect(bench.ledger.caughtUp(instant('2026-03-02T14:41:00.000Z'), 0)).toEqual({ closed: false });
  });
});

test('a notification stays pending until a channel confirms it', () => {
  const { added } = take([event(1)], 'backfill', null);
  const id = added[0]?.ledgerId ?? 0;
  expect(bench.ledger.notifications.dispatchOf(id)).toMatchObject({ notification_id: 'n:e1', outcome: 'intent' });
  bench.ledger.notifications.record('n:e1', 'failed', START, plainMessage('no bus'));
  expect(bench.ledger.notifications.pending(100)).toMatchObject([
    { id: 'n:e1', ledgerId: id, baseRate: 12, attempts: 1, channel: 'desktop' },
  ]);
  bench.ledger.notifications.record('n:e1', 'shown', START + 5, plainMessage('taken'));
  expect(bench.ledger.notifications.pending(100)).toEqual([]);
  expect(bench.ledger.notifications.dispatchOf(id)).toEqual({
    notification_id: 'n:e1',
    outcome: 'shown',
    at: '2026-03-02T14:30:00.005Z',
    detail: plainMessage('taken'),
  });
});

test('an event whose world time is a fraction of a millisecond is written, to the millisecond', () => {
  const { added } = take([event(1, { seq: null, occurredAt: START + 0.4 })]);
  expect(bench.ledger.entries.byLedgerIds(added.map(({ ledgerId }) => ledgerId))).toMatchObject([
    { occurredAt: START },
  ]);
});
