// Test harness: the wire service behind a port, for apps in processes of their own.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { systemClock } from '../../main/host/system-clock.ts';
import { createWireService, type WireService } from './wire-service.ts';

export interface WireServer {
  readonly service: WireService;
  readonly url: string;
  close(): Promise<void>;
}

export async function startWireServer(): Promise<WireServer> {
  const service = createWireService(systemClock, 'lazy');
  const server = createServer((request, response) => {
    const ended = new AbortController();
    response.on('close', () => ended.abort());
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    );
    const answered = service.fetch(`http://127.0.0.1${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      signal: ended.signal,
    });
    answered
      .then((answer) => {
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        if (answer.body === null) response.end();
        else
          Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0])
            .on('error', () => response.destroy())
            .pipe(response);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    service,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
