// Test: a history without a fault has no finding, and every planted fault is found.
import { expect, test } from 'vitest';
import { createHistory, fromLines, type HistoryEvent, type Operation, toEdn, toLines } from './cluster-history.ts';
import { checkHistory, type FindingKind } from './cluster-history-checker.ts';

const event = (seq: number, id = `evt_${seq}`, log = 'a'): HistoryEvent => ({ log, seq, id });

/** Three events by two leaders: a stream that changes its node once, a webhook receiver, two nodes that answer alike. */
function goodHistory(): Operation[] {
  let time = 0;
  const history = createHistory(() => {
    time += 1;
    return time;
  });
  const commit = (epoch: number, one: HistoryEvent) =>
    history.add({
      type: 'ok',
      process: 90,
      f: 'commit',
      value: { log: 'a', position: one.seq, epoch, events: [one] },
    });
  const tell = (one: HistoryEvent) => {
    history.add({ type: 'ok', process: 10, f: 'stream', value: one });
    history.add({ type: 'ok', process: 20, f: 'deliver', value: { log: 'a', id: one.id } });
  };
  history.add({ type: 'ok', process: 0, f: 'elect', value: { log: 'a', epoch: 1 } });
  history.add({ type: 'ok', process: 10, f: 'resume', value: { after: 0, log: 'a' } });
  history.add({ type: 'invoke', process: 1, f: 'append', value: null });
  commit(1, event(1));
  history.add({ type: 'ok', process: 1, f: 'append', value: ['evt_1'] });
  tell(event(1));
  commit(1, event(2));
  history.add({ type: 'info', process: 'nemesis', f: 'nemesis', value: 'kill 0' });
  history.add({ type: 'ok', process: 2, f: 'elect', value: { log: 'a', epoch: 2 } });
  history.add({ type: 'ok', process: 10, f: 'resume', value: { after: 1, log: 'a' } });
  tell(event(2));
  commit(2, event(3));
  tell(event(3));
  for (const process of [30, 31])
    history.add({ type: 'ok', process, f: 'read', value: { log: 'a', events: [event(1), event(2), event(3)] } });
  return [...history.operations];
}

const kindsOf = (operations: readonly Operation[]): FindingKind[] => [
  ...new Set(checkHistory(operations, { isQuiet: true }).map(({ kind }) => kind)),
];

test('a history without a fault has no finding, also when it was written and read', () => {
  expect(checkHistory(goodHistory(), { isQuiet: true })).toEqual([]);
  expect(fromLines(toLines(goodHistory()))).toEqual(goodHistory());
  expect(() => fromLines('{"type":"ok","f":"dance"}\n')).toThrow();
});

test('a history is written in the form that Jepsen reads', () => {
  const [first = ''] = toEdn(goodHistory()).split('\n');
  expect(first).toBe('{:index 0, :type :ok, :process 0, :f :elect, :value {:log "a", :epoch 1}, :time 1000000}');
  expect(toEdn(goodHistory())).toContain(':process :nemesis');
});

type Change = (operation: Operation) => Operation | readonly Operation[];
const PLANTED: readonly (readonly [FindingKind, string, Change])[] = [
  ['hole', 'a number is left out of an answer', onRead(([one, , three]) => [one, three])],
  ['doubled', 'an event has two numbers', onRead((all) => [...all, event(4, 'evt_1')])],
  [
    'lost',
    'an acknowledged event is in no log',
    (one) => (one.f === 'append' && one.type === 'ok' ? { ...one, value: ['evt_9'] } : one),
  ],
  [
    'differs',
    'two nodes have other events at one number',
    (one) => (one.process === 31 ? onRead(([a, b]) => [a, b, event(3, 'evt_x')])(one) : one),
  ],
  [
    'told-unwritten',
    'a stream told what is not in the log',
    onStream(3, (one) => [one, { ...one, value: event(4, 'evt_9') }]),
  ],
  [
    'told-unwritten',
    'a receiver got what is not in the log',
    (one) =>
      one.f === 'deliver' && one.value.id === 'evt_3' ? [one, { ...one, value: { log: 'a', id: 'evt_9' } }] : one,
  ],
  [
    'told-unwritten',
    'a stream told an event before it was durable',
    (one) => (one.f === 'commit' && one.value.position === 3 ? [] : one),
  ],
  ['stream-skips', 'a stream was not told an event', onStream(2, () => [])],
  ['stream-skips', 'a stream was not told the last event', onStream(3, () => [])],
  ['stream-skips', 'a stream is not told the first event after its place', onStream(1, () => [])],
  ['stream-repeats', 'a stream was told an event twice', onStream(2, (one) => [one, one])],
  [
    'undelivered',
    'a receiver never got an event',
    (one) => (one.f === 'deliver' && one.value.id === 'evt_2' ? [] : one),
  ],
  [
    'deposed-writes',
    'a leader wrote after it was deposed',
    (one) =>
      one.f === 'commit' && one.value.position === 3
        ? [
            { ...one, value: { ...one.value, events: [], epoch: 3 } },
            { ...one, value: { ...one.value, epoch: 1 } },
          ]
        : one,
  ],
  [
    'two-leaders',
    'two nodes won one term',
    (one) => (one.f === 'elect' ? { ...one, value: { log: 'a', epoch: 1 } } : one),
  ],
];

test.each(PLANTED)('%s is found: %s', (kind, _, change) => {
  expect(kindsOf(goodHistory().flatMap(change))).toContain(kind);
});

test('a receiver need not get what was written before it subscribed', () => {
  const subscribed = (after: number): Operation[] => [
    { index: 0, type: 'ok', process: 20, f: 'subscribe', time: 0, value: { log: 'a', after } },
    ...goodHistory().filter(({ f, value }) => f !== 'deliver' || value.id !== 'evt_2'),
  ];
  expect(kindsOf(subscribed(2))).toEqual([]);
  expect(kindsOf(subscribed(1))).toEqual(['undelivered']);
});

test('after a restored backup a client may be told other events under the numbers that it knows', () => {
  const good = goodHistory();
  const index = good.length;
  const restored = { index, process: 30, time: index, type: 'ok' } as const;
  const later: Operation[] = [
    { ...restored, f: 'restore', value: { log: 'b' } },
    {
      ...restored,
      process: 90,
      f: 'commit',
      value: { log: 'b', position: 2, epoch: 3, events: [event(1, 'evt_1', 'b'), event(2, 'evt_n', 'b')] },
    },
    { ...restored, process: 10, f: 'stream', value: event(2, 'evt_n', 'b') },
    { ...restored, process: 20, f: 'deliver', value: { log: 'b', id: 'evt_1' } },
    { ...restored, process: 20, f: 'deliver', value: { log: 'b', id: 'evt_n' } },
    { ...restored, f: 'read', value: { log: 'b', events: [event(1, 'evt_1', 'b'), event(2, 'evt_n', 'b')] } },
  ];
  expect(checkHistory([...good, ...later], { isQuiet: true })).toEqual([]);
});

function onRead(change: (events: HistoryEvent[]) => (HistoryEvent | undefined)[]): Change {
  return (one) =>
    one.f !== 'read'
      ? one
      : {
          ...one,
          value: { ...one.value, events: change([...one.value.events]).filter((event) => event !== undefined) },
        };
}

function onStream(seq: number, change: (one: Extract<Operation, { f: 'stream' }>) => Operation[]): Change {
  return (one) => (one.f === 'stream' && one.value.seq === seq ? change(one) : one);
}
