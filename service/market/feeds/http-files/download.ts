// Service, price files over HTTP: conditional downloads; redirects only as the settings allow.
import { HOUR_MS, MINUTE_MS } from '../../../../shared/lib/time.ts';
import { type FeedDeps, FeedError, type Priority } from '../price-feed.ts';

/** Enough for fifty years of the whole market in one file. */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_REDIRECTS = 4;
const REDIRECTS = [301, 302, 303, 307, 308];
const MISSING = [404, 410];
/** A page in place of prices (a sign-in, a proof of work) ends when a person does something, or soon by itself. */
const WRONG_CONTENT_MS = 15 * MINUTE_MS;
const NOT_PRICES = /html|json|pdf|zip|\/xml|^(image|audio|video|font|multipart)\//i;

/** Validators of one version of the file. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface Download {
  /** null: the file has not changed since the validators. */
  readonly bytes: Uint8Array | null;
  readonly validators: Validators;
}

export interface DownloadRequest {
  readonly url: string;
  readonly validators: Validators | null;
  /** Hosts besides the own one to which the host may redirect. */
  readonly redirectHosts: readonly string[];
  /** Sent only to the host of the address. */
  readonly keyHeader: { readonly name: string; readonly value: string } | null;
  readonly priority: Priority;
}

/** The address has no file, one with other content, or is away. Other files of the settings may be fine. */
export class MissingFile extends FeedError {
  /** Whether it is likely to end without a person: the host is away. */
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

/** Only to https, and only where the settings say: a host must not choose what else is asked. */
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

/** The error of a file that holds no prices. */
export const notPrices = (url: string, reason: string): MissingFile =>
  new MissingFile(`${nameOf(new URL(url))}: ${reason}.`, WRONG_CONTENT_MS);

/** Without the query, which may hold a secret. */
const nameOf = ({ host, pathname }: URL): string => `${host}${pathname}`;
