// Test harness: an HTTP proxy that writes down what it was asked for, and refuses on demand.
// Whatever the name, it leads to one server of this computer for https and one for plain http.
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface HttpProxy {
  /** With a name and a password. */
  readonly url: string;
  readonly host: string;
  /** "CONNECT desk.example:443 user:planted", "GET http://desk.example/ user:planted" */
  readonly asked: string[];
  /** A status to refuse what was asked for with; 'silent': never answers; null: passes it on. */
  refusalOf: (asked: string) => number | 'silent' | null;
  connections(): number;
  close(): Promise<void>;
}

export async function startHttpProxy(ports: { readonly https?: number; readonly http?: number }): Promise<HttpProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: HttpProxy = {
    url: `http://user:planted@${host}`,
    host,
    asked,
    refusalOf: () => null,
    connections: () => sockets.size,
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
  const refusalOf = (line: string, login = ''): number | 'silent' | null => {
    asked.push(`${line} ${Buffer.from(login.replace('Basic ', ''), 'base64')}`.trim());
    return proxy.refusalOf(line);
  };
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('request', ({ method, url = '', headers }, response) => {
    const refusal = refusalOf(`${method} ${url}`, headers['proxy-authorization']);
    if (refusal === 'silent') return;
    if (refusal !== null) return void response.writeHead(refusal).end();
    const { pathname, search } = new URL(url);
    const { 'proxy-authorization': _own, ...passed } = headers;
    const to = { host: '127.0.0.1', port: ports.http, path: pathname + search, method, headers: passed };
    const upstream = request(to, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    upstream.on('error', () => response.destroy()).end();
    response.on('close', () => upstream.destroy());
  });
  server.on('connect', ({ url, headers }, socket: Socket) => {
    const refusal = refusalOf(`CONNECT ${url}`, headers['proxy-authorization']);
    // A refused connection stays open, as for a second attempt with a password.
    if (refusal !== null) socket.resume().on('end', () => socket.end());
    if (typeof refusal === 'number') socket.write(`HTTP/1.1 ${refusal} Refused\r\ncontent-length: 0\r\n\r\n`);
    if (refusal !== null) return;
    const upstream = connect(ports.https ?? 0, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  });
  return proxy;
}
