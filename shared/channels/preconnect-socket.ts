// Pure: opens the socket before the window's link is ready, and sends the session and the first call.
// Replays frames received before the link was ready; never sends a frame twice.
import { OPEN, type SocketLike } from './socket-like.ts';

/** The first call of every window, as its end writes it. */
const FIRST_CALL = JSON.stringify({ id: 1, name: 'state.snapshot', payload: {} });

export interface PreconnectSocket extends SocketLike {
  /** Sends the first frames as soon as the socket is open. */
  begin(session: string): void;
}

export function createPreconnectSocket(socket: SocketLike): PreconnectSocket {
  /** Frames sent here that the link will send too, in order. */
  const said: string[] = [];
  const buffered: { readonly data: unknown }[] = [];
  let isTaken = false;
  socket.addEventListener('message', (event) => {
    if (!isTaken) buffered.push(event);
  });
  const first = (session: string): void => {
    for (const text of [JSON.stringify({ session }), FIRST_CALL]) {
      said.push(text);
      socket.send(text);
    }
  };
  const listen = (type: 'message', listener: (event: { readonly data: unknown }) => void): void => {
    if (type !== 'message') {
      socket.addEventListener(type, listener);
      return;
    }
    // Deferred: the link that takes the socket has no listener yet.
    void Promise.resolve().then(() => {
      isTaken = true;
      for (const event of buffered) listener(event);
      socket.addEventListener('message', listener);
    });
  };
  return {
    get readyState() {
      return socket.readyState;
    },
    begin(session) {
      if (socket.readyState === OPEN) first(session);
      else socket.addEventListener('open', () => first(session));
    },
    send(text) {
      const expected = said.shift();
      if (expected === undefined) socket.send(text);
      // The link would take the answer for that of another call; a new socket has sent nothing.
      else if (expected !== text) socket.close();
    },
    close: (code, reason) => socket.close(code, reason),
    addEventListener: listen as SocketLike['addEventListener'],
  };
}
