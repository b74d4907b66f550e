// Test: the machine of the event stream as a value: no clock, no service.
import { expect, test } from 'vitest';
import { problem } from '../../../client/problem.ts';
import { IDLE, next, type StreamEvent, type StreamState } from './machine.ts';

const LOST = problem('network', 'It broke off.');
/** The middle of every wait. */
const at = (now: number) => ({ now, random: () => 0.5 });
const step = (state: StreamState, event: StreamEvent, now = 0) => {
  const [after, effects] = next(state, event, at(now));
  return { after, kinds: effects.map(({ kind }) => kind), effects };
};
const after = (state: StreamState, ...events: StreamEvent[]): StreamState =>
  events.reduce((before, event) => step(before, event).after, state);

const OPEN = after(IDLE, { kind: 'connect' }, { kind: 'checked', fatal: null }, { kind: 'opened' });

test('connecting drops the previous connection, and opens only after the service was checked', () => {
  const connecting = step(IDLE, { kind: 'connect' });
  expect(connecting.kinds).toEqual(['close', 'enter', 'check']);
  expect(connecting.after.phase).toEqual({ name: 'connecting', attempt: 0 });
  expect(step(connecting.after, { kind: 'checked', fatal: null }).kinds).toEqual(['open']);
  expect(OPEN.phase).toEqual({ name: 'open', since: 0 });
});

test('an untrusted service stops the stream; waking does not restart it, the user does', () => {
  const stopped = step(after(IDLE, { kind: 'connect' }), { kind: 'checked', fatal: 'It is production.' });
  expect(stopped.kinds).toEqual(['close', 'enter']);
  expect(stopped.after.phase).toEqual({ name: 'stopped', message: 'It is production.' });
  expect(step(stopped.after, { kind: 'wake' }).kinds).toEqual([]);
  expect(step(stopped.after, { kind: 'retry' }).after.phase.name).toBe('connecting');
});

test('each failed attempt waits longer, and the wait is scheduled before its phase is announced', () => {
  let state = after(IDLE, { kind: 'connect' });
  const waits: number[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { after: waiting, effects, kinds } = step(state, { kind: 'ended', cause: LOST }, 1_000);
    expect(kinds).toEqual(['close', 'wait', 'enter']);
    const [, wait] = effects;
    if (wait?.kind !== 'wait') throw new Error('no wait');
    expect(waiting.phase).toEqual({ name: 'waiting', attempt: attempt + 1, at: 1_000 + wait.ms, cause: LOST });
    waits.push(wait.ms);
    state = after(waiting, { kind: 'connect' });
  }
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(new Set(waits).size).toBe(3);
});

test('a stream that lasted ten seconds resets the attempts; a shorter one does not', () => {
  const tired: StreamState = { ...OPEN, attempt: 4 };
  expect(step(tired, { kind: 'ended', cause: LOST }, 10_000).after.attempt).toBe(1);
  expect(step(tired, { kind: 'ended', cause: LOST }, 9_999).after.attempt).toBe(5);
});

test('the service may request a longer wait, but not an outage', () => {
  const asked = after(OPEN, { kind: 'delayRequested', ms: 3_600_000 });
  const { effects } = step(asked, { kind: 'ended', cause: LOST });
  expect(effects[1]).toEqual({ kind: 'wait', ms: 60_500 });
});

test('a refused key stops the stream and says what to do', () => {
  const { after: stopped, kinds } = step(OPEN, { kind: 'ended', cause: problem('unauthorized', 'Unknown key.', 401) });
  expect(kinds).toEqual(['close', 'enter']);
  expect(stopped.phase).toMatchObject({ name: 'stopped', message: expect.stringContaining('Check the key') });
});

test('silence beyond a learnt heartbeat is a stall: reconnects at once', () => {
  const { after: waiting, kinds } = step({ ...OPEN, attempt: 3 }, { kind: 'silent', ms: 25_400, isLearnt: true }, 7);
  expect(kinds).toEqual(['stalled', 'close', 'enter', 'connect']);
  expect(waiting).toMatchObject({ attempt: 0, phase: { name: 'waiting', at: 7, cause: { kind: 'timeout' } } });
});

test('silence without a learnt heartbeat is probed once before it counts', () => {
  const probing = step(OPEN, { kind: 'silent', ms: 300_000, isLearnt: false });
  expect(probing.effects).toEqual([{ kind: 'probe', ms: 300_000 }]);
  expect(step(probing.after, { kind: 'silent', ms: 301_000, isLearnt: false }).kinds).toEqual([]);
  const alive = step(probing.after, { kind: 'probed', isAlive: true, ms: 300_000 });
  expect([alive.kinds, alive.after.isProbing]).toEqual([['keepAlive'], false]);
  expect(step(probing.after, { kind: 'probed', isAlive: false, ms: 300_000 }).kinds).toContain('stalled');
});

test('a stop drops everything and announces nothing', () => {
  const { after: idle, kinds } = step(OPEN, { kind: 'stop' });
  expect([idle.phase, kinds]).toEqual([{ name: 'idle' }, ['close']]);
});
