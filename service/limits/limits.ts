// Service, limits: counts calls and refuses those beyond a limit, with headers in both cases.
import type { Clock } from '../../shared/lib/clock.ts';
import { MINUTE_MS } from '../../shared/lib/time.ts';
import { minuteLimit, PLAN_LABELS, type PlanTerms, termsOf } from '../../shared/wire/limits.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import { routes } from '../../shared/wire/routes.ts';
import type { Caller } from '../auth/authenticate.ts';
import type { Logger } from '../logger.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../store/store.ts';
import { createQuota, type Month, monthOf } from './quota.ts';
import { createWindows, type MinuteCalls, minuteEnd } from './windows.ts';

export type LimitHeaders = Record<string, string>;

export interface Limits {
  /**
   * Counts one call of a key to a route.
   * @throws Refusal rate_limited, with headers, when a limit is reached; the call is then not counted
   */
  spend(caller: Caller, route: AnyRoute): LimitHeaders;
  /** Headers for callers without a valid key; their calls count, but the limits never refuse them. */
  anonymous(address: string, route: AnyRoute | undefined): LimitHeaders;
  /** Calls of the account in the present month; 0 where they are not counted. */
  used(account: string): number;
  /** Calls with a key in the present minute since the last report, for the other nodes. */
  takeCalls(): MinuteCalls;
  /** Adds the calls of all nodes in a minute to the counts of this node. */
  receiveCalls(all: MinuteCalls): void;
  /** Writes the pending counts. Call it before the store closes. */
  flush(): void;
}

export interface LimitsDeps {
  readonly store: Pick<Store, 'usage' | 'transaction'>;
  /** The wall clock: windows and months are billed in real time. */
  readonly clock: Clock;
  readonly logger: Logger;
  /** false: every call passes, headers are as on Pro, and the month is not counted (the sandbox). */
  readonly enforced: boolean;
  /** Every key has THROTTLED, whatever its plan, and refusals apply even without enforcement. */
  readonly throttled?: boolean;
}

/** Terms of the scenario throttle; a client reaches each limit within seconds. */
const THROTTLED: PlanTerms = { monthly: null, burst: 5, sustained: 60, archetypes: 10 };
const THROTTLED_MINUTE = 10;

/**
 * Routes that a month never refuses: at a hard cap an owner must still read the use, revoke a leaked key, and
 * lift the cap.
 */
const managesAccount = ({ access, path }: AnyRoute): boolean => access === 'account' || path === routes.usage.path;

/** A call to an unknown endpoint. */
const NOWHERE = { path: '' };
/** All calls of an account, whose bucket the nodes of a cluster share. */
const PLAN = { path: 'plan' };
const seconds = (ms: number): number => Math.ceil(ms / 1_000);

/** Marks a limit that refuses nothing, so clients need not wait for it (an extension). */
const NOT_ENFORCED = ';enforced=0';

/** The state of one limit, in the terms of the headers. */
interface LimitStatus {
  readonly limit: number;
  readonly remaining: number;
  /** When the limit is full again, or admits a call again, ms. */
  readonly reset: number;
}

