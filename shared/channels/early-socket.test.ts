import { expect, it } from 'vitest';
import { createManualClock, settle } from '../../test/harness/manual-clock.ts';
import { createEarlySocket } from './early-socket.ts';
import { OPEN, type SocketLike } from './socket-like.ts';
import { createSocketWindowLink } from './socket-link.ts';

const SESSION = 'a-session-of-twenty-letters';
const HELLO = { session: SESSION };
const FIRST = { id: 1, name: 'state.snapshot', payload: {} };
const CONNECTING = 0;

/** A socket whose other end is the test. */
function createSocket(readyState: number) {
  const listeners = new Map<string, Set<(event: never) => void>>();
  const tell = (type: string, event: object): void => {
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
      tell('open', {});
    },
    hear: (frame: object) => tell('message', { data: JSON.stringify(frame) }),
  };
}

const take = (early: SocketLike) =>
  createSocketWindowLink({
    open: () => early,
    session: () => SESSION,
    clock: createManualClock(),
    random: () => 0,
    onRefused: () => expect.unreachable('refused'),
    onBad: (problem) => expect.unreachable(problem),
  });

it('says the session and the first question before anybody takes it, and each of them once', async () => {
  const { socket, state, accept, hear } = createSocket(CONNECTING);
  const early = createEarlySocket(socket);
  early.begin(SESSION);
  expect(state.sent).toEqual([]);
  accept();
  expect(state.sent).toEqual([HELLO, FIRST]);
  const link = take(early);
  hear({ ready: true });
  await settle();
  const asked = link.call('state.snapshot', {});
  hear({ id: 1, answer: { ok: true, value: 'snapshot' } });
  expect(await asked).toEqual({ ok: true, value: 'snapshot' });
  void link.call('drill.read', {});
  expect(state.sent).toEqual([HELLO, FIRST, { id: 2, name: 'drill.read', payload: {} }]);
});

it('is taken before it is open as well', async () => {
  const { socket, state, accept, hear } = createSocket(CONNECTING);
  const early = createEarlySocket(socket);
  early.begin(SESSION);
  const link = take(early);
  await settle();
  accept();
  hear({ ready: true });
  const asked = link.call('state.snapshot', {});
  hear({ id: 1, answer: { ok: true, value: 'snapshot' } });
  expect(await asked).toEqual({ ok: true, value: 'snapshot' });
  expect(state.sent).toEqual([HELLO, FIRST]);
});

it('lets whoever takes it hear what came before, in order, once there is somebody who hears', async () => {
  const { socket, hear } = createSocket(OPEN);
  const early = createEarlySocket(socket);
  early.begin(SESSION);
  hear({ ready: true });
  hear({ name: 'state.changed', payload: 1 });
  hear({ id: 1, answer: { ok: true, value: 'snapshot' } });
  const link = take(early);
  const heard: unknown[] = [];
  link.subscribe('state.changed', (payload) => heard.push(payload));
  link.watch((up) => {
    if (up) void link.call('state.snapshot', {}).then((answer) => heard.push(answer));
  });
  hear({ name: 'state.changed', payload: 2 });
  await settle();
  hear({ name: 'state.changed', payload: 3 });
  expect(heard).toEqual([1, 2, { ok: true, value: 'snapshot' }, 3]);
});

it('is closed when another question is the first: its answer would be taken for that of the other', async () => {
  const { socket, state, hear } = createSocket(OPEN);
  const early = createEarlySocket(socket);
  early.begin(SESSION);
  const link = take(early);
  hear({ ready: true });
  await settle();
  void link.call('drill.read', {});
  expect([state.sent, state.closed]).toEqual([[HELLO, FIRST], 1]);
});
