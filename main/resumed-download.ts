// Start: downloads one file over any line: no limit while bytes arrive, and a later start goes on.
import { open, rm, stat } from 'node:fs/promises';
import { EnvHttpProxyAgent, interceptors, request } from 'undici';
import { networkReason } from '../client/request.ts';
import type { Cancel, Clock } from '../shared/lib/clock.ts';

export interface DownloadOptions {
  /** Keeps the bytes that arrived, also for a later process. The caller proves its content. */
  readonly part: string;
  readonly clock: Clock;
  readonly environment: NodeJS.ProcessEnv;
  readonly limits: DownloadLimits;
  readonly signal: AbortSignal;
  /** Each piece that arrived. `total` is null where the server does not say it. */
  readonly onProgress: (received: number, total: number | null) => void;
}

export interface DownloadLimits {
  /** Time limit of a connection, with name and TLS, ms. */
  readonly connect: number;
  /** Longest time without a byte, ms. */
  readonly stall: number;
}

/** The timer of a connection is up to a second late: a host that does not answer is known within five. */
export const DOWNLOAD_LIMITS: DownloadLimits = { connect: 4_000, stall: 30_000 };

const MAX_REDIRECTS = 10;
/** As in all of Barograph, this computer's own addresses never go through a proxy. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Downloads `url` to the part's end. Attempts follow each other for as long as each brings new bytes.
 * @throws Error of the first attempt that brings none; the part stays
 */
export async function downloadResumed(url: string, options: DownloadOptions): Promise<void> {
  const { part, signal } = options;
  const dispatcher = createDispatcher(options);
  try {
    for (;;) {
      const before = await sizeOf(part);
      try {
        return await attempt(url, dispatcher, options);
      } catch (error) {
        if (signal.aborted || (await sizeOf(part)) <= before) throw withHost(error, url);
      }
    }
  } finally {
    await dispatcher.destroy();
  }
}

function withHost(error: unknown, url: string): unknown {
  const reason = networkReason(error);
  return reason === null ? error : new Error(`${new URL(url).host}: ${reason}`);
}

/** npm passes its own settings of a proxy to a script as npm_config_*; they win over the environment's. */
function createDispatcher({ environment, limits }: DownloadOptions): EnvHttpProxyAgent {
  const read = (...names: string[]): string =>
    names.map((name) => environment[name] || environment[name.toUpperCase()]).find(Boolean) ?? '';
  const ofEnvironment = (name: string): string => (environment.NODE_USE_ENV_PROXY === '0' ? '' : read(name));
  const proxyOf = (name: string): string => {
    const address = read(`npm_config_${name}`, 'npm_config_proxy') || ofEnvironment(name);
    return address === '' || address.includes('://') ? address : `http://${address}`;
  };
  const except = read('npm_config_noproxy') || ofEnvironment('no_proxy');
  const connect = { timeout: limits.connect };
  return new EnvHttpProxyAgent({
    httpProxy: proxyOf('http_proxy'),
    httpsProxy: proxyOf('https_proxy'),
    noProxy: except === '*' ? except : [except, ...LOOPBACK].join(','),
    // Many proxies refuse a tunnel to a server that speaks plain http.
    proxyTunnel: false,
    connect,
    proxyTls: connect,
    requestTls: connect,
  });
}

/** One attempt, which ends when nothing arrives for too long, in whatever phase. */
async function attempt(url: string, dispatcher: EnvHttpProxyAgent, options: DownloadOptions): Promise<void> {
  const { clock, limits, signal, onProgress } = options;
  const stalled = new AbortController();
  let cancel: Cancel = () => undefined;
  const watch = (): void => {
    cancel();
    cancel = clock.after(limits.stall, () => stalled.abort());
  };
  watch();
  try {
    await receive(url, await sizeOf(options.part), {
      part: options.part,
      dispatcher,
      signal: AbortSignal.any([signal, stalled.signal]),
      onProgress(received, total) {
        watch();
        onProgress(received, total);
      },
    });
  } catch (error) {
    if (!stalled.signal.aborted) throw error;
    throw new Error(`${new URL(url).host} sent nothing for ${limits.stall / 1000} s`);
  } finally {
    cancel();
  }
}

interface Receiver extends Pick<DownloadOptions, 'part' | 'signal' | 'onProgress'> {
  readonly dispatcher: EnvHttpProxyAgent;
}

/** Appends to the part from `start` on, or writes it from its beginning where the server cannot go on. */
async function receive(url: string, start: number, receiver: Receiver): Promise<void> {
  const { part, signal, dispatcher, onProgress } = receiver;
  const { statusCode, headers, body } = await request(url, {
    dispatcher: dispatcher.compose(interceptors.redirect({ maxRedirections: MAX_REDIRECTS })),
    headers: start === 0 ? {} : { range: `bytes=${start}-` },
    signal,
    // The watch over the attempt has the one limit.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(String(headers['content-range']));
  const goesOn = statusCode === 206 && Number(range?.[1]) === start;
  if (statusCode !== 200 && !goesOn) {
    await body.dump();
    if (statusCode === 416 && Number(range?.[2]) === start) return;
    if (start === 0 || (statusCode !== 206 && statusCode !== 416))
      throw new Error(`${new URL(url).host} answers ${statusCode} to ${new URL(url).pathname}`);
    // The part is not of the file that the server has now.
    await rm(part, { force: true });
    return receive(url, 0, receiver);
  }
  let received = goesOn ? start : 0;
  const length = headers['content-length'];
  const total = length === undefined ? null : received + Number(length);
  const file = await open(part, goesOn ? 'a' : 'w');
  try {
    for await (const chunk of body) {
      await file.write(chunk);
      received += chunk.length;
      onProgress(received, total);
    }
  } finally {
    await file.close();
  }
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
