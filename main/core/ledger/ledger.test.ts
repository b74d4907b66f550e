// Test: the ledger alone: versions and damage, identity, the cursor, intents.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { folderInMemory } from '../../../test/harness/folders.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import { FutureFileError, migrate } from '../files/migrate.ts';
import { baselineAt, startNewLog } from './baseline.ts';
import { createLedger, type Ledger, openLedger } from './ledger.ts';
import { LEDGER_VERSION, MIGRATIONS } from './migrations.ts';

const START = Date.parse('2026-03-02T14:30:00.000Z');
let folder: ReturnType<typeof folderInMemory>;
let ledger: Ledger;

const event = (seq: number | null, more: Partial<ReceivedEvent> & { state?: 0 | 1 | 2 } = {}): ReceivedEvent => {
  const { state = 2, symbol = 'SPY', occurredAt = START + (seq ?? 0) * 60_000, ...rest } = more;
  const eventId = more.eventId ?? `e${seq}`;
  return {
    eventId,
    seq,
    event: ['signal.normal', 'signal.elevated', 'signal.high_risk'][state] ?? '',
    occurredAt,
    symbol,
    transition: {
      event_id: eventId,
      symbol: symbol ?? '',
      asset_class: 'etf',
      from_state: 0,
      to_state: state,
      state_name: 'high_risk',
      regime: null,
      confidence: null,
      note: '',
      occurred_at: new Date(occurredAt).toISOString(),
      model_version: '',
    },
    body: '{}',
    assumptions: [],
    ...rest,
  };
};
const take = (events: readonly ReceivedEvent[], source: ArrivalSource = 'stream', after?: string | null) =>
  ledger.ingest({
    source,
    events,
    receivedAt: START,
    evaluate: (one) => ({
      reason: 'r',
      why: null,
      notification:
        one.transition?.to_state === 2
          ? {
              id: `n:${one.eventId}`,
              kind: 'alert',
              rules: ['high-risk'],
              baseRate: 12,
              outcome: 'intent',
              reason: '',
              batch: null,
            }
          : null,
      channels: [],
      ends: [],
    }),
    ...(after === undefined ? {} : { after }),
  });

const instant = (iso: string) => ({ world: Date.parse(iso), here: Date.parse(iso) });

beforeEach(() => {
  folder = folderInMemory();
  ledger = openLedger(folder.path, 'now');
});
afterEach(() => {
  ledger.close();
  folder.remove();
});

