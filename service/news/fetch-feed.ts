// Service, news: fetches one feed over HTTP, conditionally, bounded in time, size and redirects.
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { retryAfter } from '../../shared/lib/backoff.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { err, messageOf, ok, type Result } from '../../shared/lib/result.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { untilAborted } from '../../shared/lib/until-aborted.ts';
import type { Outbound } from '../network/outbound.ts';
import { failureOf, sendRequest } from '../network/request.ts';
import type { FeedValidators } from '../store/news.ts';
import type { Resolver } from '../webhooks/target.ts';
import { reachFeed } from './feed-target.ts';

/** From the first byte sent to the last one read, redirects included. */
const FETCH_LIMIT_MS = 15_000;
export const MAX_BYTES = 4 * 1_048_576;
const MAX_REDIRECTS = 4;

export interface FetchedFeed {
  /** null: unchanged since the validators. */
  readonly text: string | null;
  readonly validators: FeedValidators;
  readonly waitMs: number;
}
export interface FeedProblem {
  readonly problem: string;
  /** Wait that the server asks for, at most a day; 0: none. As in `FetchedFeed`. */
  readonly waitMs: number;
}
export type FeedFetcher = (
  url: string,
  validators: FeedValidators,
  signal: AbortSignal,
) => Promise<Result<FetchedFeed, FeedProblem>>;

export interface FetchDeps {
  readonly clock: Clock;
  readonly resolve: Resolver;
  readonly outbound: Outbound;
  /** Identifies this client in the log of the server. */
  readonly userAgent: string;
}

export function createFetchFeed({ clock, resolve, outbound, userAgent }: FetchDeps): FeedFetcher {
  return async (address, validators, given) => {
    const late = new AbortController();
    const cancel = clock.after(FETCH_LIMIT_MS, () =>
      late.abort(new Error(`no answer within ${FETCH_LIMIT_MS / 1000} s`)),
    );
    const signal = AbortSignal.any([given, late.signal]);
    const headers = {
      accept:
        'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': userAgent,
      ...(validators.etag === null ? {} : { 'if-none-match': validators.etag }),
      ...(validators.lastModified === null ? {} : { 'if-modified-since': validators.lastModified }),
    };
    try {
      let url = new URL(address);
      for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
        const { way, agent } = await outbound(url.href);
        const reached = await untilAborted(reachFeed(url, hop === 0, resolve, agent !== undefined), signal);
        if (!reached.ok) return failed(reached.error);
        const how = { method: 'GET', headers, signal };
        const sent = await sendRequest(url, agent ?? reached.value, how).then(ok, err<unknown>);
        if (!sent.ok)
          return failed(`cannot be reached ${way}: ${failureOf(signal.aborted ? signal.reason : sent.error)}`);
        const answer = sent.value;
        const status = answer.statusCode ?? 0;
        const { location } = answer.headers;
        if (status >= 300 && status < 400 && status !== 304 && location !== undefined) {
          answer.destroy();
          url = new URL(location, url);
          continue;
        }
        return await read(answer, status, validators, signal, clock.now());
      }
      return failed(`more than ${MAX_REDIRECTS} redirects`);
    } catch (error) {
      return failed(messageOf(signal.aborted ? signal.reason : error));
    } finally {
      cancel();
    }
  };
}

const failed = (problem: string, waitMs = 0): Result<never, FeedProblem> => err({ problem, waitMs });

async function read(
  answer: IncomingMessage,
  status: number,
  validators: FeedValidators,
  signal: AbortSignal,
  now: number,
): Promise<Result<FetchedFeed, FeedProblem>> {
  const { etag, 'last-modified': lastModified, 'retry-after': retry } = answer.headers;
  const waitMs = Math.min(retryAfter(retry, now) ?? 0, DAY_MS);
  if (status === 304) {
    answer.destroy();
    return ok({ text: null, validators, waitMs });
  }
  if (status !== 200) {
    answer.destroy();
    return failed(`answered ${status}${waitMs === 0 ? '' : ` and asks to wait ${waitText(retry)}`}`, waitMs);
  }
  const bytes = await bodyOf(answer, signal);
  const plain = await unpacked(bytes, answer.headers['content-encoding'] ?? '');
  return ok({
    text: decoded(plain, answer.headers['content-type'] ?? ''),
    validators: { etag: etag ?? null, lastModified: lastModified ?? null },
    waitMs,
  });
}

/**
 * The wait in the server's form, so that equal waits are equal problems: "120 s", "until Mon, 02 Mar 2026
 * ...".
 */
const waitText = (header = ''): string =>
  /^\s*\d+\s*$/.test(header) ? `${Number(header)} s` : `until ${header.trim()}`;

async function bodyOf(answer: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    size += chunk.length;
    if (size > MAX_BYTES) {
      answer.destroy();
      throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const limits = { maxOutputLength: MAX_BYTES };
async function unpacked(bytes: Buffer, encoding: string): Promise<Buffer> {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return bytes;
    case 'gzip':
    case 'x-gzip':
      return promisify<Buffer, object, Buffer>(gunzip)(bytes, limits);
    case 'deflate':
      return promisify<Buffer, object, Buffer>(inflate)(bytes, limits);
    case 'br':
      return promisify<Buffer, object, Buffer>(brotliDecompress)(bytes, limits);
    default:
      throw new Error(`it is packed as ${encoding.slice(0, 20)}, which nobody asked for`);
  }
}

/** Decodes by the character set of the header, else of the XML declaration, else as UTF-8. */
function decoded(bytes: Buffer, contentType: string): string {
  const declared =
    /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ??
    /^<\?xml[^>]*encoding=["']([\w-]+)/i.exec(bytes.subarray(0, 200).toString('latin1'))?.[1];
  try {
    return new TextDecoder(declared ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder('utf-8').decode(bytes);
  }
}
