// Test: the machine of the event stream as a value: no clock, no service.
import { expect, test } from 'vitest';
import { problem, WITHOUT_KEY } from '../../../client/problem.ts';
import { message, plainMessage } from '../../../shared/text/message.ts';
import { problemMessage } from '../compat/refusals.ts';
import { IDLE, next, type StreamEvent, type StreamState } from './machine.ts';

const PRODUCTION = plainMessage('It is production.');
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

test.each(['connect', 'wake', 'retry'] as const)('an untrusted service is refused, and checked again on %s', (kind) => {
  const refused = step(after(IDLE, { kind: 'connect' }), { kind: 'checked', fatal: PRODUCTION }, 1_000);
  expect(refused.kinds).toEqual(['close', 'wait', 'enter']);
  expect(refused.after.phase).toEqual({ name: 'refused', message: PRODUCTION, attempt: 1, at: 7_250, what: 'service' });
  // It stays refused, so that nothing else asks the service, until the attempt has a result.
  const checking = step(refused.after, { kind });
  expect(checking.kinds).toEqual(['close', 'check']);
  expect(checking.after.phase.name).toBe('refused');
  expect(step(checking.after, { kind: 'checked', fatal: null }).kinds).toEqual(['open']);
  expect(after(checking.after, { kind: 'checked', fatal: null }, { kind: 'opened' }).phase.name).toBe('open');
});