describe('versions', () => {
  test('every migration leads to the current version, from every earlier one', () => {
    for (let from = 0; from <= LEDGER_VERSION; from += 1) {
      const db = new Database(':memory:');
      migrate(db, MIGRATIONS.slice(0, from));
      migrate(db, MIGRATIONS);
      expect(db.pragma('user_version', { simple: true })).toBe(LEDGER_VERSION);
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(createLedger({ db, quarantined: null }).count()).toBe(0);
    }
  });

  test('notifications and intents of version 1 keep their ids in the current version', () => {
    const db = new Database(':memory:');
    migrate(db, MIGRATIONS.slice(0, 1));
    const put = db.prepare("INSERT INTO notifications VALUES (?, ?, 12, 1000, ?, ?, '', ?)");
    put.run(1, 'barograph:e1', 'shown', 2000, 1);
    put.run(2, 'barograph:e2', 'intent', null, 0);
    migrate(db, MIGRATIONS);
    const { notifications } = createLedger({ db, quarantined: null });
    expect(notifications.openIntents(9)).toMatchObject([
      { id: 'barograph:e2', ledgerId: 2, channel: 'desktop', kind: 'alert', baseRate: 12 },
    ]);
    expect(notifications.dispatchOf(1)).toEqual({
      notification_id: 'barograph:e1',
      outcome: 'shown',
      at: '1970-01-01T00:00:02.000Z',
      detail: '',
    });
  });

  test('a ledger of a newer Barograph is refused and not changed', () => {
    take([event(1)]);
    ledger.close();
    const path = join(folder.path, 'ledger.sqlite');
    const db = new Database(path);
    db.pragma(`user_version = ${LEDGER_VERSION + 1}`);
    db.close();
    expect(() => openLedger(folder.path, 'now')).toThrow(FutureFileError);
    expect(readdirSync(folder.path).some((name) => name.includes('damaged'))).toBe(false);
    const again = new Database(path);
    again.pragma(`user_version = ${LEDGER_VERSION}`);
    again.close();
    ledger = openLedger(folder.path, 'now');
    expect(ledger.count()).toBe(1);
  });

  test.each([
    ['no database at all', () => Buffer.from('this is not a database, it is a letter to the reader of files')],
    [
      'a database with a page of noise',
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 0x5a)]),
    ],
    ['a database cut in half', (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2) - 100)],
  ])('%s is quarantined, and a new ledger begins', (_, damage) => {
    take(Array.from({ length: 500 }, (_, index) => event(index + 1)));
    ledger.close();
    const path = join(folder.path, 'ledger.sqlite');
    const sound = new Database(path).serialize();
    writeFileSync(path, damage(sound));
    ledger = openLedger(folder.path, '2026-03-02T14:30:00.000Z');
    expect(ledger.quarantined?.name).toBe('ledger.damaged-20260302T143000000Z.sqlite');
    expect(readdirSync(folder.path)).toContain('ledger.damaged-20260302T143000000Z.sqlite');
    expect(ledger.count()).toBe(0);
    take([event(1)], 'backfill', null);
    expect(ledger.cursor()).toMatchObject({ eventId: 'e1', seq: 1 });
  });

  test('everything survives a restart', () => {
    take([event(1), event(2), event(4)], 'backfill', null);
    take([event(9)]);
    ledger.openGap('hole', 'a', null, 'c');
    ledger.close();
    ledger = openLedger(folder.path, 'now');
    expect(ledger.count()).toBe(4);
    expect(ledger.cursor()).toEqual({ log: 1, eventId: 'e4', seq: 4 });
    expect(ledger.hasPending()).toBe(true);
    expect(ledger.notifications.openIntents(100).map((intent) => intent.id)).toEqual(['n:e1', 'n:e2', 'n:e4', 'n:e9']);
    expect(ledger.gaps(10)).toHaveLength(2);
  });
});

describe('cursor', () => {
  test('moves over contiguous numbers only, and catches up when the hole is filled', () => {
    take([event(5)], 'backfill', null);
    expect(take([event(6), event(7)]).hasPending).toBe(false);
    expect(take([event(9), event(11)]).hasPending).toBe(true);
    expect(ledger.cursor().seq).toBe(7);
    expect(take([event(8)]).hasPending).toBe(true);
    expect(ledger.cursor()).toMatchObject({ seq: 9, eventId: 'e9' });
    expect(take([event(10)]).hasPending).toBe(false);
    expect(ledger.cursor()).toMatchObject({ seq: 11, eventId: 'e11' });
  });

  test('the stream alone does not set it: only the list shows where the log begins', () => {
    expect(take([event(7)]).hasPending).toBe(true);
    expect(ledger.cursor().eventId).toBeNull();
    take([event(5), event(6), event(7)], 'backfill', null);
    expect(ledger.cursor()).toMatchObject({ seq: 7 });
    expect(ledger.hasPending()).toBe(false);
  });

  test('passes over events that the service has no record of, and leaves a gap open', () => {
    take([event(1), event(2)], 'backfill', null);
    const { gaps } = take([event(6), event(7)], 'backfill', 'e2');
    expect(gaps).toBe(true);
    expect(ledger.cursor()).toMatchObject({ seq: 7 });
    ledger.caughtUp(instant('2026-03-02T15:00:00.000Z'), 2);
    expect(ledger.gaps(10)).toMatchObject([
      { closed: false, cause: 'The service has no record of events 3 to 5. This gap stays open.' },
    ]);
  });

  test('a page that does not follow on the cursor proves nothing', () => {
    take([event(1), event(2)], 'backfill', null);
    take([event(5)], 'backfill', 'e4');
    expect(ledger.cursor()).toMatchObject({ seq: 2 });
    expect(ledger.hasPending()).toBe(true);
  });

  test('another event under a known number means another log', () => {
    take([event(1), event(2), event(3)], 'backfill', null);
    const other = take([event(2, { eventId: 'x2', occurredAt: START + 1e7 })]);
    expect(other).toMatchObject({ replaced: true, added: [{ event: { eventId: 'x2' } }] });
    expect(ledger.cursor()).toEqual({ log: 2, eventId: 'e3', seq: null });
    take(
      [event(1, { eventId: 'x1', occurredAt: START + 9e6 }), event(2, { eventId: 'x2', occurredAt: START + 1e7 })],
      'backfill',
      'e3',
    );
    expect(ledger.cursor()).toEqual({ log: 2, eventId: 'x2', seq: 2 });
  });

  test('without numbers it follows the list', () => {
    take([event(null, { eventId: 'a' }), event(null, { eventId: 'b', state: 1 })], 'backfill', null);
    take([event(null, { eventId: 'c', state: 0 })]);
    expect(ledger.cursor()).toEqual({ log: 1, eventId: 'b', seq: null });
    expect(ledger.hasPending()).toBe(false);
  });

  test('a failed transaction leaves cursor and events unchanged', () => {
    take([event(1)], 'backfill', null);
    const evaluate = (one: ReceivedEvent) => {
      if (one.seq === 3) throw new Error('no');
      return { reason: null, why: null, notification: null, channels: [], ends: [] };
    };
    expect(() =>
      ledger.ingest({ source: 'stream', events: [event(2), event(3)], receivedAt: START, evaluate }),
    ).toThrow('no');
    expect(ledger.count()).toBe(1);
    expect(ledger.cursor()).toMatchObject({ seq: 1 });
    take([event(2)]);
    expect(ledger.cursor()).toMatchObject({ seq: 2 });
  });
});

