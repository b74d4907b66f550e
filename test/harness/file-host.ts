// Test harness: a host of price files, with ETags and with the faults of real hosts.
// A test fills and changes the files.
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';

export interface HostedFile {
  readonly body: string;
  readonly type?: string;
  readonly status?: number;
  readonly location?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HostedRequest {
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly status: number;
}

export interface FileHost {
  readonly url: string;
  /** By path, without the query. */
  readonly files: Map<string, HostedFile>;
  readonly requests: HostedRequest[];
  close(): Promise<void>;
}

export async function startFileHost(): Promise<FileHost> {
  const files = new Map<string, HostedFile>();
  const requests: HostedRequest[] = [];
  const server = Fastify();
  server.get('*', (request, reply) => {
    const file = files.get(request.url.split('?')[0] ?? '');
    const etag = `"${createHash('sha256')
      .update(file?.body ?? '')
      .digest('hex')
      .slice(0, 16)}"`;
    const isKnown = file?.status === undefined && request.headers['if-none-match'] === etag;
    const status = isKnown ? 304 : (file?.status ?? (file === undefined ? 404 : 200));
    requests.push({ url: request.url, headers: request.headers, status });
    reply.code(status).headers({ etag, ...file?.headers });
    if (file?.location !== undefined) reply.header('location', file.location);
    return reply.type(file?.type ?? 'text/csv').send(isKnown ? '' : (file?.body ?? 'not found'));
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, files, requests, close: () => server.close() };
}
