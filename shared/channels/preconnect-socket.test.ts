// Test: a preconnected socket sends each frame once and replays what arrived early.

import { expect, it } from 'vitest';
import { createManualClock, settle } from '../../test/harness/manual-clock.ts';
import { createPreconnectSocket } from './preconnect-socket.ts';
import { OPEN, type SocketLike } from './socket-like.ts';
import { createSocketWindowLink } from './socket-link.ts';

const SESSION = 'a-session-of-twenty-letters';
const HELLO = { session: SESSION };
const FIRST = { id: 1, name: 'state.snapshot', payload: {} };
const CONNECTING = 0;

/** A socket whose other end is the test. */
function createSocket(readyState: number) {
  const listeners = new Map<string, Set<(event: never) => void>>();
  const emit = (type: string, event: object): void => {
    for (const listener of listeners.get(type) ?? []) listener(event as never);
  };
  const state = { readyState, sent: [] as unknown[], closed: 0 };
  const socket: SocketLike = {
    get readyState() {
      return state.readyState;
    },
    send: (text) => void state.sent.push(JSON.parse(text)),
    close() {
      state.closed += 1;
    },
    addEventListener: (type: string, listener: (event: never) => void) =>
      void listeners.set(type, (listeners.get(type) ?? new Set()).add(listener)),
  };
  return {
    socket,
    state,
    accept() {
      state.readyState = OPEN;
      emit('open', {});
    },
    receive: (frame: object) => emit('message', { data: JSON.stringify(frame) }),
  };
}

const take = (preconnected: SocketLike) =>
  createSocketWindowLink({
    open: () => preconnected,
    session: () => SESSION,
    clock: createManualClock(),
    random: () => 0,
    onRefused: () => expect.unreachable('refused'),
    onBad: (problem) => expect.unreachable(problem),
  });

it('sends the session and the first call before a link takes it, each once', async () => {
  const { socket, state, accept, receive } = createSocket(CONNECTING);
  const preconnected = createPreconnectSocket(socket);
  preconnected.begin(SESSION);
  expect(state.sent).toEqual([]);
  accept();
  expect(state.sent).toEqual([HELLO, FIRST]);
  const link = take(preconnected);
  receive({ ready: true });
  await settle();
  const call = link.call('state.snapshot', {});
  receive({ id: 1, answer: { ok: true, value: 'snapshot' } });
  expect(await call).toEqual({ ok: true, value: 'snapshot' });
  void link.call('selfTest.read', {});
  expect(state.sent).toEqual([HELLO, FIRST, { id: 2, name: 'selfTest.read', payload: {} }]);
});

it('may be taken before it is open', async () => {
  const { socket, state, accept, receive } = createSocket(CONNECTING);
  const preconnected = createPreconnectSocket(socket);
  preconnected.begin(SESSION);
  const link = take(preconnected);
  await settle();
  accept();
  receive({ ready: true });
  const call = link.call('state.snapshot', {});
  receive({ id: 1, answer: { ok: true, value: 'snapshot' } });
  expect(await call).toEqual({ ok: true, value: 'snapshot' });
  expect(state.sent).toEqual([HELLO, FIRST]);
});

it('replays earlier frames in order once the link listens', async () => {
  const { socket, receive } = createSocket(OPEN);
  const preconnected = createPreconnectSocket(socket);
  preconnected.begin(SESSION);
  receive({ ready: true });
  receive({ name: 'state.changed', payload: 1 });
  receive({ id: 1, answer: { ok: true, value: 'snapshot' } });
  const link = take(preconnected);
  const received: unknown[] = [];
  link.subscribe('state.changed', (payload) => received.push(payload));
  link.watch((up) => {
    if (up) void link.call('state.snapshot', {}).then((answer) => received.push(answer));
  });
  receive({ name: 'state.changed', payload: 2 });
  await settle();
  receive({ name: 'state.changed', payload: 3 });
  expect(received).toEqual([1, 2, { ok: true, value: 'snapshot' }, 3]);
});

it('closes when the first call is another one: its answer would be taken for that call', async () => {
  const { socket, state, receive } = createSocket(OPEN);
  const preconnected = createPreconnectSocket(socket);
  preconnected.begin(SESSION);
  const link = take(preconnected);
  receive({ ready: true });
  await settle();
  void link.call('selfTest.read', {});
  expect([state.sent, state.closed]).toEqual([[HELLO, FIRST], 1]);
});
