// Service, market feeds: the one budget of a vendor's account. Every call waits for it: a token bucket, and the vendor's
// Retry-After as a floor. What the present needs goes before history.
import { retryAfter } from '../../../shared/lib/backoff.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/lib/time.ts';
import { pause } from './pause.ts';
import { type FeedDeps, FeedError, type FeedRequestInit, type FeedVendor, type PriceFeed } from './price-feed.ts';

/** Share of the vendor's limit that is used: others may use the same address. */
const SHARE = 0.7;
/** Share of the bucket that history leaves to the present. */
const RESERVE = 0.3;
/** Without an answer, ms. */
const TIMEOUT_MS = 30 * SECOND_MS;
const MB = 1024 * 1024;
const MOST_BYTES = 64 * MB;
/** Wait after a refusal without a Retry-After, ms. */
const REFUSED_MS = MINUTE_MS;

export interface AccountDeps {
  readonly vendor: Pick<FeedVendor, 'name' | 'perMinute' | 'cure'>;
  readonly clock: Clock;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

export interface Account {
  fetch(url: string, init: FeedRequestInit): Promise<Response>;
  /** Wall ms until which the vendor asked for silence; 0: it did not. */
  quietUntil(): number;
}

export function createAccount({ vendor, clock, fetch }: AccountDeps): Account {
  const perMs = (vendor.perMinute * SHARE) / MINUTE_MS;
  /** A sixth of a minute at once. */
  const size = Math.max(1, (vendor.perMinute * SHARE) / 6);
  let tokens = size;
  let filledAt = clock.now();
  let quietUntil = 0;

  const level = (): number => {
    const now = clock.now();
    // A clock that is set back neither fills nor empties it.
    tokens = Math.min(size, tokens + Math.max(0, now - filledAt) * perMs);
    filledAt = now;
    return tokens;
  };
  /** ms until a call of that weight may go. */
  const wait = (weight: number, reserve: number): number => {
    const needed = Math.min(weight, size) + reserve - level();
    return Math.max(quietUntil - clock.now(), Math.ceil(needed / perMs), 0);
  };

  return {
    quietUntil: () => quietUntil,
    async fetch(url, { signal, priority, headers = {}, weight = 1, statuses = [], mostBytes = MOST_BYTES }) {
      const reserve = priority === 'live' ? 0 : Math.max(0, size * RESERVE - 1);
      for (let ms = wait(weight, reserve); ms > 0; ms = wait(weight, reserve)) await pause(clock, ms, signal);
      tokens -= weight;
      const late = new AbortController();
      const cancel = clock.after(TIMEOUT_MS, () => late.abort(new Error(`no answer within ${TIMEOUT_MS / SECOND_MS} s`))); // biome-ignore format: one line
      const { origin } = new URL(url);
      let answer: Response;
      try {
        const stopped = AbortSignal.any([signal, late.signal]);
        // A redirect would take the key of the account to a host that nobody named.
        answer = await fetch(url, { headers: { ...headers }, redirect: 'manual', signal: stopped });
        // Read here, so that the limit of time holds for the whole of it.
        if (answer.status === 200) return new Response(await readBody(answer, mostBytes, origin), { headers: answer.headers }); // biome-ignore format: one line
        await answer.body?.cancel();
        if (statuses.includes(answer.status)) return new Response(null, { status: answer.status, headers: answer.headers }); // biome-ignore format: one line
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof FeedError) throw error;
        throw new FeedError('retry', `${vendor.name} (${origin}) cannot be reached: ${reasonOf(error)}.`);
      } finally {
        cancel();
      }
      const floor = retryAfter(answer.headers.get('retry-after'), clock.now());
      if (answer.status === 429 || answer.status === 418) {
        quietUntil = Math.max(quietUntil, clock.now() + (floor ?? REFUSED_MS));
        throw new FeedError('retry', `${vendor.name} asks for fewer calls (${answer.status}).`, floor ?? REFUSED_MS);
      }
      throw refusalOf(vendor, answer.status, origin, floor ?? 0);
    },
  };
}

/** A vendor's feed over accounts of its own. */
export function openVendor(
  vendor: FeedVendor,
  { fetch, ...deps }: Pick<FeedDeps, 'clock' | 'hosts' | 'key'> & Pick<AccountDeps, 'fetch'>,
): PriceFeed {
  const fetchFor: NonNullable<FeedDeps['fetchFor']> = (one) =>
    createAccount({ vendor: one, clock: deps.clock, fetch }).fetch;
  return vendor.create({ ...deps, fetchFor, fetch: fetchFor(vendor) });
}

/** @throws FeedError when the body is longer than `most` bytes: it may be endless */
async function readBody(answer: Response, most: number, origin: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.byteLength;
    if (size > most) throw new FeedError('retry', `${origin} sends more than ${Math.floor(most / MB)} MB.`, HOUR_MS);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** fetch says "fetch failed", and why in its cause. */
const reasonOf = (error: unknown): string =>
  messageOf(error instanceof Error && error.cause instanceof Error ? error.cause : error);

const FATAL: Readonly<Record<number, string>> = {
  401: 'It wants a key; set the right one in BAROGRAPH_FEED_KEY.',
  402: 'The plan of the account is too small.',
  403: 'The key or the plan does not allow it.',
  451: 'It does not serve the place that this computer calls from.',
};

function refusalOf(vendor: AccountDeps['vendor'], status: number, origin: string, floor: number): FeedError {
  const cure = vendor.cure(status) ?? FATAL[status] ?? null;
  const said = `${vendor.name} (${origin}) answered ${status}.`;
  if (status in FATAL) return new FeedError('fatal', `${said} ${cure}`);
  return new FeedError('retry', cure === null ? said : `${said} ${cure}`, floor);
}
