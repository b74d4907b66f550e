// Test: values derived from the state of the connection: the window's view, the outage, mayAsk.
import { expect, test } from 'vitest';
import { message, plainMessage } from '../../../shared/text/message.ts';
import { type ConnectionState, connectionView, initialState, mayAsk, outageOf, withIndicator } from './state.ts';

const heartbeat = (seconds: number) => message('health.heartbeat', { seconds });
const CLOCK = { offset: 0, speed: 1 };
const BEGUN = Date.parse('2026-03-02T14:30:00.000Z');
const START = initialState(BEGUN);
const LOST = plainMessage('It broke off.');
const STOP = plainMessage('Check the key.');
const OUTAGE = { since: '2026-03-02T14:31:00.000Z', cause: LOST };

test('an indicator keeps the instant at which it entered its state; an equal one changes nothing', () => {
  const open = withIndicator(START.indicators, 'bytes', { state: 'ok', detail: heartbeat(10) }, BEGUN + 1_000);
  expect(open.bytes).toEqual({ state: 'ok', detail: heartbeat(10), since: '2026-03-02T14:30:01.000Z' });
  expect(withIndicator(open, 'bytes', { state: 'ok', detail: heartbeat(10) }, BEGUN + 2_000)).toBe(open);
  const other = withIndicator(open, 'bytes', { state: 'ok', detail: heartbeat(12) }, BEGUN + 3_000);
  expect(other.bytes.since).toBe('2026-03-02T14:30:01.000Z');
});

test('during an outage the freshness of the signals is unknown', () => {
  const fresh = withIndicator(
    START.indicators,
    'fresh',
    { state: 'ok', detail: message('health.current', { current: 4, total: 4 }) },
    BEGUN,
  );
  expect(connectionView({ ...START, indicators: fresh }, CLOCK).indicators.fresh.state).toBe('ok');
  expect(connectionView({ ...START, indicators: fresh, outage: OUTAGE }, CLOCK).indicators.fresh).toEqual({
    state: 'down',
    since: OUTAGE.since,
    detail: message('health.no_data'),
  });
});

test('a wait shows its next attempt, a refusal its message too', () => {
  const waiting: ConnectionState = {
    ...START,
    phase: { name: 'waiting', attempt: 2, at: BEGUN, cause: LOST },
  };
  expect(connectionView(waiting, CLOCK)).toMatchObject({
    retry: { attempt: 2, at: '2026-03-02T14:30:00.000Z' },
    refused: null,
  });
  const stopped: ConnectionState = {
    ...START,
    phase: { name: 'refused', message: STOP, attempt: 1, at: 0, what: 'key' },
  };
  expect(connectionView(stopped, CLOCK)).toMatchObject({ retry: { attempt: 1 }, refused: STOP });
});

test('a service may be asked when it gave its identity since the last loss and the stream is not stopped', () => {
  expect(mayAsk(START)).toBe(false);
  expect(mayAsk({ ...START, isTrusted: true })).toBe(false);
  const identified = { ...START, isTrusted: true, isIdentified: true };
  expect(mayAsk(identified)).toBe(true);
  expect(mayAsk({ ...identified, phase: { name: 'refused', message: STOP, attempt: 1, at: 0, what: 'key' } })).toBe(
    false,
  );
});

test('stale signals are an outage after the log was read to its end, and only where there are signals', () => {
  expect(outageOf({ ...START, outage: OUTAGE }, false)).toBe(OUTAGE);
  expect(outageOf(START, true)).toBeNull();
  expect(outageOf({ ...START, hasCaughtUp: true }, false)).toBeNull();
  expect(outageOf({ ...START, hasCaughtUp: true }, true)?.since).toBe('2026-03-02T14:30:00.000Z');
});
