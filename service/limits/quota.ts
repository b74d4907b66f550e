// Service, limits: counts calls in a calendar month (UTC, wall clock).
// Counts in memory, and writes twice a second when there are new calls.

import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Logger } from '../logger.ts';
import type { Store } from '../store/store.ts';

/** Maximum period of use that a kill of the process can lose, wall ms. */
const WRITE_EVERY_MS = 500;

export interface Quota {
  /** Calls of the account in the month of `now`. */
  used(account: string, now: number): number;
  count(account: string, now: number): void;
  /** Writes the pending counts. Call it before the store closes. */
  flush(): void;
}

export interface Month {
  /** 2026-03 */
  readonly name: string;
  /** ms; the month ends where the next one begins. */
  readonly begin: number;
  readonly end: number;
}

export function monthOf(instant: number): Month {
  const date = new Date(instant);
  // Not Date.UTC: it reads the years 0 to 99 as 1900 to 1999.
  const first = (ahead: number): number =>
    new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + ahead, 1);
  const begin = first(0);
  return { name: new Date(begin).toISOString().slice(0, 7), begin, end: first(1) };
}

interface Count {
  readonly account: string;
  readonly month: string;
  unwritten: number;
}

export function createQuota(
  { usage, transaction }: Pick<Store, 'usage' | 'transaction'>,
  clock: Clock,
  logger: Logger,
): Quota {
  let month = monthOf(clock.now());
  let counts = new Map<string, Count>();
  /** Counts not yet written, of this month or the previous one. */
  const unwritten = new Set<Count>();
  let armed: Cancel | null = null;

  const countOf = (account: string, now: number): Count => {
    if (now < month.begin || now >= month.end) {
      month = monthOf(now);
      counts = new Map();
    }
    let count = counts.get(account);
    if (count === undefined) {
      const pending = [...unwritten].find((one) => one.account === account && one.month === month.name);
      count = pending ?? { account, month: month.name, unwritten: 0 };
      counts.set(account, count);
    }
    return count;
  };
  const flush = (): void => {
    armed?.();
    armed = null;
    if (unwritten.size === 0) return;
    transaction(() => {
      for (const { account, month: name, unwritten: calls } of unwritten) usage.add(account, name, calls);
    });
    for (const count of unwritten) count.unwritten = 0;
    unwritten.clear();
  };
  const arm = (): void => {
    armed ??= clock.after(WRITE_EVERY_MS, () => {
      armed = null;
      try {
        flush();
      } catch (error) {
        // The counts stay pending and are written with the next ones.
        logger.warn({ error: messageOf(error) }, 'the calls of the month cannot be written down');
        arm();
      }
    });
  };
  return {
    used(account, now) {
      const { month: name, unwritten: own } = countOf(account, now);
      // Read each time: another node of the cluster may have written.
      return usage.calls(account, name) + own;
    },
    count(account, now) {
      const count = countOf(account, now);
      count.unwritten += 1;
      unwritten.add(count);
      arm();
    },
    flush,
  };
}
