// Test: what other services call fields, states and symbols, and what becomes of it.
import { describe, expect, test } from 'vitest';
import { RowSignalSchema } from '../../../shared/channels/state.ts';
import type { StateMap } from '../../../shared/settings/state-map.ts';
import { instant } from './fields.ts';
import { normalizeSignal } from './normalize.ts';
import { parseEvent } from './parse-event.ts';
import { readState } from './read-state.ts';
import { eventsIn, rowEvent } from './record-fields.ts';
import { createVocabulary } from './vocabulary.ts';

const AT = '2026-03-02T14:30:00.000Z';
const RECEIVED = Date.parse('2026-03-02T15:00:00Z');
const LISTED = ['SPY', 'BRK.B'];

function vocabularyOf(states?: StateMap) {
  let digits = '';
  return createVocabulary({
    states,
    symbols: () => LISTED,
    digits: { read: () => digits, write: (now) => (digits = now) },
  });
}
const read = (value: unknown, vocabulary = vocabularyOf(), name?: string) =>
  parseEvent(value, { receivedAt: RECEIVED, vocabulary, ...(name === undefined ? {} : { name }) });
const signal = (row: unknown, vocabulary = vocabularyOf()) =>
  RowSignalSchema.safeParse(normalizeSignal(vocabulary.row(row))).data;

describe('a state', () => {
  test.each([
    ['STATE_HIGH_RISK', 2],
    ['signal.high_risk', 2],
    ['HighRisk', 2],
    ['high-risk', 2],
    ['Very High Risk', 2],
    ['RISK_STATE_ELEVATED', 1],
    ['state: normal', 0],
    ['2', 2],
    [0, 0],
    [{ code: 2, label: 'High Risk' }, 2],
    [{ code: 'ELEVATED', label: 'Erhöht' }, 1],
  ])('%j is plain', (given, state) => expect(readState(given)).toEqual({ state }));
  test.each(['red', 'high', 'not normal', 'abnormal', 'no longer elevated', 'normal or elevated', '3', '-1', '0.5'])(
    '%j ranks as High Risk, and stays as the service writes it',
    (word) => expect(readState(word)).toEqual({ state: 2, word }),
  );
  test('a record without any state has none', () => expect(readState(undefined, null, '', true)).toBeNull());
  test('an unknown name is not replaced by the number beside it', () => {
    expect(signal({ symbol: 'SPY', state: 1, state_name: 'amber' })).toMatchObject({ state: 2, state_word: 'amber' });
    expect(signal({ symbol: 'SPY', state: 'active', to_state: 0 })).toMatchObject({ state: 0 });
  });
  test('a 3 without a 0 proves a numbering from one, from then on', () => {
    const vocabulary = vocabularyOf();
    const of = (state: number) => signal({ symbol: 'SPY', state }, vocabulary)?.state;
    expect([of(1), of(2)]).toEqual([1, 2]);
    expect([of(3), of(1), of(2), of(3)]).toEqual([2, 0, 1, 2]);
    expect(of(0)).toBe(0);
    expect([of(1), signal({ symbol: 'SPY', state: 3 }, vocabulary)?.state_word]).toEqual([1, '3']);
  });
  test('the numbers of a service that names its states prove nothing', () => {
    const vocabulary = vocabularyOf();
    expect(signal({ symbol: 'SPY', state: 3, state_name: 'high_risk' }, vocabulary)).toMatchObject({ state: 2 });
    expect(signal({ symbol: 'SPY', state: 1 }, vocabulary)).toMatchObject({ state: 1 });
  });
  test('a map of the profile comes first, in every field, and settles a word', () => {
    const vocabulary = vocabularyOf({ 1: 'high_risk', 2: 'elevated', amber: 'elevated' });
    expect(signal({ symbol: 'SPY', state: 1 }, vocabulary)).toMatchObject({ state: 2 });
    expect(signal({ symbol: 'SPY', state: 2 }, vocabulary)).toMatchObject({ state: 1 });
    const mapped = signal({ symbol: 'SPY', state: { code: 9, label: 'Amber' } }, vocabulary);
    expect(mapped).toMatchObject({ state: 1 });
    expect(mapped).not.toHaveProperty('state_word', expect.anything());
    const event = { event_id: 'x', event: 'signal.created', timestamp: AT, data: { symbol: 'SPY', state: 1 } };
    expect(read(event, vocabulary)).toMatchObject({ transition: { to_state: 2 }, body: JSON.stringify(event) });
    expect(read({ ...event, event: 'signal.elevated' }, vocabulary)?.transition?.to_state).toBe(1);
  });
});

