// Pure: the window's end of the loopback link, over an injected WebSocket.
// Both ends first prove that they know the session; numbered calls follow. After a cut, pending calls answer
// `disconnected` and the link backs off. A core without a proof gets no call, and the link ends for good.
import { backoffDelay } from '../lib/backoff.ts';
import type { Cancel, Clock } from '../lib/clock.ts';
import type { Hashes } from '../lib/web-hashes.ts';
import { type Message, message } from '../text/message.ts';
import { isSameText } from '../wire/proof.ts';
import { CALL_LIMIT } from './channel.ts';
import type { WindowLink } from './link.ts';
import { createLinkStatus, createPushListeners } from './link-listeners.ts';
import { coreProofText, SESSION_ID_TEXT, windowProofText } from './link-proof.ts';
import { createPendingCalls, disconnected } from './pending-calls.ts';
import { ChallengeFrameSchema, CLOSED, CoreFrameSchema, parseFrame } from './socket-frames.ts';
import type { SocketLike } from './socket-like.ts';

/** The values that both ends prove to each other. */
export interface HandshakeOptions {
  /** The page's session. It is never sent. */
  readonly session: string;
  /** Host and port of the core's address. */
  readonly host: string;
  readonly hashes: Hashes;
  /** A new nonce. */
  readonly nonce: () => string;
}

export interface SocketWindowOptions {
  /** Opens a new socket to the core. */
  readonly open: () => SocketLike;
  readonly handshake: HandshakeOptions;
  readonly clock: Clock;
  /** Uniform in [0, 1): spreads the attempts of many windows. */
  readonly random: () => number;
  /** The session is no longer valid. No attempt follows. */
  readonly onRefused: (why: Message) => void;
  /** An invalid frame; it is dropped. */
  readonly onBad: (problem: string) => void;
}

export interface SocketWindowLink extends WindowLink {
  /** Ends the link for good. */
  close(): void;
}

/** A connection attempt is abandoned after this long, ms. */
const OPEN_LIMIT = 10_000;
const RETRY = { base: 250, cap: 5_000 };

const GONE = message('link.gone');

export function createSocketWindowLink(options: SocketWindowOptions): SocketWindowLink {
  const { clock } = options;
  const pushes = createPushListeners();
  const status = createLinkStatus(false);
  const calls = createPendingCalls(clock, disconnected(GONE));
  let socket: SocketLike | null = null;
  let attempt = 0;
  /** Why there are no further attempts. */
  let ended: Message | null = null;
  let cancelTimer: Cancel = () => undefined;

  const drop = (why: Message): void => {
    cancelTimer();
    socket = null;
    calls.drop(why);
    status.set(false);
  };
  const end = (why: Message): void => {
    ended = why;
    drop(why);
  };
  const refuse = (why: Message): void => {
    end(why);
    options.onRefused(why);
  };
  const lose = (from: SocketLike): void => {
    if (from !== socket) return;
    drop(GONE);
    // Never zero: a core that accepts and closes at once must not cause a tight loop.
    cancelTimer = clock.after(backoffDelay(attempt++, RETRY, options.random, 50), connect);
  };
  /** Returns whether the frame was a push. */
  const receive = (data: unknown): boolean => {
    const frame = CoreFrameSchema.safeParse(parseFrame(data));
    if (!frame.success) {
      options.onBad('a frame from the core is not readable');
    } else if ('ready' in frame.data) {
      cancelTimer();
      attempt = 0;
      status.set(true);
    } else if ('id' in frame.data) {
      calls.settle(frame.data.id, frame.data.answer);
    } else {
      pushes.deliver(frame.data.name, frame.data.payload);
      return true;
    }
    return false;
  };
  const connect = (): void => {
    const opened = options.open();
    socket = opened;
    cancelTimer = clock.after(OPEN_LIMIT, () => {
      opened.close();
      lose(opened);
    });
    readFrames(opened, createHandshake(options.handshake), {
      isCurrent: () => opened === socket,
      receive,
      replaced() {
        refuse(message('link.replaced'));
        opened.close();
      },
    });
    // An error is always followed by close; without this listener it would be thrown.
    opened.addEventListener('error', () => undefined);
    opened.addEventListener('close', (event) => {
      if (event.code === CLOSED.sessionRefused && opened === socket) refuse(message('link.session_ended'));
      else if (event.code === CLOSED.profileOver && opened === socket) refuse(message('link.profile_over'));
      else lose(opened);
    });
  };

  connect();
  return {
    async call(name, payload, limit = CALL_LIMIT) {
      const through = socket;
      if (through === null || !status.isUp()) return disconnected(ended ?? GONE);
      return calls.call(limit, (id) => through.send(JSON.stringify({ id, name, payload })));
    },
    subscribe: pushes.subscribe,
    watch: status.watch,
    close() {
      const last = socket;
      end(GONE);
      last?.close();
    },
  };
}

interface FrameReader {
  /** False once another socket has taken the place of this one. */
  isCurrent(): boolean;
  /** A frame of a core that has proved itself. @returns whether it was a push */
  receive(data: unknown): boolean;
  /** The core has another session, or gives no valid proof. */
  replaced(): void;
}

/** Proves both ends on a new socket, then reads the core's frames and counts its pushes. */
function readFrames(opened: SocketLike, handshake: WindowHandshake, reader: FrameReader): void {
  let stage: 'greeting' | 'checking' | 'proven' = 'greeting';
  let got = 0;
  const send = (frame: unknown): void => {
    if (reader.isCurrent()) opened.send(JSON.stringify(frame));
  };
  const replaced = (): void => {
    if (reader.isCurrent()) reader.replaced();
  };
  opened.addEventListener('open', () => void handshake.hello().then(send).catch(replaced));
  opened.addEventListener('message', (event) => {
    if (!reader.isCurrent()) return;
    if (stage === 'greeting') {
      stage = 'checking';
      void handshake
        .answer(event.data)
        .then((proof) => {
          stage = 'proven';
          send(proof);
        })
        .catch(replaced);
      return;
    }
    // A core waits for the window's proof.
    if (stage === 'checking') return replaced();
    if (!reader.receive(event.data)) return;
    got += 1;
    try {
      opened.send(JSON.stringify({ got }));
    } catch {
      // The connection is over; the next one counts from zero.
    }
  });
}

interface WindowHandshake {
  /** The first frame. */
  hello(): Promise<unknown>;
  /** The second frame. @throws Error where the core's answer proves nothing */
  answer(data: unknown): Promise<unknown>;
}

function createHandshake({ session, host, hashes, nonce: newNonce }: HandshakeOptions): WindowHandshake {
  const nonce = newNonce();
  const sign = async (text: string): Promise<string> => hashes.hmac(await hashes.sha256(session), text);
  return {
    hello: async () => ({ session: await sign(SESSION_ID_TEXT), nonce }),
    async answer(data) {
      const { challenge, proof } = ChallengeFrameSchema.parse(parseFrame(data));
      const texts = { host, nonce, challenge };
      if (!isSameText(proof, await sign(coreProofText(texts)))) throw new Error('the core proves nothing');
      return { proof: await sign(windowProofText(texts)) };
    },
  };
}
