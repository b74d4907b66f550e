// Pure: the age of prices in whole days.
import { DAY_MS } from '../lib/time.ts';

/** No market closes for a week, so older prices are not due to a weekend or holiday. */
const OLD_AFTER_DAYS = 7;

/** Whole days since a session day ("2026-07-24") or an instant (ISO) at an instant, ms; never negative. */
export const daysOld = (day: string, now: number): number => Math.max(0, Math.floor((now - Date.parse(day)) / DAY_MS));

/** Whether prices of this age, in days, are not current. */
export const isOld = (days: number): boolean => days > OLD_AFTER_DAYS;

interface PricedRow {
  readonly coverage: string;
  readonly signal: { readonly data_health?: string | undefined; readonly decided_at: string | null } | null;
}

/**
 * The instant of the newest price if the service marks all prices as old; null: a price is current, or no
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
