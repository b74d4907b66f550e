// Test: a window sends no session and no call to a program that took the port of its core.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import type { Hashes } from '../lib/web-hashes.ts';
import type { Message } from '../text/message.ts';
import { coreProofText, type Handshake, windowProofText } from './link-proof.ts';
import type { SocketLike } from './socket-like.ts';
import { createSocketWindowLink } from './socket-link.ts';

const SESSION = 'planted-session-planted-session-planted-001';
const HOST = '127.0.0.1:4780';
const hashes: Hashes = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  hmac: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
};
const newNonce = (): string => randomBytes(32).toString('hex');
const signed = (text: string, session = SESSION): string =>
  createHmac('sha256', createHash('sha256').update(session).digest('hex')).update(text).digest('hex');
/** The frame of a core that knows the session. */
const challengeOf = (handshake: Handshake, session = SESSION): string =>
  JSON.stringify({ challenge: handshake.challenge, proof: signed(coreProofText(handshake), session) });

/** A window whose sockets the test answers. */
function rig() {
  const sockets: { readonly sent: string[]; isClosed: boolean; emit(type: string, event?: unknown): void }[] = [];
  const refused: Message['code'][] = [];
  const clock = createManualClock();
  const window = createSocketWindowLink({
    open: (): SocketLike => {
      const listeners = new Map<string, ((event: never) => void)[]>();
      const socket = {
        sent: [] as string[],
        isClosed: false,
        emit(type: string, event: unknown = {}) {
          for (const listener of listeners.get(type) ?? []) listener(event as never);
        },
      };
      sockets.push(socket);
      return {
        send: (text) => void socket.sent.push(text),
        close: () => {
          socket.isClosed = true;
        },
        addEventListener: (type: string, listener: (event: never) => void) =>
          void listeners.set(type, [...(listeners.get(type) ?? []), listener]),
      };
    },
    handshake: { session: SESSION, host: HOST, hashes, nonce: newNonce },
    clock,
    random: () => 0,
    onRefused: (why) => refused.push(why.code),
    onBad: () => undefined,
  });
  let isUp = false;
  window.watch((up) => {
    isUp = up;
  });
  /** Opens the last socket. @returns its handshake so far */
  const greet = async (): Promise<Handshake> => {
    const socket = sockets.at(-1);
    socket?.emit('open');
    await clock.advance(0);
    const { nonce } = JSON.parse(socket?.sent[0] ?? '{}');
    return { host: HOST, nonce, challenge: newNonce() };
  };
  const say = async (...frames: string[]): Promise<void> => {
    for (const data of frames) sockets.at(-1)?.emit('message', { data });
    await clock.advance(0);
  };
  return { window, clock, sockets, refused, isUp: () => isUp, greet, say };
}

test('a core that proves that it knows the session gets a proof of the same, and never the session', async () => {
  const { window, sockets, isUp, greet, say } = rig();
  const handshake = await greet();
  await say(challengeOf(handshake));
  expect(JSON.parse(sockets[0]?.sent[1] ?? '')).toEqual({ proof: signed(windowProofText(handshake)) });
  expect(isUp()).toBe(false);
  await say('{"ready":true}');
  expect(isUp()).toBe(true);
  void window.call('key.set', { key: 'typed' });
  expect(sockets[0]?.sent.at(-1)).toContain('typed');
  expect(sockets[0]?.sent.join()).not.toContain('planted');
});

test.each<[string, (handshake: Handshake) => string[]]>([
  ['says that it is ready', () => ['{"ready":true}']],
  ['answers with a challenge and no proof', ({ challenge }) => [JSON.stringify({ challenge })]],
  ['proves that it knows another session', (handshake) => [challengeOf(handshake, 'x'.repeat(43)), '{"ready":true}']],
  ['repeats the proof of an earlier connection', (handshake) => [challengeOf({ ...handshake, nonce: newNonce() })]],
  ['has the proof of another address', (handshake) => [challengeOf({ ...handshake, host: '127.0.0.1:1' })]],
  [
    'returns the window’s own kind of proof',
    (handshake) => [
      JSON.stringify({ challenge: handshake.challenge, proof: signed(windowProofText(handshake)) }),
      '{"ready":true}',
    ],
  ],
  ['is ready before the proof was looked at', (handshake) => [challengeOf(handshake), '{"ready":true}']],
  ['is no core at all', () => ['hello', '{"name":"state.changed","payload":{}}']],
])('a program that %s gets nothing, and the link ends for good', async (_, answer) => {
  const { window, clock, sockets, refused, isUp, greet, say } = rig();
  await say(...answer(await greet()));
  expect([isUp(), refused, sockets[0]?.isClosed]).toEqual([false, ['link.replaced'], true]);
  expect(await window.call('key.set', { key: 'typed' })).toMatchObject({
    ok: false,
    error: { code: 'disconnected', message: { code: 'link.replaced' } },
  });
  await clock.advance(600_000);
  expect(sockets).toHaveLength(1);
  expect(sockets[0]?.sent.join()).not.toMatch(/planted|typed/);
});
