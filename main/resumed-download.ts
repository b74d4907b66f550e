// Start: downloads one file over any line: no limit while bytes arrive, and a later start goes on.
import { open, rm, stat } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { networkReason } from '../client/request.ts';
import type { Cancel, Clock } from '../shared/lib/clock.ts';
import { messageOf } from '../shared/lib/result.ts';
import type { ProcessNetwork } from './service/process-network.ts';

export interface DownloadOptions {
  /** Keeps the bytes that arrived, also for a later process. The caller proves its content. */
  readonly part: string;
  readonly clock: Clock;
  readonly outbound: ProcessNetwork['outbound'];
  readonly signal: AbortSignal;
  /** Each piece that arrived. `total` is null where the server does not say it. */
  readonly onProgress: (received: number, total: number | null) => void;
}

/** Time limit of a direct connection, with the look-up of its name and TLS, ms. */
const CONNECT_MS = 5_000;
/** Longest time without a byte, ms. */
const STALL_MS = 30_000;
const MAX_REDIRECTS = 10;

/**
 * Downloads `url` to the part's end. Attempts follow each other for as long as each brings new bytes.
 * @throws Error of the first attempt that brings none; the part stays
 */
export async function downloadResumed(url: string, options: DownloadOptions): Promise<void> {
  const { part, signal } = options;
  for (;;) {
    const before = await sizeOf(part);
    try {
      return await attempt(new URL(url), before, options);
    } catch (error) {
      if (signal.aborted || (await sizeOf(part)) <= before) throw error;
    }
  }
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

async function attempt(url: URL, start: number, options: DownloadOptions): Promise<void> {
  const watchdog = createWatchdog(options);
  try {
    await receive(url, start, options, watchdog);
  } catch (error) {
    throw watchdog.signal.aborted && !options.signal.aborted ? watchdog.signal.reason : error;
  } finally {
    watchdog.stop();
  }
}

interface Watchdog {
  readonly signal: AbortSignal;
  /** Aborts the signal with that problem, unless it is set again before. */
  set(limit: number, problem: string): void;
  stop(): void;
}

function createWatchdog({ clock, signal }: Pick<DownloadOptions, 'clock' | 'signal'>): Watchdog {
  const expired = new AbortController();
  let cancel: Cancel = () => undefined;
  return {
    signal: AbortSignal.any([signal, expired.signal]),
    set(limit, problem) {
      cancel();
      cancel = clock.after(limit, () => expired.abort(new Error(problem)));
    },
    stop: () => cancel(),
  };
}

/** Appends to the part from `start` on, or writes it from its beginning where the server cannot go on. */
async function receive(url: URL, start: number, options: DownloadOptions, watchdog: Watchdog): Promise<void> {
  const { part, onProgress } = options;
  const stalled = `${url.host} sent nothing for ${STALL_MS / 1_000} s`;
  const answer = await ask(url, start, options, watchdog);
  const { statusCode, headers } = answer;
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(headers['content-range'] ?? '');
  const goesOn = statusCode === 206 && Number(range?.[1]) === start;
  if (statusCode !== 200 && !goesOn) {
    answer.destroy();
    if (statusCode === 416 && Number(range?.[2]) === start) return;
    if (start === 0 || (statusCode !== 206 && statusCode !== 416))
      throw new Error(`${url.host} answers ${statusCode} to ${url.pathname}`);
    // The part is not of the file that the server has now.
    await rm(part, { force: true });
    return receive(url, 0, options, watchdog);
  }
  let received = goesOn ? start : 0;
  const length = headers['content-length'];
  const total = length === undefined ? null : received + Number(length);
  const file = await open(part, goesOn ? 'a' : 'w');
  try {
    watchdog.set(STALL_MS, stalled);
    for await (const chunk of answer) {
      await file.write(chunk);
      received += chunk.length;
      watchdog.set(STALL_MS, stalled);
      onProgress(received, total);
    }
  } finally {
    await file.close();
  }
}

/** Follows redirects. @throws Error that names the host, and the proxy before it */
async function ask(from: URL, start: number, { outbound }: DownloadOptions, watchdog: Watchdog) {
  let url = from;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const { agent, way } = await outbound(url.href);
    const host = agent === undefined ? url.host : `${url.host}, ${way}`;
    // A tunnel through a proxy has a limit of its own.
    watchdog.set(agent === undefined ? CONNECT_MS : STALL_MS, `${host}: no answer in time`);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const isSecure = url.protocol === 'https:';
      const outgoing = (isSecure ? httpsRequest : httpRequest)(
        url,
        {
          agent: agent ?? false,
          headers: start === 0 ? {} : { range: `bytes=${start}-` },
          signal: watchdog.signal,
        },
        resolve,
      );
      outgoing.once('socket', (socket) =>
        socket.once(isSecure ? 'secureConnect' : 'connect', () => watchdog.set(STALL_MS, `${host}: no answer in time`)),
      );
      outgoing.on('error', (error) => reject(new Error(`${host}: ${networkReason(error) ?? messageOf(error)}`)));
      outgoing.end();
    });
    const { location } = answer.headers;
    if (location === undefined) return answer;
    answer.destroy();
    url = new URL(location, url);
  }
  throw new Error(`${from.host} redirects too often`);
}
