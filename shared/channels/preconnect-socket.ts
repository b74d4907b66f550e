// Pure: a socket over which the first things are said before the window's end of the link is there: the session, and what every window asks first. The end
// then takes it like any other: what it says that was said already is not said twice, and what came meanwhile it hears as if it came now.
import { OPEN, type SocketLike } from './socket-like.ts';

/** The first call of every window, as its end writes it. */
const FIRST_CALL = JSON.stringify({ id: 1, name: 'state.snapshot', payload: {} });

export interface PreconnectSocket extends SocketLike {
  /** Says the first things, as soon as the socket is open. */
  begin(session: string): void;
}

export function createPreconnectSocket(socket: SocketLike): PreconnectSocket {
  /** What was said and is yet to be said by the end, in order. */
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
    // Not at once: whoever takes the socket has nobody yet who hears.
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
      // The answer would be taken for that of another question; over a new socket nothing was said.
      else if (expected !== text) socket.close();
    },
    close: (code, reason) => socket.close(code, reason),
    addEventListener: listen as SocketLike['addEventListener'],
  };
}
