// Runner: a balancer for a cluster on a developer's machine: each request goes to the next node that is ready.
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
  readonly url: string;
  close(): void;
}

const LOOK_EVERY_MS = 250;
/** A node that does not answer its probe within this time gets no requests, ms. */
const PROBE_MS = 1_000;

/** @param nodes addresses of the nodes, also of those that do not run */
export async function startBalancer(nodes: readonly string[], port = 0): Promise<Balancer> {
  let ready: readonly string[] = [];
  let next = 0;
  const look = async (): Promise<void> => {
    const answers = await Promise.all(
      nodes.map((node) =>
        fetch(`${node}/health/ready`, { signal: AbortSignal.timeout(PROBE_MS) }).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    ready = nodes.filter((_, index) => answers[index]);
  };
  await look();
  const looking = setInterval(() => void look(), LOOK_EVERY_MS);
  const server = createServer((request, response) => {
    next += 1;
    const node = ready[next % ready.length];
    if (node === undefined) response.writeHead(503, { 'retry-after': '1' }).end('No node is ready.');
    else pass(node, request, response);
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      clearInterval(looking);
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Streams the request to a node and its answer back; the end of one end is the end of the other. */
function pass(node: string, request: IncomingMessage, response: ServerResponse): void {
  const { hostname, port } = new URL(node);
  const { method, url: path, headers } = request;
  // The node admits its own name alone.
  const passed = ask(
    { hostname, port, method, path, headers: { ...headers, host: `${hostname}:${port}` } },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  passed.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end('The node does not answer.');
  });
  response.on('close', () => passed.destroy());
  request.pipe(passed);
}
