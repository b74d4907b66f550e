// Bench, own process: writes the bytes that its parent sends to every socket that has said a word.
// A process of its own, because one process may not have twice ten thousand files everywhere.
import { type AddressInfo, createServer, type Socket } from 'node:net';

const sockets: Socket[] = [];
const server = createServer((socket) => {
  socket.setNoDelay();
  socket.on('error', () => undefined);
  socket.once('data', () => {
    sockets.push(socket);
    socket.write(': connected\n\n');
  });
});
process.on('message', ({ text }: { text: string }) => {
  const bytes = Buffer.from(text, 'utf8');
  for (const socket of sockets) socket.write(bytes);
});
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () =>
  process.send?.({ kind: 'listening', port: (server.address() as AddressInfo).port }),
);
