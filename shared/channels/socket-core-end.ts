// Pure: the core's end of one loopback connection; it answers only after a valid session.
import type { Cancel, Clock } from '../lib/clock.ts';
import { isSameText } from '../wire/proof.ts';
import type { LinkedCore } from './link.ts';
import { coreProofText, windowProofText } from './link-proof.ts';
import { createPendingPushes } from './pending-pushes.ts';
import {
  CallFrameSchema,
  CLOSED,
  GotFrameSchema,
  HelloFrameSchema,
  ProofFrameSchema,
  parseFrame,
} from './socket-frames.ts';
import type { SocketLike } from './socket-like.ts';

/** A session that a window named, but has not proved yet. */
export interface NamedSession {
  /** HMAC under the hash of the session, in hexadecimal. */
  sign(text: string): string;
  /** The core of the session, after the proof; null: it has ended. */
  admit(): LinkedCore | null;
}

export interface SocketCoreOptions {
  readonly socket: SocketLike;
  /** Host and port of the core's address. */
  readonly host: string;
  /** A new nonce. */
  readonly nonce: () => string;
  /** The session with this id, or null where it is unknown. */
  readonly find: (id: string) => NamedSession | null;
  readonly clock: Clock;
  /**
   * Bytes that wait to be sent. A window that reads too slowly is disconnected; it takes a new snapshot when
   * it reconnects.
   */
  readonly backlog: () => number;
}

/** Both frames of the handshake must arrive within this time, ms. */
const HELLO_LIMIT = 5_000;
/** A window with this many bytes waiting no longer reads. */
const MAX_BACKLOG = 16 * 1024 * 1024;

/** Serves the connection until it closes. */
export function serveSocket(options: SocketCoreOptions): void {
  const { socket } = options;
  let core: LinkedCore | null = null;
  let detach: Cancel = () => undefined;
  let open = true;

  const cancelLimit = options.clock.after(HELLO_LIMIT, () => close(CLOSED.tooLate, 'no session was given in time'));
  const close = (code: number, reason: string): void => {
    forget();
    socket.close(code, reason);
  };
  const forget = (): void => {
    open = false;
    cancelLimit();
    detach();
    detach = () => undefined;
  };
  const send = (frame: unknown): void => {
    if (!open) return;
    if (options.backlog() > MAX_BACKLOG) close(CLOSED.tooLate, 'this window does not read what it is told');
    else socket.send(JSON.stringify(frame));
  };

  const held = createPendingPushes((name, payload) => send({ name, payload }));

  const refuse = (): void => close(CLOSED.sessionRefused, 'this session is not known');
  let expected: { readonly proof: string; readonly admit: NamedSession['admit'] } | null = null;
  const greet = (data: unknown): void => {
    const hello = HelloFrameSchema.safeParse(parseFrame(data));
    const named = hello.success ? options.find(hello.data.session) : null;
    if (!hello.success || named === null) {
      refuse();
      return;
    }
    const handshake = { host: options.host, nonce: hello.data.nonce, challenge: options.nonce() };
    expected = { proof: named.sign(windowProofText(handshake)), admit: named.admit };
    send({ challenge: handshake.challenge, proof: named.sign(coreProofText(handshake)) });
  };
  const admit = (data: unknown): void => {
    const given = ProofFrameSchema.safeParse(parseFrame(data));
    const isProven = given.success && expected !== null && isSameText(given.data.proof, expected.proof);
    const admitted = isProven && expected !== null ? expected.admit() : null;
    if (admitted === null) {
      refuse();
      return;
    }
    cancelLimit();
    core = admitted;
    send({ ready: true });
    detach = admitted.attach({
      push: held.push,
      end: (why) =>
        why === 'over'
          ? close(CLOSED.profileOver, 'this profile is not watched any more')
          : close(CLOSED.restarted, 'this profile has begun again'),
    });
  };

  const answer = (from: LinkedCore, data: unknown): void => {
    const frame = parseFrame(data);
    const got = GotFrameSchema.safeParse(frame);
    if (got.success) {
      held.got(got.data.got);
      return;
    }
    const call = CallFrameSchema.safeParse(frame);
    if (!call.success) {
      close(CLOSED.badFrame, 'a frame is neither {id, name, payload} nor {got}');
      return;
    }
    const { id, name, payload } = call.data;
    void from.dispatch(name, payload).then((outcome) => send({ id, answer: outcome }));
  };

  socket.addEventListener('error', () => undefined);
  socket.addEventListener('close', forget);
  socket.addEventListener('message', (event) => {
    if (!open) return;
    if (core !== null) answer(core, event.data);
    else if (expected !== null) admit(event.data);
    else greet(event.data);
  });
}
