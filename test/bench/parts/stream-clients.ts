// Bench, a process of its own: many readers of one stream, on plain sockets. Says when the last of them has an event.
// Arguments: PORT COUNT, and the keys of five readers each; without keys nothing is asked for, the server just writes.
import { connect, type Socket } from 'node:net';
import { wallNow } from './children.ts';

export interface Heard {
  readonly kind: 'heard';
  /** When the last reader had its last byte, ms. */
  readonly at: number;
  /** What one of them read. */
  readonly text: string;
}

const [port = 0, count = 0] = process.argv.slice(2, 4).map(Number);
const keys = process.argv[4] === undefined ? [] : process.argv[4].split(',');
const READERS_PER_KEY = 5;
/** Opened at once: a listener's queue is finite. */
const AT_ONCE = 100;

let have = 0;

function onEvent(text: string): void {
  have += 1;
  if (have < count) return;
  have = 0;
  process.send?.({ kind: 'heard', at: wallNow(), text } satisfies Heard);
}

/** Resolves when the server has answered. */
function open(index: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let isOpen = false;
    socket.setNoDelay();
    socket.on('error', reject);
    socket.on('connect', () => {
      const key = keys[Math.floor(index / READERS_PER_KEY)];
      if (key === undefined) socket.write('hello\n');
      else socket.write(`GET /stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\nAccept: text/event-stream\r\n\r\n`);
    });
    let part = '';
    socket.on('data', (chunk) => {
      const text = part + chunk.toString('latin1');
      // A piece that ends within an event is kept until its rest comes.
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
      for (let at = text.indexOf('data: '); at >= 0; at = text.indexOf('data: ', at + 1)) onEvent(text);
    });
  });
}

for (let first = 0; first < count; first += AT_ONCE) {
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, index) => open(first + index)));
}
process.send?.({ kind: 'open' });