describe('identity', () => {
  test.each<ArrivalSource>(['stream', 'backfill', 'relay', 'poll'])(
    'an event is written completely, with its assumptions or without: by %s',
    (source) => {
      take([event(1), event(2, { assumptions: ['time', 'from'] })], source);
      const common = {
        log: 1,
        sources: source,
        event: 'signal.high_risk',
        symbol: 'SPY',
        to_state: 2,
        body: '{}',
        received_ms: START,
        decision: 'r',
      };
      expect(ledger.entries.byLedgerIds([1, 2])).toEqual([
        { ...common, ledger_id: 1, event_id: 'e1', seq: 1, assumptions: null, occurred_s: START / 1000 + 60 },
        { ...common, ledger_id: 2, event_id: 'e2', seq: 2, assumptions: 'time,from', occurred_s: START / 1000 + 120 },
      ]);
    },
  );
  test('the same id is one event, its sources are listed in order', () => {
    take([event(1)], 'backfill', null);
    expect(take([event(1)]).merged).toHaveLength(1);
    expect(take([event(1)]).merged).toEqual([]);
    expect(ledger.count()).toBe(1);
    expect(ledger.entries.newestSignals(1)[0]?.sources).toBe('backfill,stream');
    expect(ledger.notifications.openIntents(100)).toHaveLength(1);
  });

  test('the newest events are those that occurred last, even where older ones arrived later', () => {
    take([event(9)]);
    take([event(1), event(2), event(3)], 'backfill', null);
    expect(ledger.entries.newestSignals(2).map((row) => row.event_id)).toEqual(['e9', 'e3']);
  });

  test('without an id of its own: symbol, state and second decide, whichever comes first', () => {
    const bare = event(null, { eventId: 'sha256:1', assumptions: ['id'], occurredAt: START + 400 });
    take([bare]);
    take([event(1, { occurredAt: START + 900 })], 'backfill', null);
    expect(ledger.count()).toBe(1);
    take([{ ...bare, eventId: 'sha256:2', body: 'other bytes' }], 'relay');
    expect(ledger.count()).toBe(1);
    expect(take([event(1, { occurredAt: START + 900 })]).added).toEqual([]);
    expect(ledger.notifications.openIntents(100).map((intent) => intent.id)).toEqual(['n:sha256:1']);
  });

  test('an event without an id equals one of two within its second, not both', () => {
    const at = { occurredAt: START + 100 };
    take([event(null, { eventId: 'sha256:1', assumptions: ['id'], ...at })]);
    take([event(1, at), event(2, { ...at, state: 1 }), event(3, at)], 'backfill', null);
    expect(ledger.count()).toBe(3);
    expect(ledger.notifications.openIntents(9).map((intent) => intent.id)).toEqual(['n:sha256:1', 'n:e3']);
    take([event(1, at), event(3, at), event(null, { eventId: 'sha256:2', assumptions: ['id'], ...at })]);
    expect(ledger.count()).toBe(3);
    expect(ledger.cursor()).toMatchObject({ log: 1, seq: 3 });
  });

  test('another state, symbol or second is another event', () => {
    take([
      event(null, { eventId: 'a', assumptions: ['id'] }),
      event(null, { eventId: 'b', assumptions: ['id'], state: 1 }),
    ]);
    take([
      event(null, { eventId: 'c', assumptions: ['id'], symbol: 'QQQ' }),
      event(null, { eventId: 'd', assumptions: ['id'], occurredAt: START + 1000 }),
    ]);
    expect(ledger.count()).toBe(4);
  });

  test('events without a state have no second key', () => {
    const flip = (eventId: string): ReceivedEvent => ({
      ...event(null, { eventId }),
      event: 'regime.flip',
      transition: null,
    });
    take([flip('f1'), flip('f2')]);
    expect(ledger.count()).toBe(2);
  });
});

