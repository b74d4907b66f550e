// Test: the tolerant readers: which spellings of records and events they accept, and which not.
import { describe, expect, test } from 'vitest';
import { RowSignalSchema } from '../../../shared/channels/state.ts';
import { HistoryPointSchema } from '../../../shared/wire/records.ts';
import { instant } from './fields.ts';
import { normalizeHistoryPoint, normalizeSignal } from './normalize.ts';
import { readEvent } from './read-event.ts';
import { state } from './read-state.ts';
import { CONTRACT_VOCABULARY } from './vocabulary.ts';

const AT = Date.parse('2026-03-02T14:30:00.000Z');
const read = (value: unknown, hints: { name?: string; id?: string } = {}) =>
  readEvent(value, { receivedAt: AT, ...hints });

describe('events', () => {
  const data = { symbol: 'spy', state: 2, confidence: 36 };
  test.each([
    ['nested, by event', { event: 'signal.high_risk', timestamp: '2026-03-02T14:30:00Z', data }, {}],
    ['flat', { event: 'signal.high_risk', timestamp: '2026-03-02T14:30:00Z', ...data }, {}],
    ['name in type', { type: 'signal.high_risk', timestamp: '2026-03-02T14:30:00+00:00', data }, {}],
    ['name from the frame', { timestamp: '2026-03-02 14:30:00', data }, { name: 'signal.high_risk' }],
    [
      'the event name wins over the integer',
      { event: 'signal.high_risk', timestamp: '2026-03-02T14:30:00Z', data: { ...data, state: 1 } },
      {},
    ],
    [
      'signal.created, by its state',
      { event: 'signal.created', timestamp: 1772461800, data: { ...data, state: 'HIGH RISK' } },
      {},
    ],
  ])('%s', (_, value, hints) => {
    const event = read(value, hints);
    expect(event).toMatchObject({
      ok: true,
      value: { symbol: 'SPY', occurredAt: AT, transition: { to_state: 2, symbol: 'SPY' } },
    });
  });
  test.each(['SIGNAL.HIGH_RISK', 'Signal.High-Risk', 'signal.HighRisk', 'signal/high risk'])(
    'the name %j is signal.high_risk',
    (event) => {
      expect(read({ event, data: { symbol: 'SPY' } })).toMatchObject({
        value: { event: 'signal.high_risk', transition: { to_state: 2 } },
      });
      expect(read({ data: { symbol: 'SPY' } }, { name: event })).toMatchObject({
        value: { event: 'signal.high_risk' },
      });
    },
  );
  test('an event of an unknown name is data', () => {
    expect(read({ event: 'Signals.High' })).toMatchObject({ value: { event: 'Signals.High', transition: null } });
  });
  test('ids: its own, the frame’s, else a stable hash', () => {
    expect(read({ event: 'signal.high_risk', id: 'a', data })).toMatchObject({ value: { eventId: 'a' } });
    expect(read({ event: 'signal.high_risk', data }, { id: 'b' })).toMatchObject({ value: { eventId: 'b' } });
    const [first, second] = [read({ event: 'signal.high_risk', data }), read({ event: 'signal.high_risk', data })];
    expect(first).toEqual(second);
    expect(first).toMatchObject({
      value: {
        eventId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        assumptions: expect.arrayContaining(['id', 'time']),
      },
    });
  });
  test('an unknown state ranks as High Risk', () => {
    expect(read({ event: 'signal.created', data: { symbol: 'SPY', state: 7 } })).toMatchObject({
      value: { transition: { to_state: 2, state_word: '7' } },
    });
    expect(read({ event: 'signal.created', data: { symbol: 'SPY', state: 'panic' } })).toMatchObject({
      value: { transition: { to_state: 2, state_word: 'panic' } },
    });
  });
  test("a briefing's kind in type is no event name", () => {
    expect(read({ type: 'pre-market', id: 'b1' }, { name: 'briefing.published' })).toMatchObject({
      value: { event: 'briefing.published', transition: null },
    });
    expect(read({ type: 'pre-market', id: 'b1' })).toMatchObject({ ok: false });
  });
  test.each([
    [null],
    [7],
    ['x'],
    [[]],
    [{}],
    [{ event: 'signal.high_risk', data: {} }],
    [{ event: 'signal.high_risk', data: { symbol: '<script>' } }],
  ])('%j is refused', (value) => {
    expect(read(value).ok).toBe(false);
  });
});