const RECORD = { symbol: 'SPY', to_state: 2, from_state: 1, confidence: 36, occurred_at: AT };
describe('an event', () => {
  test.each<[string, unknown, string?]>([
    ['payload', { id: 'e1', type: 'signal.high_risk', created_at: AT, payload: RECORD }],
    ['signal', { id: 'e1', event: 'signal.high_risk', timestamp: AT, signal: RECORD }],
    ['data.signal', { id: 'e1', event: 'signal.high_risk', timestamp: AT, data: { signal: RECORD } }],
    ['data as text', { id: 'e1', event: 'signal.high_risk', timestamp: AT, data: JSON.stringify(RECORD) }],
    ['an object event', { event: { id: 'e1', type: 'signal.high_risk', data: RECORD } }],
    ['no wrapper, named by the frame', { id: 'e1', ...RECORD }, 'signal.high_risk'],
    [
      'from and to',
      { id: 'e1', event: 'signal.created', data: { ticker: 'spy', from: 'elevated', to: 'High Risk', at: AT } },
    ],
    [
      'new_state',
      {
        id: 'e1',
        event: 'state.changed',
        data: { symbol: 'SPY', new_state: 'HIGH_RISK', previous_state: 'ELEVATED', transitioned_at: AT },
      },
    ],
    [
      'an id inside',
      {
        event: 'signal.created',
        payload: { id: 'e1', symbol: 'SPY', state: { code: 2, label: 'High Risk' }, from_state: 1, time: AT },
      },
    ],
    [
      'a name of its own that ends in a state',
      { id: 'e1', event: 'signal.state_high_risk', data: { symbol: 'SPY', from_state: 1, created_at: AT } },
    ],
    [
      'camelCase and a reverse domain',
      {
        ...{ specversion: '1.0', id: 'e1', source: '/risk', type: 'com.example.signal.high_risk' },
        data: { symbol: 'SPY', previousState: 'Elevated', occurredAt: AT },
      },
    ],
    [
      'Pascal case',
      { EventId: 'e1', Payload: null, Symbol: 'SPY', NewState: 'HighRisk', PreviousState: 1, ChangedAt: AT },
    ],
    [
      'a state that is an object under signal',
      { id: 'e1', data: { symbol: 'SPY', signal: { code: 2, label: 'High Risk' }, from_state: 1, ts: 1772461800 } },
    ],
    ['no name at all', { id: 'e1', symbol: 'SPY', risk_level: 'high risk', prev_state: 1, timestamp: AT }],
  ])('with %s is read whole', (_, given, name) => {
    expect(read(given, vocabularyOf(), name)).toMatchObject({
      eventId: 'e1',
      occurredAt: Date.parse(AT),
      assumptions: expect.not.arrayContaining(['id', 'time', 'from', 'unreadable']),
      transition: { symbol: 'SPY', from_state: 1, to_state: 2 },
    });
  });
  test.each([
    { signal: { symbol: 'SPY', state: 2, label: 'High Risk', from_state: 1, time: AT } },
    { signal: { symbol: 'SPY', state: 2, label: 'Drawdown' } },
    { data: { instrument: 'SPY', state: 2, label: 'High Risk', timestamp: AT } },
    { symbol: 'SPY', data: { state: 2, label: 'High Risk', confidence: 80, timestamp: AT } },
    { data: { asset: 'SPY', newState: 2, label: 'High Risk' } },
    { symbol: 'SPY', data: { level: 'high_risk', label: 'Drawdown' } },
  ])('an object with a label that names a symbol or a state, or has more fields, is a record: %j', (record) =>
    expect(read({ id: 'e1', event: 'signal.created', ...record })?.transition).toMatchObject({
      symbol: 'SPY',
      to_state: 2,
    }),
  );
  test.each<[string, unknown]>([
    ['signal.red', { id: 'e1', event: 'signal.red', data: { symbol: 'SPY' } }],
    ['data', { id: 'e1', event: 'signal.created', data: { symbol: 'SPY', state: 'red' } }],
    ['risk_level', { id: 'e1', data: { symbol: 'SPY', risk_level: 'red' } }],
  ])('with an unknown word in %s is a High Risk that says the word', (_, given) => {
    expect(read(given)?.transition).toMatchObject({ to_state: 2, state_word: 'red' });
  });
  test.each([
    { id: 'n1', event: 'system.notice', data: { symbol: 'SPY', severity: 'info' } },
    { id: 'n1', event: 'regime.flip', data: { symbol: 'SPY', from_regime: 'Calm', to_regime: 'Stress' } },
    { id: 'n1', event: 'briefing.published', data: { id: 'b1', type: 'midday', title: 'x', signal: { state: 2 } } },
  ])('that is no signal does not become one: $event', (given) =>
    expect(read(given)).toMatchObject({ eventId: 'n1', transition: null }),
  );
  test.each<[string, unknown, unknown]>([
    ['payload and row', { type: 'signal.high_risk', payload: { id: 'e1', ...RECORD } }, { id: 'e1', ...RECORD }],
    [
      'both around the record',
      { data: { signal: { event_id: 'e1', ...RECORD } } },
      { signal: { event_id: 'e1', ...RECORD } },
    ],
  ])('of the stream and its row in a list are one: %s', (_, pushed, row) => {
    const [a, b] = [read(pushed), read(rowEvent(row))];
    expect(a?.transition).toEqual(b?.transition);
    expect([a?.eventId, a?.problem, b?.problem]).toEqual(['e1', undefined, undefined]);
  });
});