describe('gaps', () => {
  test('one of a kind is open at a time; catching up closes it and records its end', () => {
    expect(ledger.openGap('downtime', '2026-03-02T14:30:00.000Z', null, 'asleep')).toBe(true);
    expect(ledger.openGap('downtime', '2026-03-02T14:31:00.000Z', null, 'asleep')).toBe(false);
    expect(ledger.caughtUp(instant('2026-03-02T14:40:00.000Z'), 3)).toEqual({ closed: true });
    expect(ledger.gaps(10)).toEqual([
      {
        id: 1,
        from: '2026-03-02T14:30:00.000Z',
        to: '2026-03-02T14:40:00.000Z',
        cause: 'asleep',
        closed: true,
        filled: 3,
        lost: false,
      },
    ]);
    expect(ledger.caughtUp(instant('2026-03-02T14:41:00.000Z'), 0)).toEqual({ closed: false });
  });
});

describe('notifications', () => {
  test('an intent stays open until a channel confirms the notification', () => {
    const { added } = take([event(1)], 'backfill', null);
    const id = added[0]?.ledgerId ?? 0;
    expect(ledger.notifications.dispatchOf(id)).toMatchObject({ notification_id: 'n:e1', outcome: 'intent' });
    ledger.notifications.record('n:e1', 'failed', START, 'no bus');
    expect(ledger.notifications.openIntents(100)).toMatchObject([
      { id: 'n:e1', ledgerId: id, baseRate: 12, attempts: 1, channel: 'desktop' },
    ]);
    ledger.notifications.record('n:e1', 'shown', START + 5, 'taken');
    expect(ledger.notifications.openIntents(100)).toEqual([]);
    expect(ledger.notifications.dispatchOf(id)).toEqual({
      notification_id: 'n:e1',
      outcome: 'shown',
      at: '2026-03-02T14:30:00.005Z',
      detail: 'taken',
    });
  });
});

test('a cursor without a number takes the one that the list gives its event', () => {
  take([event(1), event(2), event(3)], 'backfill', null);
  // Another log: it begins with unknown events and ends with known ones.
  const other = [
    event(1, { eventId: 'x1', symbol: 'QQQ', state: 1 }),
    event(2, { eventId: 'e3', occurredAt: START + 180_000 }),
  ];
  take(other, 'backfill', null);
  expect(ledger.hasPending()).toBe(false);
  expect(ledger.cursor()).toMatchObject({ eventId: 'e3', seq: 2 });
});

test('a number taken by another event means another log: the second key of a known event identifies it', () => {
  // Nothing of this log was listed yet: the cursor has no number in it.
  take([event(7, { symbol: 'QQQ', state: 1 }), event(8)], 'stream');
  expect(ledger.cursor().seq).toBeNull();
  const { added, replaced } = take([event(7, { eventId: 'e8r', occurredAt: START + 480_000 })], 'stream');
  expect({ added, replaced }).toEqual({ added: [], replaced: true });
  // Two events of one log within one second are two.
  take([event(9, { symbol: 'IWM' }), event(10, { symbol: 'IWM', occurredAt: START + 540_000 })], 'stream');
  expect(ledger.count()).toBe(4);
});

test('beyond a hole, a stream event within the second of a known event waits for the list; a delivery does not', () => {
  const at = { occurredAt: START };
  take([event(3, at)], 'relay');
  expect(take([event(5, at)], 'stream').added).toEqual([]);
  expect(take([event(5, at)], 'relay').added).toHaveLength(1);
  expect(ledger.notifications.openIntents(9).map(({ id }) => id)).toEqual(['n:e3', 'n:e5']);
});