describe('records', () => {
  test('a sparse signal in another spelling is understood', () => {
    const normalized = RowSignalSchema.safeParse(
      normalizeSignal(
        CONTRACT_VOCABULARY.row({
          ticker: 'spy',
          state: 'High-Risk',
          price: 1.5,
          timestamp: '2026-03-02T14:30:00+02:00',
          extra: 1,
        }),
      ),
    );
    expect(normalized.data).toMatchObject({
      symbol: 'SPY',
      state: 2,
      state_name: 'high_risk',
      updated_at: '2026-03-02T12:30:00.000Z',
      confidence: null,
    });
  });
  test('unknown values in optional fields never invalidate a row', () => {
    const row = { symbol: 'SPY', state: 1, price: 2, timestamp: '2026-03-02T14:30:00Z' };
    const odd = { ...row, held_by: 'a hunch', data_health: 'fine', data_age_seconds: -1.5 };
    expect(RowSignalSchema.safeParse(normalizeSignal(odd)).data).toMatchObject({ symbol: 'SPY', state: 1 });
    const ours = { ...row, held_by: 'breach', data_health: 'stale', data_age_seconds: 9 };
    expect(RowSignalSchema.safeParse(normalizeSignal(ours)).data).toMatchObject({
      held_by: 'breach',
      data_health: 'stale',
      data_age_seconds: 9,
    });
    const day = { symbol: 'SPY', state: 1, price: 2, date: '2026-03-02' };
    for (const more of [{}, { worst_state: 'dire', changes: '2', model_state: null, model_confidence: 'x' }])
      expect(HistoryPointSchema.safeParse(normalizeHistoryPoint({ ...day, ...more })).data).toMatchObject({ state: 1 });
    const whole = { worst_state: 2, changes: 3, model_state: 0, model_confidence: 93 };
    expect(HistoryPointSchema.safeParse(normalizeHistoryPoint({ ...day, ...whole })).data).toMatchObject(whole);
  });
  test('a day of the history has open, high and low together around its price, or none of them', () => {
    const day = { symbol: 'SPY', state: 1, price: 10, date: '2026-03-02' };
    const read = (more: object) => HistoryPointSchema.parse(normalizeHistoryPoint({ ...day, ...more }));
    expect(read({ open: 9, high: 12, low: 8, volume: 500 })).toMatchObject({ open: 9, high: 12, low: 8, volume: 500 });
    for (const more of [
      { open: 9, high: 12 },
      { open: 9, high: 9.5, low: 8 },
      { open: 9, high: 12, low: 10.5 },
      { open: 9, high: 12, low: 0 },
      { open: '9', high: 12, low: 8 },
    ])
      expect(read({ ...more, volume: -1 })).toEqual(read({}));
  });
  test('the signal of the specification is enough: missing values are null', () => {
    const bare = { symbol: 'SPY', state: 1, confidence: 83.3, note: 'free text' };
    expect(RowSignalSchema.parse(normalizeSignal(bare))).toMatchObject({
      ...bare,
      state_name: 'elevated',
      asset_class: null,
      price: null,
      since: null,
      decided_at: null,
      next_decision_at: null,
      updated_at: null,
    });
    for (const name of ['time', 'at', 'timestamp'])
      expect(RowSignalSchema.parse(normalizeSignal({ ...bare, [name]: 1772461800 })).updated_at).toBe(
        '2026-03-02T14:30:00.000Z',
      );
  });
  test.each([
    ['2026-03-02T14:30:00Z', '2026-03-02T14:30:00.000Z'],
    ['2026-03-02T14:30:00.5+01:00', '2026-03-02T13:30:00.500Z'],
    ['2026-03-02', '2026-03-02T00:00:00.000Z'],
    ['2026-03-02T14:30:00', '2026-03-02T14:30:00.000Z'],
    [1772461800, '2026-03-02T14:30:00.000Z'],
    [1772461800000, '2026-03-02T14:30:00.000Z'],
    [1772461800000000, null],
    ['9999-12-31T23:59:59-05:00', null],
    ['0000-01-01T00:00:00+05:00', null],
    ['yesterday', null],
    ['2026-99-99', null],
    [null, null],
  ])('instant %j is %j', (given, understood) => {
    expect(instant(given)).toBe(understood);
  });
  test('states by name before integer', () => {
    expect([state('normal', 2), state(undefined, 1), state('2'), state(null), state(9)]).toEqual([0, 1, 2, null, 2]);
  });
});
