// Service, market feeds: limits the rate of calls of a vendor's account.
// A token bucket, with the vendor's Retry-After as a floor. Calls for current prices go before history.
import { retryAfter } from '../../../shared/lib/backoff.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { pause } from '../../../shared/lib/pause.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/lib/time.ts';
import type { Outbound } from '../../network/outbound.ts';
import { failureOf } from '../../network/request.ts';
import { type FeedDeps, FeedError, type FeedRequestInit, type FeedVendor, type PriceFeed } from './price-feed.ts';

/** Share of the vendor's limit to use: other programs may call from the same address. */
const SHARE = 0.7;
/** Share of the bucket that calls for history leave to live calls. */
const RESERVE = 0.3;
/** Time limit of an answer, ms. */
const TIMEOUT_MS = 30 * SECOND_MS;
const MB = 1024 * 1024;
const MAX_BYTES = 64 * MB;
/** Longest wait for the end of a silence, ms: all work behind the call waits, too. */
const MAX_QUIET_MS = 30 * SECOND_MS;
/** Wait after a refusal without a Retry-After, ms. */
const REFUSED_MS = MINUTE_MS;

export interface AccountDeps {
  readonly vendor: Pick<FeedVendor, 'name' | 'perMinute' | 'cure'>;
  readonly clock: Clock;
  readonly outbound: Outbound;
}

export interface Account {
  fetch(url: string, init: FeedRequestInit): Promise<Response>;
  budget(): Budget;
}

/** The state of an account's budget. */
export interface Budget {
  /** The vendor, or the hosts of files. */
  readonly account: string;
  /** The used part of the vendor's limit, in its weights. */
  readonly perMinute: number;
  readonly left: number;
  /** Wall ms until which the vendor asked for silence; null: no silence. */
  readonly quietUntil: number | null;
}

export function createAccount({ vendor, clock, outbound }: AccountDeps): Account {
  const perMs = (vendor.perMinute * SHARE) / MINUTE_MS;
  /** The burst: a sixth of a minute's calls. */
  const size = Math.max(1, (vendor.perMinute * SHARE) / 6);
  let tokens = size;
  let filledAt = clock.now();
  let quietUntil = 0;

  const level = (): number => {
    const now = clock.now();
    // A clock set back must neither fill nor empty the bucket, nor prolong a silence.
    if (now < filledAt) quietUntil -= filledAt - now;
    tokens = Math.min(size, tokens + Math.max(0, now - filledAt) * perMs);
    filledAt = now;
    return tokens;
  };
  /** ms until a call of that weight may start. @throws FeedError for a silence longer than MAX_QUIET_MS */
  const wait = (weight: number, reserve: number): number => {
    const needed = Math.min(weight, size) + reserve - level();
    const quiet = quietUntil - clock.now();
    if (quiet > MAX_QUIET_MS)
      throw new FeedError('retry', `${vendor.name} asked for no calls before ${minuteOf(quietUntil)}.`, quiet);
    return Math.max(quiet, Math.ceil(needed / perMs), 0);
  };

  return {
    budget: () => ({
      account: vendor.name,
      perMinute: Math.floor(vendor.perMinute * SHARE),
      // Evaluated first, because `level` may correct `quietUntil`.
      left: Math.max(0, Math.floor(level())),
      quietUntil: quietUntil > clock.now() ? quietUntil : null,
    }),
    async fetch(url, { signal, priority, headers = {}, weight = 1, statuses = [], mostBytes = MAX_BYTES }) {
      // The error message of fetch would contain the key.
      if (!areHeaders(headers))
        throw new FeedError(
          'fatal',
          `The key of ${vendor.name} has characters that no request carries; give it again.`,
        );
      const reserve = priority === 'live' ? 0 : Math.max(0, size * RESERVE - 1);
      for (let ms = wait(weight, reserve); ms > 0; ms = wait(weight, reserve)) await pause(clock, ms, signal);
      tokens -= weight;
      const late = new AbortController();
      const cancel = clock.after(TIMEOUT_MS, () =>
        late.abort(new Error(`no answer within ${TIMEOUT_MS / SECOND_MS} s`)),
      );
      const { origin } = new URL(url);
      const stopped = AbortSignal.any([signal, late.signal]);
      const { way, fetch: send } = await outbound(url);
      let answer: Response;
      try {
        // Following a redirect would send the key to an unknown host.
        answer = await send(url, { headers: { ...headers }, redirect: 'manual', signal: stopped });
        // Read here, so that the time limit includes the body.
        if (answer.status === 200)
          return new Response(await readBody(answer, mostBytes, origin), { headers: answer.headers });
        await answer.body?.cancel();
        if (statuses.includes(answer.status))
          return new Response(null, { status: answer.status, headers: answer.headers });
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof FeedError) throw error;
        const why = failureOf(stopped.aborted ? stopped.reason : error);
        throw new FeedError('retry', `${vendor.name} (${origin}) cannot be reached ${way}: ${why}.`);
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

export interface OpenVendor {
  readonly feed: PriceFeed;
  /** The budget of each account. */
  budgets(): readonly Budget[];
}

/** Creates a vendor's feed with its own accounts. */
export function openVendor(
  vendor: FeedVendor,
  deps: Pick<FeedDeps, 'clock' | 'hosts' | 'key' | 'outbound'>,
): OpenVendor {
  const accounts: Account[] = [];
  const fetchFor: NonNullable<FeedDeps['fetchFor']> = (one) => {
    const account = createAccount({ ...deps, vendor: one });
    accounts.push(account);
    return account.fetch;
  };
  const feed = vendor.create({ ...deps, fetchFor, fetch: fetchFor(vendor) });
  return { feed, budgets: () => accounts.map((account) => account.budget()) };
}

/** @throws FeedError for a body of more than `most` bytes, which may be endless */
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

const minuteOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;

function areHeaders(headers: Readonly<Record<string, string>>): boolean {
  try {
    return new Headers(headers) !== null;
  } catch {
    return false;
  }
}

const FATAL: Readonly<Record<number, string>> = {
  401: 'It wants a key; give the right one, in the app under Settings, Keys, to a service in BAROGRAPH_FEED_KEY.',
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
