// Pure: how old prices are, in whole days, and whether any of them is current.
import { DAY_MS } from '../lib/time.ts';

/** A week without a session does not happen; more than that is no weekend and no holiday. */
const OLD_AFTER_DAYS = 7;

/** Whole days since a session day ("2026-07-24") or an instant (ISO) at an instant, ms; never negative. */
export const daysOld = (day: string, now: number): number => Math.max(0, Math.floor((now - Date.parse(day)) / DAY_MS));

/** Prices that end this many days ago say nothing of the present. */
export const isOld = (days: number): boolean => days > OLD_AFTER_DAYS;

interface PricedRow {
  readonly coverage: string;
  readonly signal: { readonly data_health?: string | undefined; readonly decided_at: string | null } | null;
}

/**
 * The instant of the newest price where the service calls every one of them old; null where one is current, or no
 * symbol has a price.
 */
export function newestOldPrice(rows: readonly PricedRow[]): string | null {
  let newest: string | null = null;
  for (const { coverage, signal } of rows) {
    if (coverage !== 'full' || signal === null) continue;
    if (signal.data_health !== 'stale' || signal.decided_at === null) return null;
    if (newest === null || signal.decided_at > newest) newest = signal.decided_at;
  }
  return newest;
}
