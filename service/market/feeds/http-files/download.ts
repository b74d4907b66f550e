// Service, price files over HTTP: conditional downloads, with redirects restricted by the settings.
import { HOUR_MS, MINUTE_MS } from '../../../../shared/lib/time.ts';
import { type FeedDeps, FeedError, type Priority } from '../price-feed.ts';

/** Maximum size of a file: fifty years of the whole market fit. */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_REDIRECTS = 4;
const REDIRECTS = [301, 302, 303, 307, 308];
const MISSING = [404, 410];
/** Wait after a page in place of prices (sign-in, proof of work), which a person may have to resolve. */
const WRONG_CONTENT_MS = 15 * MINUTE_MS;
const NOT_PRICES = /html|json|pdf|\/xml|^(image|audio|video|font|multipart)\//i;

/** HTTP validators of one version of the file. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface Download {
  /** null: the file is unchanged. */
  readonly bytes: Uint8Array | null;
  readonly validators: Validators;
}

export interface DownloadRequest {
  readonly url: string;
  readonly validators: Validators | null;
  /** Other hosts to which the host may redirect. */
  readonly redirectHosts: readonly string[];
  /** A header with the key, sent only to the origin of the address. */
  readonly keyHeader: { readonly name: string; readonly value: string } | null;
  readonly priority: Priority;
}

/** The file is missing, has other content, or its host is unreachable. Does not affect other files. */
export class MissingFile extends FeedError {
  /** Whether it may end without a person: the host is unreachable. */
  readonly isPassing: boolean;

  constructor(message: string, retryAfterMs: number, isPassing = false) {
    super('retry', message, retryAfterMs);
    this.name = 'MissingFile';
    this.isPassing = isPassing;
  }
}

/** @throws FeedError */
export async function download(
  fetch: FeedDeps['fetch'],
  request: DownloadRequest,
  signal: AbortSignal,
): Promise<Download> {
  const { validators, redirectHosts, keyHeader, priority } = request;
  const first = new URL(request.url);
  let url = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const headers = {
      accept: 'text/csv, text/plain;q=0.9, */*;q=0.1',
      ...(validators?.etag == null ? {} : { 'if-none-match': validators.etag }),
      ...(validators?.lastModified == null ? {} : { 'if-modified-since': validators.lastModified }),
      ...(keyHeader === null || url.origin !== first.origin ? {} : { [keyHeader.name]: keyHeader.value }),
    };
    const statuses = [304, ...REDIRECTS, ...MISSING];
    const answer = await fetch(url.href, { signal, priority, headers, statuses, mostBytes: MAX_BYTES });
    if (!REDIRECTS.includes(answer.status)) return read(answer, url, validators);
    url = redirected(first, url, answer.headers.get('location') ?? '', redirectHosts);
  }
  throw new MissingFile(`${first.host} redirects more than ${MAX_REDIRECTS} times.`, HOUR_MS);
}

/** Resolves a redirect: to the same origin, or by https to an allowed host. @throws FeedError */
function redirected(first: URL, from: URL, location: string, allowed: readonly string[]): URL {
  const to = URL.parse(location, from.href);
  if (to === null) throw new MissingFile(`${from.host} redirects to no address.`, HOUR_MS);
  if (to.origin === first.origin) return to;
  if (to.protocol !== 'https:')
    throw new FeedError(
      'fatal',
      `${nameOf(from)} redirects to ${to.origin}, which is not https. Correct url in the settings.`,
    );
  if (to.hostname !== first.hostname && !allowed.includes(to.hostname))
    throw new FeedError(
      'fatal',
      `${nameOf(from)} redirects to ${to.hostname}. If that is right, add it to redirectHosts.`,
    );
  return to;
}

async function read(answer: Response, url: URL, known: Validators | null): Promise<Download> {
  if (answer.status === 304 && known !== null) return { bytes: null, validators: known };
  if (answer.status !== 200)
    throw new MissingFile(
      `${nameOf(url)} is not there (${answer.status}). Check url and symbols in the settings.`,
      HOUR_MS,
    );
  const type = (answer.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
  if (NOT_PRICES.test(type))
    throw new MissingFile(
      `${nameOf(url)} answered ${type}, not prices. Open the address in a browser to see what it is.`,
      WRONG_CONTENT_MS,
    );
  const { headers } = answer;
  return {
    bytes: new Uint8Array(await answer.arrayBuffer()),
    validators: { etag: headers.get('etag'), lastModified: headers.get('last-modified') },
  };
}

/** The error for a file without prices. */
export const notPrices = (url: string, reason: string): MissingFile =>
  new MissingFile(`${nameOf(new URL(url))}: ${reason}.`, WRONG_CONTENT_MS);

/** The address without its query, which may contain a secret. */
const nameOf = ({ host, pathname }: URL): string => `${host}${pathname}`;
