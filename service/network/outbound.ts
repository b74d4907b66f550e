// Service: how this process reaches other computers: directly, or through a proxy.
import { Agent, type AgentOptions, type ClientRequestArgs, globalAgent, setGlobalProxyFromEnv } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createGunzip } from 'node:zlib';
import type { FindProxy, ProxyChoice } from '../../shared/lib/proxy.ts';
import { SECOND_MS } from '../../shared/lib/time.ts';
import { failureOf, sendRequest } from './request.ts';

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** The route to an address. */
export interface Route {
  /** For messages: "directly", or "through the proxy proxy.example:8080". */
  readonly way: string;
  /** For node:http and WebSockets; undefined: a direct connection. */
  readonly agent: Agent | undefined;
  /** As the platform's. Through a proxy it follows no redirect. */
  readonly fetch: Fetch;
}

/** Finds the route to an address, anew for each request: a laptop changes its networks. Never rejects. */
export type Outbound = (url: string) => Promise<Route>;

const DIRECT: Route = { way: 'directly', agent: undefined, fetch: (url, init) => fetch(url, init) };
export const directOutbound: Outbound = async () => DIRECT;

const TUNNEL_MS = 10 * SECOND_MS;

/** @param limit until a proxy has opened a connection, ms */
export function createOutbound(findProxy: FindProxy, limit = TUNNEL_MS): Outbound {
  switchOffNodeProxy();
  const routes = new Map<string, Route>();
  return async (url) => {
    const choice = await findProxy(url);
    if (choice.kind === 'direct') return DIRECT;
    const isSecure = /^(https|wss):/.test(url);
    const name = `${isSecure} ${JSON.stringify(choice)}`;
    const route = routes.get(name) ?? routeOf(choice, isSecure, limit);
    routes.set(name, route);
    return route;
  };
}

/**
 * NODE_USE_ENV_PROXY=1 has Node itself send everything through the proxy, also requests to this computer, which
 * carry keys in plain http.
 */
function switchOffNodeProxy(): void {
  if ((globalAgent as Agent & { options: AgentOptions }).options.proxyEnv === undefined) return;
  // Node takes back no proxy; it takes one that no address goes through.
  setGlobalProxyFromEnv({ HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '*' });
}

/** Where Node has the client behind `fetch`; absent before the first request. */
const NODE_CLIENT = Symbol.for('undici.globalDispatcher.1');

/**
 * Creates the client behind Node's `fetch` once more, without limits of time: while a stream is open they wake the
 * process twice a second. For requests that the caller ends.
 * @returns undefined for another client than the usual one, which may have a proxy
 */
function createUnlimited(): object | undefined {
  const Client = (Reflect.get(globalThis, NODE_CLIENT) as object | undefined)?.constructor as
    | (new (
        options: object,
      ) => object)
    | undefined;
  if (Client?.name !== 'Agent') return undefined;
  return new Client({ headersTimeout: 0, bodyTimeout: 0 });
}

/** For the core: fetch whose error names the proxy that was in between. */
export function outboundFetch(outbound: Outbound): Fetch {
  let dispatcher: object | undefined;
  return async (url, init) => {
    const { agent, way, fetch } = await outbound(url);
    if (agent === undefined) {
      if (init?.signal == null) return fetch(url, init);
      dispatcher ??= createUnlimited();
      return fetch(url, { ...init, ...(dispatcher && { dispatcher }) } as RequestInit);
    }
    return fetch(url, init).catch((error: unknown) => {
      throw new Error(`${way}: ${failureOf(error)}`);
    });
  };
}

function routeOf(choice: Exclude<ProxyChoice, { kind: 'direct' }>, isSecure: boolean, limit: number): Route {
  const by = (way: string, agent: Agent): Route => ({ way, agent, fetch: (url, init) => fetchBy(agent, url, init) });
  switch (choice.kind) {
    case 'socks':
      return by(`through the SOCKS proxy ${choice.host}`, refusing('SOCKS is not supported', isSecure));
    case 'unknown':
      return by('through a proxy', refusing(choice.why, isSecure));
    case 'proxy':
      trustSystemRoots();
      return by(`through the proxy ${choice.host}`, agentOf(choice.url, isSecure, limit));
  }
}

let isTrusting = false;
/** A proxy that inspects TLS signs with a root that the company installed on the system. Takes 0.4 s, once. */
function trustSystemRoots(): void {
  if (isTrusting) return;
  isTrusting = true;
  try {
    setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])]);
  } catch {
    // A system whose certificates cannot be read has those of Node.
  }
}

function agentOf(proxy: string, isSecure: boolean, limit: number): Agent {
  const options = { keepAlive: true, timeout: limit };
  if (!isSecure) return new Agent({ ...options, proxyEnv: { HTTP_PROXY: proxy } });
  const agent = new TlsAgent({ ...options, proxyEnv: { HTTPS_PROXY: proxy } });
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (args, done) => {
    const toProxy = connect(args, (error, socket) => {
      // Node leaves the connection to a proxy that refused open.
      if (error) toProxy?.destroy();
      done?.(error, socket);
    });
    return toProxy;
  };
  return agent;
}

/** An agent whose requests fail. */
function refusing(why: string, isSecure: boolean): Agent {
  const agent = isSecure ? new TlsAgent() : new Agent();
  agent.createConnection = (_args: ClientRequestArgs, done) => {
    done?.(new Error(why), null as never);
    return null;
  };
  return agent;
}

/** As fetch, which hides why a proxy refused. */
async function fetchBy(agent: Agent, url: string, { method, headers, body, signal, redirect }: RequestInit = {}) {
  if (body != null && typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('only text and bytes are sent through a proxy');
  const answer = await sendRequest(new URL(url), agent, {
    method: method ?? 'GET',
    headers: {
      accept: '*/*',
      'user-agent': 'node',
      'accept-encoding': 'gzip',
      ...Object.fromEntries(new Headers(headers)),
    },
    ...(body == null ? {} : { body }),
    ...(signal == null ? {} : { signal }),
  });
  const { statusCode: status = 0, headers: received } = answer;
  if (redirect === 'error' && status >= 300 && status < 400 && received.location !== undefined) {
    answer.destroy();
    throw new Error(`answered ${status}; redirects are not followed`);
  }
  const isZipped = received['content-encoding'] === 'gzip';
  const content = isZipped ? pipeline(answer, createGunzip(), () => undefined) : answer;
  const hasBody = method !== 'HEAD' && ![204, 205, 304].includes(status);
  if (!hasBody) answer.resume();
  return new Response(hasBody ? (Readable.toWeb(content) as ReadableStream) : null, {
    status,
    headers: Object.entries(received).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
  });
}
