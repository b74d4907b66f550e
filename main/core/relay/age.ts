// Main, core: classifies the age of an unknown delivery (docs/contract.md 28). Pure.
// The service's signature does not cover the time, so the time in the body is compared with the service's
// clock, never with this computer's. A repeat needs no such rule: its event_id is in the ledger.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The service tries for 24 h; one more hour for its last attempt. */
const LATE_AFTER = 25 * HOUR;
/** Ids are unique for this long. */
const TOO_OLD_AFTER = 30 * 24 * HOUR;
const AHEAD_LIMIT = 5 * MINUTE;

/** late: accepted and labelled. too_old, ahead: quarantined until the service confirms it. */
export type Age = 'fresh' | 'late' | 'too_old' | 'ahead';

/**
 * @param occurredAt world time, ms
 * @param world the service's clock now, ms, and its speed: at 60 times ours, a second in transit is a minute
 * there
 */
export function classifyAge(occurredAt: number, world: { readonly now: number; readonly speed: number }): Age {
  const age = world.now - occurredAt;
  if (age < -AHEAD_LIMIT * Math.max(1, world.speed)) return 'ahead';
  if (age > TOO_OLD_AFTER) return 'too_old';
  return age > LATE_AFTER ? 'late' : 'fresh';
}
