// Test: the identity of events: ids, the second key, numbers of another log.
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type State, stateName } from '../../../shared/domain/states.ts';
import { signalEvent } from '../../../shared/wire/events.ts';
import { event, START, setUpLedger } from '../../../test/harness/ledger-bench.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';

const bench = setUpLedger();
const { take } = bench;

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
    const parsed = (seq: number) => {
      const { transition, attributes, occurredAt } = event(seq);
      return { transition, attributes, occurredAt, occurred_s: occurredAt / 1000 };
    };
    expect(bench.ledger.entries.byLedgerIds([1, 2])).toEqual([
      { ...common, ...parsed(1), ledger_id: 1, event_id: 'e1', seq: 1, assumptions: null },
      { ...common, ...parsed(2), ledger_id: 2, event_id: 'e2', seq: 2, assumptions: 'time,from' },
    ]);
  },
);
test('the same id is one event, its sources are listed in order', () => {
  take([event(1)], 'backfill', null);
  expect(take([event(1)]).merged).toHaveLength(1);
  expect(take([event(1)]).merged).toEqual([]);
  expect(bench.ledger.count()).toBe(1);
  expect(bench.ledger.entries.newestSignals(1)[0]?.sources).toBe('backfill,stream');
  expect(bench.ledger.notifications.pending(100)).toHaveLength(1);
});

test('the newest events have the latest times, even when older events arrive later', () => {
  take([event(9)]);
  take([event(1), event(2), event(3)], 'backfill', null);
  expect(bench.ledger.entries.newestSignals(2).map((row) => row.event_id)).toEqual(['e9', 'e3']);
});

test('without an id: symbol, state and second decide, in any order of arrival', () => {
  const bare = event(null, { eventId: 'sha256:1', assumptions: ['id'], occurredAt: START + 400 });
  take([bare]);
  take([event(1, { occurredAt: START + 900 })], 'backfill', null);
  expect(bench.ledger.count()).toBe(1);
  take([{ ...bare, eventId: 'sha256:2', body: 'other bytes' }], 'relay');
  expect(bench.ledger.count()).toBe(1);
  expect(take([event(1, { occurredAt: START + 900 })]).added).toEqual([]);
  expect(bench.ledger.notifications.pending(100).map((notification) => notification.id)).toEqual(['n:sha256:1']);
});

test('an event dated by its arrival never merges with another event of that second', () => {
  // Dated a year ahead, so it gets the second of its arrival, in which another event occurred.
  take([event(null, { eventId: 'ahead', assumptions: ['date'] })], 'poll');
  const added = take([event(null, { eventId: 'first' })], 'poll').added;
  expect(added.map(({ event: { eventId } }) => eventId)).toEqual(['first']);
  take([event(null, { eventId: 'second' })], 'relay');
  expect(bench.ledger.notifications.pending(9).map((notification) => notification.id)).toEqual(['n:ahead', 'n:first']);
  // The event without an id is the one that occurred then.
  take([event(null, { eventId: 'sha256:1', assumptions: ['id'] })]);
  expect(bench.ledger.count()).toBe(2);
});

test('an event without an id merges with one of two events of its second, not with both', () => {
  const at = { occurredAt: START + 100 };
  take([event(null, { eventId: 'sha256:1', assumptions: ['id'], ...at })]);
  take([event(1, at), event(2, { ...at, state: 1 }), event(3, at)], 'backfill', null);
  expect(bench.ledger.count()).toBe(3);
  expect(bench.ledger.notifications.pending(9).map((notification) => notification.id)).toEqual(['n:sha256:1', 'n:e3']);
  take([event(1, at), event(3, at), event(null, { eventId: 'sha256:2', assumptions: ['id'], ...at })]);
  expect(bench.ledger.count()).toBe(3);
  expect(bench.ledger.cursor()).toMatchObject({ log: 1, seq: 3 });
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
  expect(bench.ledger.count()).toBe(4);
});

test('events without a state have no second key', () => {
  const flip = (eventId: string): ReceivedEvent => ({
    ...event(null, { eventId }),
    event: 'regime.flip',
    transition: null,
  });
  take([flip('f1'), flip('f2')]);
  expect(bench.ledger.count()).toBe(2);
});

