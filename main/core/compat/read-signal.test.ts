// Test: the fast reader accepts exactly what the schema accepts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventEnvelopeSchema, isSignalEvent } from '../../../shared/wire/events.ts';
import { readSignal } from './read-signal.ts';

const SIGNAL = {
  event_id: 'evt_01',
  seq: 7,
  event: 'signal.high_risk',
  timestamp: '2026-03-02T14:30:00.000Z',
  data: {
    event_id: 'evt_01',
    symbol: 'SPY',
    asset_class: 'etf',
    from_state: 1,
    to_state: 2,
    state_name: 'high_risk',
    regime: 'calm_uptrend',
    confidence: 36.4,
    note: 'Drawdown.',
    occurred_at: '2026-03-02T14:30:00.000Z',
    model_version: 'dd-p-1',
  },
};

/** Reads by the schema; null: no signal.*, or not as in the contract. */
function bySchema(value: unknown) {
  const strict = EventEnvelopeSchema.safeParse(value);
  if (!strict.success || !isSignalEvent(strict.data)) return null;
  const { event_id, seq, event, data } = strict.data;
  return {
    eventId: event_id,
    seq,
    event,
    occurredAt: Date.parse(data.occurred_at),
    symbol: data.symbol,
    transition: { ...data, event_id },
    attributes: null,
    body: 'as it came',
    assumptions: [],
  };
}
const agree = (value: unknown): void => expect(readSignal(value, 'as it came')).toEqual(bySchema(value));

/** Nearly valid values of the fields. */
const odd = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      'SPY',
      'spy',
      'BRK.B',
      '^VIX',
      'A'.repeat(16),
      'equity',
      'etf',
      'crypto',
      'normal',
      'elevated',
      'high_risk',
      'High Risk',
    ],
    ...[
      'signal.normal',
      'signal.elevated',
      'signal.created',
      'regime.flip',
      'x'.repeat(128),
      'x'.repeat(129),
      'ä'.repeat(128),
    ],
    ...[
      '2024-02-29T00:00:00.000Z',
      '2023-02-29T00:00:00.000Z',
      '2026-03-02T14:30:00Z',
      '2026-03-02T24:00:00.000Z',
      '2026-04-31T00:00:00.000Z',
    ],
    ...[
      '2026-03-02T14:30:00.000+00:00',
      '2026-03-02T23:59:59.999Z',
      '2026-03-02T23:59:60.000Z',
      ' 2026-03-02T14:30:00.000Z',
      '0000-01-01T00:00:00.000Z',
    ],
  ),
  fc.constantFrom(
    0,
    -0,
    1,
    2,
    3,
    -1,
    0.5,
    100,
    100.1,
    1e21,
    2 ** 53,
    2 ** 53 - 1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ),
  fc.constantFrom(null, undefined, true, '2', [], {}, [SIGNAL.data]),
  fc.string(),
  fc.double(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);
const fields = [
  ...Object.keys(SIGNAL).map((name) => [name]),
  ...Object.keys(SIGNAL.data).map((name) => ['data', name]),
];

describe('readSignal', () => {
  test('accepts the service’s events, with the original body', () => {
    expect(readSignal(SIGNAL, 'as it came')).toEqual(bySchema(SIGNAL));
    expect(readSignal(SIGNAL, 'as it came')).not.toBeNull();
    expect(readSignal(SIGNAL, undefined)?.body).toBe(JSON.stringify(SIGNAL));
  });

  test('the id of the envelope counts, and unknown fields are dropped', () => {
    const other = { ...SIGNAL, more: 1, data: { ...SIGNAL.data, event_id: 'evt_02', more: 2 } };
    expect(readSignal(other, '')?.transition).toEqual(SIGNAL.data);
    agree(other);
  });

  test.each(fields)('without %s %s: as the schema', (...path) => {
    const changed: { data?: Record<string, unknown> } & Record<string, unknown> = structuredClone(SIGNAL);
    delete (path.length === 2 ? changed.data : changed)?.[path.at(-1) ?? ''];
    agree(changed);
  });

  test('any field changed to anything: as the schema', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...fields), odd), { minLength: 1, maxLength: 3 }), (changes) => {
        const changed: { data?: Record<string, unknown> } & Record<string, unknown> = structuredClone(SIGNAL);
        for (const [[first = '', second], value] of changes) {
          if (second === undefined) changed[first] = value;
          else if (typeof changed.data === 'object' && changed.data !== null) changed.data[second] = value;
        }
        agree(changed);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([[null], [7], ['x'], [[]], [{}], [[SIGNAL]], [{ ...SIGNAL, data: [] }]])('%j is no signal', (value) => {
    expect(readSignal(value, '')).toBeNull();
    agree(value);
  });
});
