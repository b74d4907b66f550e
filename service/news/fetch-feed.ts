// Service, news: fetches one feed over HTTP, conditionally, bounded in time, size and redirects.
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Clock } from '../../shared/lib/clock.ts';
import { err, messageOf, ok, type Result } from '../../shared/lib/result.ts';
import { untilAborted } from '../../shared/lib/until-aborted.ts';
import type { FeedValidators } from '../store/news.ts';
import { requestPinned } from '../webhooks/pinned-request.ts';
import type { Resolver } from '../webhooks/target.ts';
import { reachFeed } from './feed-target.ts';

/** From the first byte sent to the last one read, redirects included. */
const FETCH_LIMIT_MS = 15_000;
export const MOST_BYTES = 4 * 1_048_576;
const MOST_REDIRECTS = 4;

export interface FetchedFeed {
  /** null: unchanged since the validators. */
  readonly text: string | null;
  readonly validators: FeedValidators;
  /** Seconds that the server asks to wait; null without a request. */
  readonly retryAfter: number | null;
}
export type FeedFetcher = (
  url: string,
  validators: FeedValidators,
  signal: AbortSignal,
) => Promise<Result<FetchedFeed, string>>;

export interface FetchDeps {
  readonly clock: Clock;
  readonly resolve: Resolver;
  /** Identifies this client in the log of the server. */
  readonly userAgent: string;
}

export function createFetchFeed({ clock, resolve, userAgent }: FetchDeps): FeedFetcher {
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
      for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
        const reached = await untilAborted(reachFeed(url, hop === 0, resolve), signal);
        if (!reached.ok) return err(reached.error);
        const answer = await requestPinned(url, reached.value, { method: 'GET', headers, signal });
        const status = answer.statusCode ?? 0;
        const { location } = answer.headers;
        if (status >= 300 && status < 400 && status !== 304 && location !== undefined) {
          answer.destroy();
          url = new URL(location, url);
          continue;
        }
        return await read(answer, status, validators, signal);
      }
      return err(`more than ${MOST_REDIRECTS} redirects`);
    } catch (error) {
      return err(messageOf(signal.aborted ? signal.reason : error));
    } finally {
      cancel();
    }
  };
}

async function read(
  answer: IncomingMessage,
  status: number,
  validators: FeedValidators,
  signal: AbortSignal,
): Promise<Result<FetchedFeed, string>> {
  const { etag, 'last-modified': lastModified, 'retry-after': retry } = answer.headers;
  const retryAfter = retry !== undefined && /^\d{1,6}$/.test(retry) ? Number(retry) : null;
  if (status === 304) {
    answer.destroy();
    return ok({ text: null, validators, retryAfter });
  }
  if (status !== 200) {
    answer.destroy();
    return err(`answered ${status}${retryAfter === null ? '' : ` and asks to wait ${retryAfter} s`}`);
  }
  const bytes = await bodyOf(answer, signal);
  const plain = await unpacked(bytes, answer.headers['content-encoding'] ?? '');
  return ok({
    text: decoded(plain, answer.headers['content-type'] ?? ''),
    validators: { etag: etag ?? null, lastModified: lastModified ?? null },
    retryAfter,
  });
}

async function bodyOf(answer: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    size += chunk.length;
    if (size > MOST_BYTES) {
      answer.destroy();
      throw new Error(`it is larger than ${MOST_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const limits = { maxOutputLength: MOST_BYTES };
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