export function createLimits({ store, clock, logger, enforced, throttled = false }: LimitsDeps): Limits {
  const windows = createWindows();
  const withoutKey = createWindows();
  const buckets = createTokenBuckets();
  const quota = createQuota(store, clock, logger);

  return {
    spend(caller, route) {
      const now = clock.now();
      const terms = throttled ? THROTTLED : enforced ? termsOf(caller.plan, caller.contract) : termsOf('pro');
      const limit = throttled ? THROTTLED_MINUTE : minuteLimit(route.path, terms);
      const month = monthOf(now);
      const minute = (count: number): LimitStatus => ({
        limit,
        remaining: Math.max(0, limit - count),
        reset: minuteEnd(now),
      });
      const used = windows.used(route, caller.id, now);
      const calls = enforced ? quota.used(caller.account, now) : 0;
      const elsewhere = windows.newElsewhere(PLAN, caller.account, now);
      if (elsewhere > 0) buckets.take(caller.account, terms, now, elsewhere);
      const level = buckets.level(caller.account, terms, now);
      /** The quota, where it is reached and the account stops there. */
      const cap = enforced && caller.hardCap && terms.monthly !== null && calls >= terms.monthly ? terms.monthly : null;

      if (enforced || throttled) {
        const refused = (status: LimitStatus, message: string): Refusal =>
          new Refusal('rate_limited', message, {
            ...headersOf(status, minute(used), now, terms, level, month, calls, true),
            'retry-after': String(Math.max(1, seconds(status.reset - now))),
          });
        if (cap !== null && !managesAccount(route)) {
          throw refused(
            { limit: cap, remaining: 0, reset: month.end },
            `The hard cap of this account is reached: ${cap} calls in ${month.name}. Calls are taken again from ${new Date(month.end).toISOString()}.`,
          );
        }
        if (used >= limit) {
          throw refused(
            minute(used),
            `This key has made its ${limit} calls of this minute to this endpoint. Wait for the next minute.`,
          );
        }
        if (level < 1) {
          throw refused(
            { limit: terms.sustained, remaining: 0, reset: now + fillMs(1 - level, terms) },
            `${throttled ? 'The scenario throttle' : `The ${PLAN_LABELS[caller.plan]} plan`} takes ${terms.burst} calls at once and ${terms.sustained} a minute. Spread the calls, then try again.`,
          );
        }
      }
      // Beyond its hard cap an account has no calls, so managing it makes no overage.
      const counted = enforced && cap === null ? 1 : 0;
      if (counted > 0) quota.count(caller.account, now);
      windows.count(route, caller.id, now);
      windows.count(PLAN, caller.account, now);
      buckets.take(caller.account, terms, now);
      const after = minute(used + 1);
      const isRefusing = enforced || throttled;
      return headersOf(after, after, now, terms, Math.max(0, level - 1), month, calls + counted, isRefusing);
    },
    anonymous(address, route) {
      const now = clock.now();
      const endpoint = route ?? NOWHERE;
      const limit = minuteLimit(endpoint.path, termsOf('pro'));
      withoutKey.count(endpoint, address, now);
      const remaining = Math.max(0, limit - withoutKey.used(endpoint, address, now));
      const reset = minuteEnd(now);
      return {
        ...plainHeaders({ limit, remaining, reset }),
        ratelimit: `"endpoint";r=${remaining};t=${seconds(reset - now)}`,
        'ratelimit-policy': `"endpoint";q=${limit};w=60${NOT_ENFORCED}`,
      };
    },
    used: (account) => (enforced ? quota.used(account, clock.now()) : 0),
    takeCalls: () => windows.takeCalls(clock.now()),
    receiveCalls: windows.receiveCalls,
    flush: quota.flush,
  };
}

const plainHeaders = ({ limit, remaining, reset }: LimitStatus): LimitHeaders => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  // Rounded up, so that a waiting client is not early.
  'x-ratelimit-reset': String(seconds(reset)),
});

/**
 * @param shown limit in the X-RateLimit-* headers: the endpoint's minute, or the limit that refused. The
 *   RateLimit fields list all limits, the minute first.
 */
function headersOf(
  shown: LimitStatus,
  minute: LimitStatus,
  now: number,
  terms: PlanTerms,
  level: number,
  month: Month,
  calls: number,
  isRefusing: boolean,
): LimitHeaders {
  const { monthly, burst, sustained } = terms;
  const overage = monthly === null ? 0 : calls - monthly;
  const monthLeft = monthly === null ? '' : `, "month";r=${Math.max(0, -overage)};t=${seconds(month.end - now)}`;
  const monthPolicy = monthly === null ? '' : `, "month";q=${monthly};w=${seconds(month.end - month.begin)}`;
  return {
    ...plainHeaders(shown),
    ratelimit: `"endpoint";r=${minute.remaining};t=${seconds(minute.reset - now)}, "plan";r=${Math.floor(level)};t=${seconds(fillMs(burst - level, terms))}${monthLeft}`,
    'ratelimit-policy': `"endpoint";q=${minute.limit};w=${MINUTE_MS / 1_000}${isRefusing ? '' : NOT_ENFORCED}, "plan";q=${sustained};w=60;burst=${burst}${monthPolicy}`,
    ...(overage > 0 ? { 'x-ratelimit-overage': String(overage) } : {}),
  };
}

interface TokenBuckets {
  /** Tokens of the account at `now`, from 0 to the burst; may be fractional. */
  level(account: string, terms: PlanTerms, now: number): number;
  /** Takes tokens, or as many as remain. Default: one. */
  take(account: string, terms: PlanTerms, now: number, tokens?: number): void;
}

/** Milliseconds until `tokens` more arrive. */
const fillMs = (tokens: number, { sustained }: PlanTerms): number => (Math.max(0, tokens) * 60_000) / sustained;

function createTokenBuckets(): TokenBuckets {
  /** An account without an entry has a full bucket. */
  const buckets = new Map<string, { tokens: number; at: number }>();
  const level = (account: string, terms: PlanTerms, now: number): number => {
    const bucket = buckets.get(account);
    if (bucket === undefined) return terms.burst;
    // Setting the clock back neither fills nor empties a bucket; it refills from the new time.
    bucket.at = Math.min(bucket.at, now);
    return Math.min(terms.burst, bucket.tokens + ((now - bucket.at) * terms.sustained) / 60_000);
  };
  return {
    level,
    take(account, terms, now, tokens = 1) {
      buckets.set(account, { tokens: Math.max(0, level(account, terms, now) - tokens), at: now });
    },
  };
}
