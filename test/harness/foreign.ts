// Test harness: another user's program takes a port and records every byte that it gets.
// It needs the administrator: only he may start programs of other users.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Foreign {
  readonly port: number;
  /** Everything that was sent to it so far. */
  received(): string;
  stop(): Promise<void>;
}

/** The user nobody of all systems that have one. */
const NOBODY = 65_534;

/**
 * Retries until the port is free, then answers like a service and like a core that believes everybody.
 * @param as the user that runs it; default: nobody
 */
export async function startForeign({ port, as = NOBODY }: { port: number; as?: number }): Promise<Foreign> {
  const child = spawn(process.execPath, ['-e', PROGRAM, String(port)], {
    cwd: '/',
    env: {},
    uid: as,
    gid: as,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let all = '';
  const lines = createInterface({ input: child.stdout });
  const bound = once(lines, 'line');
  const [first] = await bound;
  lines.on('line', (line: string) => {
    all += Buffer.from(line, 'base64').toString('latin1');
  });
  return {
    port: Number(first),
    received: () => all,
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

/** Plain Node without imports of this repository, which another user may not read. */
const PROGRAM = `
const { createServer } = require('node:net');
const { createHash, randomBytes } = require('node:crypto');
const json = (body) => 'HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body;
const frame = (text) => Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)]);
const unmask = (data) => {
  const length = data[1] & 127, at = length === 126 ? 4 : 2;
  const mask = data.subarray(at, at + 4);
  return Buffer.from(data.subarray(at + 4).map((byte, index) => byte ^ mask[index % 4])).toString('latin1');
};
const say = (text) => console.log(Buffer.from(text, 'latin1').toString('base64'));
const server = createServer((socket) => {
  let isSocket = false;
  socket.on('error', () => {});
  socket.on('data', (data) => {
    if (isSocket) {
      say(unmask(data));
      return socket.write(frame('{"ready":true}'));
    }
    const text = data.toString('latin1');
    say(text);
    const key = /sec-websocket-key: (\\S+)/i.exec(text);
    if (key !== null) {
      isSocket = true;
      const accept = createHash('sha1').update(key[1] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
      return socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: ' + accept + '\\r\\n\\r\\n');
    }
    if (/^GET \\S*\\/proof/.test(text)) return socket.write(json(JSON.stringify({ proof: randomBytes(32).toString('hex') })));
    if (/^GET \\/stream/.test(text))
      return socket.write('HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\n: hello\\n\\n');
    if (/^GET \\/ /.test(text))
      return socket.write(json(JSON.stringify({ service: 'x', version: '1', environment: 'sandbox', replay: false, time: new Date().toISOString(), speed: 1, links: {} })));
    socket.write(json('{"data":[],"has_more":false,"next_cursor":null}'));
  });
});
const listen = () => server.listen(Number(process.argv[1]), '127.0.0.1');
server.on('error', () => setTimeout(listen, 5));
server.on('listening', () => console.log(server.address().port));
listen();
`;
