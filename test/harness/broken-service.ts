// Test harness: a proxy of a real service that violates the interface in one way.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

export interface PassedAnswer {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: any part of an answer may be broken
  body: any;
}
export interface PassedRequest {
  readonly method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The broken service itself: "127.0.0.1:4321". */
  readonly host: string;
}
export interface PassedDelivery {
  method: string;
  headers: Record<string, string>;
  body: string;
  /** Address of the subscriber. */
  readonly target: string;
}

/** The violation; absent parts are passed on unchanged. */
export interface Sabotage {
  request?(request: PassedRequest): void;
  answer?(answer: PassedAnswer, request: PassedRequest): void;
  /** One frame of a stream; null: dropped. */
  frame?(frame: string, path: string): string | null;
  /**
   * One webhook.
   * @returns false: it is answered but not passed on
   */
  delivery?(delivery: PassedDelivery): boolean | undefined;
  /** The status that the service takes for the one with which the subscriber answered. */
  deliveryStatus?(status: number): number;
  /** True: the request is accepted and never answered. */
  isSilent?(request: PassedRequest): boolean;
  /** True: the head of the answer comes, and its body never ends. */
  isEndless?(request: PassedRequest): boolean;
  /** Timeout of a webhook's answer, ms. */
  readonly deliveryLimit?: number;
}

export interface BrokenService {
  readonly url: string;
  close(): Promise<void>;
}

const NOT_PASSED = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']);
const flat = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (NOT_PASSED.has(name) ? [] : [[name, String(value)]])),
  );

export async function startBroken(backend: string, sabotage: Sabotage): Promise<BrokenService> {
  let url = '';
  const server: Server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const request = {
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      headers: flat(incoming.headers),
      body: text,
      host: incoming.headers.host ?? '',
    };
    if (request.path.startsWith('/hook/')) return passDelivery(request, response);
    if (sabotage.isSilent?.(request) === true) return;
    sabotage.request?.(request);
    const target = request.path === '/signals/subscribe' ? hookUrl(request) : null;
    const over = new AbortController();
    response.on('close', () => over.abort());
    const answer = await fetch(`${backend}${request.path}`, {
      method: request.method,
      headers: request.headers,
      ...(request.body === '' ? {} : { body: request.body }),
      signal: over.signal,
    });
    const headers = flat(Object.fromEntries(answer.headers));
    if (headers['content-type']?.includes('event-stream')) return passStream(answer, headers, request, response);
    const body = await answer.text();
    const passed: PassedAnswer = {
      status: answer.status,
      headers,
      body: parsed(target === null ? body : body.replaceAll(target.made, target.given)),
    };
    sabotage.answer?.(passed, request);
    response.writeHead(passed.status, passed.headers);
    if (sabotage.isEndless?.(request) === true) return void response.write('{"data":[');
    response.end(typeof passed.body === 'string' ? passed.body : JSON.stringify(passed.body));
  };

  /** Receives the webhooks before the subscriber. */
  const hookUrl = (request: PassedRequest): { made: string; given: string } | null => {
    const subscription = parsed(request.body);
    if (typeof subscription?.url !== 'string' || !subscription.url.startsWith('http://127.0.0.1')) return null;
    const made = `${url}/hook/${Buffer.from(subscription.url).toString('base64url')}`;
    request.body = JSON.stringify({ ...subscription, url: made });
    return { made, given: subscription.url };
  };
  const passDelivery = async (request: PassedRequest, response: ServerResponse): Promise<void> => {
    const target = Buffer.from(request.path.slice('/hook/'.length), 'base64url').toString('utf8');
    const delivery: PassedDelivery = { method: request.method, headers: request.headers, body: request.body, target };
    if (sabotage.delivery?.(delivery) === false) return void response.writeHead(200).end();
    const over = new AbortController();
    response.on('close', () => over.abort());
    const limit =
      sabotage.deliveryLimit === undefined ? undefined : setTimeout(() => over.abort(), sabotage.deliveryLimit);
    const answer = await fetch(target, {
      method: delivery.method,
      headers: delivery.headers,
      ...(delivery.method === 'GET' ? {} : { body: delivery.body }),
      signal: over.signal,
    });
    clearTimeout(limit);
    await answer.text();
    response.writeHead(sabotage.deliveryStatus?.(answer.status) ?? answer.status).end();
  };
  const passStream = async (
    answer: Response,
    headers: Record<string, string>,
    request: PassedRequest,
    response: ServerResponse,
  ): Promise<void> => {
    const passed: PassedAnswer = { status: answer.status, headers, body: null };
    sabotage.answer?.(passed, request);
    response.writeHead(passed.status, passed.headers);
    response.flushHeaders();
    let rest = '';
    for await (const chunk of Readable.fromWeb(answer.body as never)) {
      rest += Buffer.from(chunk).toString('utf8');
      const frames = rest.split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const forwarded = sabotage.frame === undefined ? frame : sabotage.frame(frame, request.path);
        if (forwarded !== null) response.write(`${forwarded}\n\n`);
      }
    }
    response.end();
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: any part of an answer may be broken
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
