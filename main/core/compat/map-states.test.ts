// Test: records by a profile's state map.
import { expect, test } from 'vitest';
import { mapStates } from './map-states.ts';
import { parseEvent } from './parse-event.ts';
import { readEvent } from './read-event.ts';

const MAP = { 1: 'high_risk', green: 'normal' } as const;

test('every field of a state, in the record and in its data; others stay', () => {
  const record = {
    state: 1,
    state_name: 'Green',
    to_state: '1',
    from_state: 2,
    worst_state: 1,
    note: '1',
    data: { state: 1 },
  };
  expect(mapStates(record, MAP)).toEqual({
    ...record,
    state: 2,
    state_name: 'normal',
    to_state: 2,
    worst_state: 2,
    data: { state: 2 },
  });
  expect(mapStates(record, undefined)).toBe(record);
  for (const odd of [null, 1, 'green', [1]]) expect(mapStates(odd, MAP)).toBe(odd);
});

test('an event keeps the original text; its name precedes the number', () => {
  const event = {
    event_id: 'x',
    event: 'signal.created',
    timestamp: '2026-01-01T00:00:00Z',
    data: { symbol: 'SPY', state: 1 },
  };
  const read = readEvent(event, { receivedAt: 0, states: MAP });
  expect(read).toMatchObject({ ok: true, value: { transition: { to_state: 2 }, body: JSON.stringify(event) } });
  expect(parseEvent(event, { receivedAt: 0, states: MAP })).toEqual(read.ok ? read.value : null);
  const named = { ...event, event: 'signal.elevated' };
  expect(parseEvent(named, { receivedAt: 0, states: MAP })?.transition?.to_state).toBe(1);
});
