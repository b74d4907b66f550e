// Bench, own process: follows a table by LISTEN and SELECT, and writes new rows to every reader.
// It is the floor of a following node.
// Arguments: the address of a database with a table `events` (seq, id, body).
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';

const client = new pg.Client({ connectionString: process.argv[2] });
await client.connect();
const sockets = new Set<Socket>();
let last = 0;
let reading = Promise.resolve();

async function read(): Promise<void> {
  const { rows } = await client.query<{ seq: string; id: string; body: string }>(
    'SELECT seq, id, body FROM events WHERE seq > $1 ORDER BY seq',
    [last],
  );
  for (const { seq, id, body } of rows) {
    last = Number(seq);
    for (const socket of sockets) socket.write(`id: ${id}\ndata: ${body}\n\n`);
  }
}

client.on('notification', () => {
  reading = reading.then(read);
});
await client.query('LISTEN events');
const server = createServer((socket) => {
  socket.setNoDelay();
  socket.on('error', () => sockets.delete(socket));
  socket.once('data', () => {
    sockets.add(socket);
    socket.write(': connected\n\n');
  });
});
server.listen({ host: '127.0.0.1', port: 0 }, () => {
  process.send?.({ kind: 'listening', port: (server.address() as AddressInfo).port });
});
