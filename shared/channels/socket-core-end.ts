// Pure: the core's end of one loopback connection. It answers and pushes only after a valid session.
import type { Cancel, Clock } from '../lib/clock.ts';
import type { LinkedCore } from './link.ts';
import { createPendingPushes } from './pending-pushes.ts';
import { CallFrameSchema, CLOSED, GotFrameSchema, HelloFrameSchema, parseFrame } from './socket-frames.ts';
import type { SocketLike } from './socket-like.ts';

export interface SocketCoreOptions {
  readonly socket: SocketLike;
  /** The core of this session, or null where the session is unknown. */
  readonly admit: (session: string) => LinkedCore | null;
  readonly clock: Clock;
  /**
   * Bytes that wait to be sent; a window that reads too slowly is cut off and takes a new snapshot when it
   * reconnects.
   */
  readonly backlog: () => number;
}

/** The first frame must arrive within this time, ms. */
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

  const greet = (data: unknown): void => {
    const hello = HelloFrameSchema.safeParse(parseFrame(data));
    const admitted = hello.success ? options.admit(hello.data.session) : null;
    if (admitted === null) {
      close(CLOSED.sessionRefused, 'this session is not known');
      return;
    }
    cancelLimit();
    core = admitted;
    send({ ready: true });
    detach = admitted.attach({
      push: held.push,
      end: () => close(CLOSED.profileOver, 'this profile is not watched any more'),
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
    if (core === null) greet(event.data);
    else answer(core, event.data);
  });
}