describe('a log that was replaced after the stream brought only its end', () => {
  const at = { symbol: 'AAPL', occurredAt: START + 100 };
  beforeEach(() => {
    take([event(1), event(2), event(3)], 'backfill', null);
    // Its number is already taken: this is another log, of which nothing was listed yet.
    take([event(3, { ...at, eventId: 'a' })]);
    expect(ledger.cursor()).toMatchObject({ log: 2, seq: null });
  });

  test('a page that gives the number of a known event to another, further down, is of another log: the second key decides', () => {
    const { added, replaced } = take(
      [event(1, { ...at, eventId: 'ar' }), event(3, { eventId: 'b', symbol: 'IWM' })],
      'backfill',
      null,
    );
    expect({ added: added.map((one) => one.event.eventId), replaced }).toEqual({ added: ['b'], replaced: true });
  });

  test.each([3, 7])('a page that lists both, the known one as number %i, shows that they are two events', (seq) => {
    const page = [event(1, { ...at, eventId: 'before' }), event(2, { ...at, eventId: 'x', state: 1 })];
    const last = event(seq, { ...at, eventId: 'a' });
    const rest =
      seq === 3 ? [] : [3, 4, 5, 6].map((number) => event(number, { eventId: `y${number}`, symbol: 'IWM', state: 0 }));
    const { added } = take([...page, ...rest, last], 'backfill', null);
    expect(added.map((one) => one.event.eventId)).toEqual(['before', 'x', ...rest.map(({ eventId }) => eventId)]);
    expect(ledger.notifications.openIntents(9).map(({ id }) => id)).toContain('n:before');
  });

  test('so does a page of a log that is known to be another one', () => {
    take([event(3, { eventId: 'c', symbol: 'QQQ', state: 1 }), event(4, { eventId: 'd', symbol: 'QQQ', state: 0 })]);
    expect(ledger.cursor().log).toBe(3);
    const page = [
      event(1, { ...at, eventId: 'before' }),
      event(2, { ...at, eventId: 'x', state: 1 }),
      event(3, { ...at, eventId: 'a' }),
    ];
    expect(take(page, 'backfill', null).added.map((one) => one.event.eventId)).toEqual(['before', 'x']);
    expect(ledger.notifications.openIntents(9).map(({ id }) => id)).toContain('n:before');
  });
});

describe('baseline', () => {
  const HOUR = 3_600_000;
  /**
   * Proven at START by both clocks, then another log at the given present: the baseline, in hours after
   * START.
   */
  const line = (present: { world: number; here: number; speed?: number; newest?: number }): number => {
    ledger.caughtUp({ world: START, here: START }, 0);
    startNewLog(ledger.metadata, { speed: 1, newest: null, ...present });
    return ((baselineAt(ledger.metadata) ?? Number.NaN) - START) / HOUR;
  };
  test.each([
    ['both clocks agree', { world: START + 5 * HOUR, here: START + 5 * HOUR }, 0],
    ['our clock was set back meanwhile', { world: START + 5 * HOUR, here: START + 4 * HOUR }, 0],
    ['our clock was set ahead meanwhile', { world: START + 5 * HOUR, here: START + 7 * HOUR }, -2],
    ['a world that runs sixty times as fast', { world: START + 60 * HOUR, here: START + HOUR, speed: 60 }, 0],
    ['a world that stands', { world: START, here: START + 5 * HOUR, speed: 0 }, 0],
    ['a world set back', { world: START - 100 * HOUR, here: START + 2 * HOUR }, -102],
    ['another world, years ahead', { world: START + 50_000 * HOUR, here: START + 2 * HOUR }, 49_998],
    ['a proof of later than what is known', { world: START + HOUR, here: START + HOUR, newest: START - 3 * HOUR }, -3],
    ['what is known is of another world', { world: START + HOUR, here: START + HOUR, newest: START - 200 * HOUR }, 0],
    ['both clocks set back: a day is assumed', { world: START - HOUR, here: START - HOUR }, -25],
  ])('%s', (_, present, hours) => {
    expect(line(present)).toBe(hours);
  });
  test('it applies until the log was read to its end', () => {
    line({ world: START + HOUR, here: START + HOUR });
    ledger.caughtUp({ world: START + HOUR, here: START + HOUR }, 0);
    expect(baselineAt(ledger.metadata)).toBeNull();
  });
});