test('a number taken by another event means another log: the second key of a known event identifies it', () => {
  // No event of this log was listed yet: the cursor has no number in it.
  take([event(7, { symbol: 'QQQ', state: 1 }), event(8)], 'stream');
  expect(bench.ledger.cursor().seq).toBeNull();
  const { added, replaced } = take([event(7, { eventId: 'e8r', occurredAt: START + 480_000 })], 'stream');
  expect({ added, replaced }).toEqual({ added: [], replaced: true });
  // Two events of one log within one second are two.
  take([event(9, { symbol: 'IWM' }), event(10, { symbol: 'IWM', occurredAt: START + 540_000 })], 'stream');
  expect(bench.ledger.count()).toBe(4);
});

test('beyond a hole, a stream event within the second of a known event waits for the list; a delivery does not', () => {
  const at = { occurredAt: START };
  take([event(3, at)], 'relay');
  expect(take([event(5, at)], 'stream').added).toEqual([]);
  expect(take([event(5, at)], 'relay').added).toHaveLength(1);
  expect(bench.ledger.notifications.pending(9).map(({ id }) => id)).toEqual(['n:e3', 'n:e5']);
});

describe('a log that was replaced after the stream brought only its end', () => {
  const at = { symbol: 'AAPL', occurredAt: START + 100 };
  beforeEach(() => {
    take([event(1), event(2), event(3)], 'backfill', null);
    // Its number is taken: this is another log, of which no event was listed yet.
    take([event(3, { ...at, eventId: 'a' })]);
    expect(bench.ledger.cursor()).toMatchObject({ log: 2, seq: null });
  });

  test('a page in which a different event has the number of a known event is of another log: the second key decides', () => {
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
    expect(bench.ledger.notifications.pending(9).map(({ id }) => id)).toContain('n:before');
  });

  test('a page of a log that is known to be new shows it too', () => {
    take([event(3, { eventId: 'c', symbol: 'QQQ', state: 1 }), event(4, { eventId: 'd', symbol: 'QQQ', state: 0 })]);
    expect(bench.ledger.cursor().log).toBe(3);
    const page = [
      event(1, { ...at, eventId: 'before' }),
      event(2, { ...at, eventId: 'x', state: 1 }),
      event(3, { ...at, eventId: 'a' }),
    ];
    expect(take(page, 'backfill', null).added.map((one) => one.event.eventId)).toEqual(['before', 'x']);
    expect(bench.ledger.notifications.pending(9).map(({ id }) => id)).toContain('n:before');
  });
});

describe('signal.created beside the signal of the same entry', () => {
  /** @param second after the start */
  const entered = (state: State, second: number, name?: string) => {
    const eventId = `${name ?? 'own'}-${state}-${second}`;
    const of = event(null, { eventId, occurredAt: START + second * 1000 });
    if (of.transition === null) throw new Error('an event of the bench has a transition');
    const transition = { ...of.transition, event_id: eventId, to_state: state, state_name: stateName(state) };
    return { ...of, event: name ?? signalEvent(state), transition };
  };
  test('signal.created and the signal of its entry are two events where another state lies between them', () => {
    take([entered(2, 0), entered(0, 10), entered(2, 20, 'signal.created')]);
    expect(bench.ledger.count()).toBe(3);
    take([entered(2, 21)]);
    expect(bench.ledger.count()).toBe(3);
    expect(bench.ledger.notifications.pending(100)).toHaveLength(2);
  });
  test('every entry is one event, however it is announced, and none swallows another', () => {
    const how = fc.constantFrom<('own' | 'created')[]>(['own'], ['created'], ['own', 'created'], ['created', 'own']);
    const walk = fc.array(
      fc.record({ steps: fc.constantFrom<1 | 2>(1, 2), after: fc.integer({ min: 1, max: 70 }), how }),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(walk, (entries) => {
        bench.restart();
        let [state, second] = [0, 0];
        for (const { steps, after, how: announced } of entries) {
          state = (state + steps) % 3;
          second += after;
          take(announced.map((name) => entered(state as State, second, name === 'own' ? undefined : 'signal.created')));
        }
        expect(bench.ledger.count()).toBe(entries.length);
      }),
      { numRuns: 100 },
    );
  });
});