test('a message may hold its events in a list', () => {
  const [a, b] = [{ id: 'a' }, { id: 'b' }];
  expect(eventsIn([a, b])).toEqual([a, b]);
  expect(eventsIn({ type: 'batch', events: [a, b] })).toEqual([a, b]);
  for (const one of [{ id: 'c', data: { symbol: 'SPY' } }, { id: 'c', data: [] }, 7, null])
    expect(eventsIn(one)).toEqual([one]);
});

test.each([
  '2026-03-02T14:30:00Z',
  '20260302T143000Z',
  '20260302T1430Z',
  '2026-03-02T14:30:00,000Z',
  '2026-03-02T15:30:00+01',
  '2026-03-02T15:30+0100',
  '2026-03-02 14:30:00',
  '2026-03-02 14:30:00 UTC',
  '2026-03-02 15:30:00 +01:00',
  'Mon, 02 Mar 2026 14:30:00 GMT',
  '1772461800',
  '1772461800.0',
  '1772461800000',
  1772461800,
  1772461800000,
])('the instant %j', (given) => expect(instant(given)).toBe(AT));
test.each(['', 'soon', '14:30', '2026-13-02', '17724', 'Infinity', {}])('%j is no instant', (given) =>
  expect(instant(given)).toBeNull(),
);

test('other spellings of a symbol are that of the watchlist, and requests have the service’s own', () => {
  const vocabulary = vocabularyOf();
  for (const given of ['BRK-B', 'brk/b', 'BRK_B', 'BRK.B']) {
    expect(signal({ symbol: given, state: 2 }, vocabulary)?.symbol).toBe('BRK.B');
    expect(read({ id: 'e', event: 'signal.high_risk', data: { symbol: given } }, vocabulary)?.symbol).toBe('BRK.B');
  }
  expect(signal({ ticker: 'EUR/USD', state: 0 }, vocabulary)?.symbol).toBe('EUR-USD');
  expect(vocabulary.theirSymbol('EUR-USD')).toBe('EUR/USD');
  expect(vocabulary.theirSymbol('SPY')).toBe('SPY');
});
