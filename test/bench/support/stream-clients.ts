// Bench, own process: reads one stream on many plain sockets, and reports each event that all have.
// Arguments: PORT COUNT, and the keys of five readers each, or one for all.
// Without keys nothing is asked for, and the server just writes.
import { connect, type Socket } from 'node:net';
import { wallNow } from './children.ts';

export interface DeliveryReport {
  readonly kind: 'received';
  /** Its id. */
  readonly id: string;
  /** When the last reader had its last byte, ms. */
  readonly at: number;
  /** Its bytes, as one of them read them. */
  readonly text: string;
}

const [port = 0, count = 0] = process.argv.slice(2, 4).map(Number);
const keys = process.argv[4] === undefined ? [] : process.argv[4].split(',');
const READERS_PER_KEY = 5;
/** Opened at once: a listener's queue is finite. */
const AT_ONCE = 100;

/** An event with data; the last character is the end of its bytes. */
const EVENT = /id: (\S+)\n(?:[a-z]+: .*\n)*?data: .*\n\n/g;

/** By id: the world of a service goes on by itself, so that its own events come between those that are sent. */
const have = new Map<string, number>();

function onEvent(id: string, text: string): void {
  const readers = (have.get(id) ?? 0) + 1;
  if (readers < count) {
    have.set(id, readers);
    return;
  }
  have.delete(id);
  process.send?.({ kind: 'received', id, at: wallNow(), text } satisfies DeliveryReport);
}

/** Resolves when the server has answered. */
function open(index: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let isOpen = false;
    socket.setNoDelay();
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server ended the connection')));
    socket.on('connect', () => {
      const key = keys.length === 1 ? keys[0] : keys[Math.floor(index / READERS_PER_KEY)];
      if (key === undefined) socket.write('hello\n');
      else
        socket.write(
          `GET /stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\nAccept: text/event-stream\r\n\r\n`,
        );
    });
    let part = '';
    socket.on('data', (chunk) => {
      const text = part + chunk.toString('latin1');
      // A chunk that ends within an event is kept until the rest arrives.
      if (text.includes('data: ') && !text.includes('\n\n', text.lastIndexOf('data: '))) {
        part = text;
        return;
      }
      part = '';
      if (!isOpen) {
        isOpen = true;
        if (keys.length > 0 && !text.startsWith('HTTP/1.1 200')) reject(new Error(`refused: ${text.slice(0, 200)}`));
        else resolve(socket);
        if (!text.includes('data: ')) return;
      }
      for (const [whole, id] of text.matchAll(EVENT)) onEvent(id as string, whole);
    });
  });
}

for (let first = 0; first < count; first += AT_ONCE) {
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, index) => open(first + index)));
}
process.send?.({ kind: 'open' });
