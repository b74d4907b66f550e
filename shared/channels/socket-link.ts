// Pure: the window's end of the loopback link, over an injected WebSocket.
// The first frame is the session, then numbered calls; a cut is followed by back-off, and pending calls
// answer `disconnected`.
import { backoffDelay } from '../lib/backoff.ts';
import type { Cancel, Clock } from '../lib/clock.ts';
import type { Answer } from './channel.ts';
import type { WindowLink } from './link.ts';
import { CLOSED, CoreFrameSchema, parseFrame } from './socket-frames.ts';
import { OPEN, type SocketLike } from './socket-like.ts';

export interface SocketWindowOptions {
  /** Opens a new socket to the core, or takes the preconnected one (preconnect-socket.ts). */
  readonly open: () => SocketLike;
  /** The page's session, or null where it has none. Read before every attempt. */
  readonly session: () => string | null;
  readonly clock: Clock;
  /** Uniform in [0, 1): spreads the attempts of many windows. */
  readonly random: () => number;
  /** The session is no longer valid: text for the user. No attempt follows. */
  readonly onRefused: (message: string) => void;
  /** An invalid frame; it is dropped. */
  readonly onBad: (problem: string) => void;
}

export interface SocketWindowLink extends WindowLink {
  /** Ends the link for good. */
  close(): void;
}

/** A call without an answer is abandoned after this long, ms. */
const CALL_LIMIT = 30_000;
/** A connection attempt is abandoned after this long, ms. */
const OPEN_LIMIT = 10_000;
const RETRY = { base: 250, cap: 5_000 };

const GONE = 'Barograph is not running behind this window. It is tried again by itself.';
const NO_SESSION = 'This window has no session. Open a new one: npm run barograph -- open';
const OVER =
  'This profile was turned off or removed in another window. Nothing here is seen any more; this window can be closed.';
const REFUSED = 'The session of this window has ended. Open a new one: npm run barograph -- open';

const disconnected = (message: string): Answer => ({ ok: false, error: { code: 'disconnected', message } });

export function createSocketWindowLink(options: SocketWindowOptions): SocketWindowLink {
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  const watchers = new Set<(up: boolean) => void>();
  const waiting = new Map<number, (answer: Answer) => void>();
  let socket: SocketLike | null = null;
  let isUp = false;
  let lastId = 0;
  let attempt = 0;
  /** Why there are no further attempts. */
  let ended: string | null = null;
  let cancelTimer: Cancel = () => undefined;

  const setUp = (up: boolean): void => {
    if (isUp === up) return;
    isUp = up;
    for (const watcher of watchers) watcher(up);
  };

  const dropWaiting = (message: string): void => {
    for (const settle of [...waiting.values()]) settle(disconnected(message));
    waiting.clear();
  };

  const end = (message: string, isReported: boolean): void => {
    ended = message;
    cancelTimer();
    socket = null;
    dropWaiting(message);
    setUp(false);
    if (isReported) options.onRefused(message);
  };

  const retry = (): void => {
    cancelTimer();
    // At least a little: a core that accepts and closes at once must not cause a tight loop.
    cancelTimer = options.clock.after(backoffDelay(attempt++, RETRY, options.random, 50), connect);
  };

  const lose = (from: SocketLike): void => {
    if (from !== socket) return;
    socket = null;
    dropWaiting(GONE);
    setUp(false);
    retry();
  };

  /** @param took called when a push was processed */
  const receive = (from: SocketLike, data: unknown, took: () => void): void => {
    if (from !== socket) return;
    const frame = CoreFrameSchema.safeParse(parseFrame(data));
    if (!frame.success) {
      options.onBad('a frame from the core is not readable');
    } else if ('ready' in frame.data) {
      cancelTimer();
      attempt = 0;
      setUp(true);
    } else if ('id' in frame.data) {
      waiting.get(frame.data.id)?.(frame.data.answer);
    } else {
      for (const listener of [...(listeners.get(frame.data.name) ?? [])]) listener(frame.data.payload);
      took();
    }
  };

  const connect = (): void => {
    const session = options.session();
    if (session === null) {
      end(NO_SESSION, true);
      return;
    }
    const opened = options.open();
    socket = opened;
    cancelTimer = options.clock.after(OPEN_LIMIT, () => {
      opened.close();
      lose(opened);
    });
    const greet = (): void => opened.send(JSON.stringify({ session }));
    if (opened.readyState === OPEN) greet();
    else opened.addEventListener('open', greet);
    let got = 0;
    const took = (): void => {
      got += 1;
      try {
        opened.send(JSON.stringify({ got }));
      } catch {
        // The connection is over; the next one counts from zero.
      }
    };
    opened.addEventListener('message', (event) => receive(opened, event.data, took));
    // An error is always followed by close; without this listener it would be thrown.
    opened.addEventListener('error', () => undefined);
    opened.addEventListener('close', (event) => {
      if (event.code === CLOSED.sessionRefused && opened === socket) end(REFUSED, true);
      else if (event.code === CLOSED.profileOver && opened === socket) end(OVER, true);
      else lose(opened);
    });
  };

  connect();
  return {
    call(name, payload) {
      if (socket === null || !isUp) return Promise.resolve(disconnected(ended ?? GONE));
      const through = socket;
      return new Promise((resolve) => {
        const id = ++lastId;
        const settle = (answer: Answer): void => {
          if (!waiting.delete(id)) return;
          cancel();
          resolve(answer);
        };
        waiting.set(id, settle);
        const cancel = options.clock.after(CALL_LIMIT, () =>
          settle(disconnected(`${name} was not answered within ${CALL_LIMIT / 1000} seconds.`)),
        );
        try {
          through.send(JSON.stringify({ id, name, payload }));
        } catch {
          settle(disconnected(GONE));
        }
      });
    },
    subscribe(name, listener) {
      const named = listeners.get(name) ?? new Set();
      listeners.set(name, named.add(listener));
      return () => named.delete(listener);
    },
    watch(listener) {
      watchers.add(listener);
      listener(isUp);
      return () => watchers.delete(listener);
    },
    close() {
      const last = socket;
      end(NO_SESSION, false);
      last?.close();
    },
  };
}