test('each failed attempt waits longer, and the wait is scheduled before its phase is announced', () => {
  let state = after(IDLE, { kind: 'connect' });
  const waits: number[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { after: waiting, effects, kinds } = step(state, { kind: 'ended', cause: LOST }, 1_000);
    expect(kinds).toEqual(['close', 'wait', 'enter']);
    const [, wait] = effects;
    if (wait?.kind !== 'wait') throw new Error('no wait');
    expect(waiting.phase).toEqual({
      name: 'waiting',
      attempt: attempt + 1,
      at: 1_000 + wait.ms,
      cause: problemMessage(LOST),
    });
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

const REFUSALS = [
  [problem('unauthorized', 'No.', 401), message('connection.bad_key', { why: plainMessage('No.') })],
  [{ ...problem('unauthorized', 'No.', 401), code: WITHOUT_KEY }, message('connection.without_key')],
  [problem('forbidden', 'No.', 402), message('connection.unpaid', { why: plainMessage('No.') })],
  [problem('forbidden', 'No.', 403), message('connection.forbidden', { why: plainMessage('No.') })],
  [{ ...problem('forbidden', 'No.', 204), code: 'no_stream' }, message('connection.no_stream')],
] as const;

test.each(REFUSALS)('$status is refused with its reason, and retried with growing delays without end', (cause, why) => {
  let state: StreamState = OPEN;
  const waits: number[] = [];
  for (let turn = 0; turn < 100; turn += 1) {
    const refused = step(state, { kind: 'ended', cause });
    expect(refused.kinds).toEqual(['close', 'wait', 'enter']);
    expect(refused.after.phase).toMatchObject({ name: 'refused', message: why, attempt: turn + 1 });
    const [, wait] = refused.effects;
    waits.push(wait?.kind === 'wait' ? wait.ms : Number.NaN);
    state = after(refused.after, { kind: turn % 2 === 0 ? 'connect' : 'wake' }, { kind: 'checked', fatal: null });
  }
  expect(waits[0]).toBe(6_250);
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(waits.at(-1)).toBe(375_000);
  if (cause.kind === 'unauthorized') expect(waits.slice(1, 4)).toEqual([25_000, 100_000, 375_000]);
});

test('without a refused key a wait is at most 7.5 s and an eighth of the time since the first refusal, whatever the jitter', () => {
  for (const random of [0, 0.5, 0.999]) {
    let state: StreamState = OPEN;
    for (let now = 0; now < 3_600_000; ) {
      const refusal: StreamEvent = { kind: 'ended', cause: problem('forbidden', 'No.', 403) };
      [state] = next(state, refusal, { now, random: () => random });
      const due = state.phase.name === 'refused' ? state.phase.at : Number.NaN;
      expect(due - now).toBeLessThanOrEqual(7_500 + now / 8);
      if (now < 15 * 60_000) expect(due - now).toBeLessThan(120_000);
      now = due;
    }
  }
});

test('a refused key: at most five attempts in the first ten minutes, and two in any later ten, whatever the jitter', () => {
  for (const random of [0, 0.5, 0.999]) {
    let state: StreamState = OPEN;
    const times = [0];
    while ((times.at(-1) ?? 0) < 7_200_000) {
      const now = times.at(-1) ?? 0;
      [state] = next(
        state,
        { kind: 'ended', cause: problem('unauthorized', 'No.', 401) },
        { now, random: () => random },
      );
      times.push(state.phase.name === 'refused' ? state.phase.at : Number.NaN);
    }
    const within = (from: number) => times.filter((time) => time >= from && time < from + 600_000).length;
    expect(within(0)).toBeLessThanOrEqual(5);
    expect(Math.max(...times.slice(4).map(within))).toBeLessThanOrEqual(2);
  }
});

test('Retry-After of a refusal is the least wait, up to the longest wait; a new key begins with the first wait', () => {
  const refusedFor = (retryAfter: number) =>
    after(OPEN, { kind: 'ended', cause: { ...problem('unauthorized', 'No.', 401), retryAfter } });
  expect(refusedFor(120_000).phase).toMatchObject({ at: 121_250 });
  // A refusal of seconds must not end the connection for half an hour.
  const refused = refusedFor(1_800_000);
  expect(refused.phase).toMatchObject({ at: 301_250 });
  const later = after({ ...refused, refusals: 9 }, { kind: 'retry' });
  expect(step(later, { kind: 'ended', cause: problem('unauthorized', 'No.', 401) }).effects[1]).toEqual({
    kind: 'wait',
    ms: 6_250,
  });
});

test.each(['unauthorized', 'forbidden', 'redirected', 'not_sent'] as const)(
  '%s with the longest Retry-After at each attempt: never eight minutes until the next',
  (kind) => {
    for (const random of [0, 0.999]) {
      let state: StreamState = OPEN;
      let now = 0;
      for (let attempt = 0; attempt < 200; attempt += 1) {
        const cause = { ...problem(kind, 'No.'), retryAfter: 3_600_000 };
        [state] = next(state, { kind: 'ended', cause }, { now, random: () => random });
        const due = state.phase.name === 'refused' ? state.phase.at : Number.NaN;
        expect(due - now).toBeLessThan(8 * 60_000);
        now = due;
      }
    }
  },
);

test('a refused stream whose service then fails in another way is retried as after any failure', () => {
  const refused = after(OPEN, { kind: 'ended', cause: problem('unauthorized', 'No.', 401) }, { kind: 'connect' });
  expect(step(refused, { kind: 'ended', cause: LOST }).after.phase).toMatchObject({ name: 'waiting', attempt: 1 });
});

test('wakes in a row reconnect at once, and then every five seconds; a refused stream every thirty', () => {
  const refusal: StreamEvent = { kind: 'ended', cause: problem('unauthorized', 'No.', 401) };
  for (const [from, pause] of [
    [OPEN, 5_000],
    [after(OPEN, refusal, refusal, refusal), 30_000],
  ] as const) {
    let state: StreamState = from;
    let attempts = 0;
    let due = Number.POSITIVE_INFINITY;
    for (let now = 0; now < 60_000; now += 250) {
      const woken = next(state, { kind: 'wake' }, { now, random: () => 0.5 });
      const wait = woken[1].find(({ kind }) => kind === 'wait');
      if (wait?.kind === 'wait') due = now + wait.ms;
      [state] = woken;
      const isDue = now + 250 >= due;
      if (woken[1].some(({ kind }) => kind === 'check') || isDue) attempts += 1;
      if (isDue) {
        [state] = next(state, { kind: 'connect' }, { now: due, random: () => 0.5 });
        due = Number.POSITIVE_INFINITY;
      }
    }
    expect(attempts).toBeLessThanOrEqual(60_000 / pause + 1);
    expect(attempts).toBeGreaterThan(1);
  }
});

test('silence beyond a learnt heartbeat is a stall: reconnects at once', () => {
  const { after: waiting, kinds } = step({ ...OPEN, attempt: 3 }, { kind: 'silent', ms: 25_400, isLearnt: true }, 7);
  expect(kinds).toEqual(['stalled', 'close', 'enter', 'connect']);
  expect(waiting).toMatchObject({
    attempt: 0,
    phase: { name: 'waiting', at: 7, cause: message('connection.silent', { seconds: 25 }) },
  });
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
