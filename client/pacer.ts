// Client: spreads requests by the service's limit headers, so that none is refused with 429.
import { retryAfter } from '../shared/lib/backoff.ts';
import type { Clock } from '../shared/lib/clock.ts';
import { limitItems, resetIn } from './limit-headers.ts';

export interface Pacer {
  /**
   * Reserves a slot for a request.
   * @returns ms to wait before sending; null: the wait is too long, see `free`
   */
  take(path: string): number | null;
  /** ms until a request to this path may be sent. */
  free(path: string): number;
  /** Reads the limits from the head of an answer to a request with a slot. */
  answered(path: string, status: number, headers: Headers): void;
  /** The request ended without an answer. */
  failed(path: string): void;
}

/** A request waits for its slot this long, ms; a longer wait is the caller's decision. */
export const LONGEST_WAIT_MS = 2_000;
/**
 * Longest window of a rate limit, ms. A longer window is a month, which reports usage and refuses nothing.
 */
const LONGEST_WINDOW_MS = 120_000;
/** Default length of a window, ms. */
const USUAL_WINDOW_MS = 60_000;

interface Endpoint {
  /**
   * Remaining calls until `resetAt`; infinite if the service reports none; negative by the number of calls
   * that wait for the reset.
   */
  left: number;
  resetAt: number;
  /** Calls per window; infinite if the service does not report it. */
  limit: number;
  /** Length of a window, ms. */
  window: number;
  /** After a 429: earliest time of the next request. */
  refusedUntil: number;
  inFlight: number;
}

/** The token bucket of the plan, which all endpoints share. */
interface Bucket {
  tokens: number;
  at: number;
  readonly burst: number;
  /** Tokens per ms. */
  readonly rate: number;
}

export function createPacer(clock: Clock): Pacer {
  const endpoints = new Map<string, Endpoint>();
  let bucket: Bucket | null = null;
  let inFlight = 0;

  const at = (path: string): Endpoint => {
    const known = endpoints.get(path) ?? {
      left: Number.POSITIVE_INFINITY,
      resetAt: 0,
      limit: Number.POSITIVE_INFINITY,
      window: USUAL_WINDOW_MS,
      refusedUntil: 0,
      inFlight: 0,
    };
    endpoints.set(path, known);
    return known;
  };
  const level = ({ tokens, at: since, burst, rate }: Bucket): number =>
    Math.min(burst, tokens + Math.max(0, clock.now() - since) * rate);

  const free = (path: string): number => {
    const now = clock.now();
    const { left, resetAt, limit, window, refusedUntil } = at(path);
    // Calls that wait for the reset may already use up the next window.
    const forWindow = left < 1 && now < resetAt ? resetAt - now + Math.floor(Math.max(0, -left) / limit) * window : 0;
    const forToken = bucket === null || level(bucket) >= 1 ? 0 : (1 - level(bucket)) / bucket.rate;
    // After the clock is set back, requests must not wait for longer than a window.
    return Math.min(LONGEST_WINDOW_MS, Math.max(0, Math.ceil(Math.max(forWindow, refusedUntil - now, forToken))));
  };
  const end = (path: string): Endpoint => {
    const endpoint = at(path);
    endpoint.inFlight = Math.max(0, endpoint.inFlight - 1);
    inFlight = Math.max(0, inFlight - 1);
    return endpoint;
  };

  return {
    free,
    take(path) {
      const wait = free(path);
      if (wait > LONGEST_WAIT_MS) return null;
      const endpoint = at(path);
      // Only once the reset has passed: a call that waits for it leaves the next one nothing to be sent with
      // now.
      if (clock.now() >= endpoint.resetAt) endpoint.left = Number.POSITIVE_INFINITY;
      endpoint.left -= 1;
      endpoint.inFlight += 1;
      inFlight += 1;
      if (bucket !== null) bucket = { ...bucket, tokens: level(bucket) - 1, at: clock.now() };
      return wait;
    },
    answered(path, status, headers) {
      const endpoint = end(path);
      const now = clock.now();
      const there = Date.parse(headers.get('date') ?? '');
      const [fields, policy] = [limitItems(headers.get('ratelimit')), limitItems(headers.get('ratelimit-policy'))];
      if (status === 429) {
        const wait = retryAfter(headers.get('retry-after'), Number.isNaN(there) ? now : there) ?? 0;
        endpoint.refusedUntil = wait <= LONGEST_WINDOW_MS ? now + wait : 0;
      } else endpoint.refusedUntil = 0;
      // The service does not enforce this limit, so it delays no request.
      if (policy.get('endpoint')?.enforced === 0) {
        Object.assign(endpoint, { left: Number.POSITIVE_INFINITY, resetAt: 0 });
        bucket = null;
        return;
      }
      // On a 429 the X-RateLimit headers describe the refusing limit; the RateLimit fields name each limit.
      const own = fields.get('endpoint');
      const said = own?.r ?? (status === 429 ? 0 : Number(headers.get('x-ratelimit-remaining') ?? Number.NaN));
      const reset =
        own?.t === undefined
          ? resetIn(headers.get('x-ratelimit-reset'), Number.isNaN(there) ? now : there)
          : own.t * 1_000;
      const terms = policy.get('endpoint');
      // On a 429 it describes the refusing limit.
      const limit = terms?.q ?? (status === 429 ? Number.NaN : Number(headers.get('x-ratelimit-limit')));
      if (limit >= 1) Object.assign(endpoint, { limit, window: (terms?.w || USUAL_WINDOW_MS / 1_000) * 1_000 });
      if (Number.isFinite(said) && reset > 0 && reset <= LONGEST_WINDOW_MS)
        Object.assign(endpoint, { left: said - endpoint.inFlight, resetAt: now + reset });
      const [plan, rates] = [fields.get('plan'), policy.get('plan')];
      if (plan?.r !== undefined && rates?.q && rates.w && rates.burst)
        bucket = { tokens: plan.r - inFlight, at: now, burst: rates.burst, rate: rates.q / (rates.w * 1_000) };
    },
    failed: (path) => void end(path),
  };
}
