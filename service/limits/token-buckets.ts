// Service, limits: one token bucket per account: capacity is the burst, refill the sustained rate.
import type { PlanTerms } from '../../shared/wire/limits.ts';

export interface TokenBuckets {
  /** Tokens of the account at `now`, from 0 to the burst; may be fractional. */
  level(account: string, terms: PlanTerms, now: number): number;
  /** Takes one token, or the remaining fraction. */
  take(account: string, terms: PlanTerms, now: number): void;
}

/** Milliseconds until `tokens` more arrive. */
export const fillMs = (tokens: number, { sustained }: PlanTerms): number => (Math.max(0, tokens) * 60_000) / sustained;

export function createTokenBuckets(): TokenBuckets {
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
    take(account, terms, now) {
      buckets.set(account, { tokens: Math.max(0, level(account, terms, now) - 1), at: now });
    },
  };
}
