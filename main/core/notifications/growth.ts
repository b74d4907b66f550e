// Main, core: decides which notification a further event joins, so that many events are one notification. Pure.
import type { RecentNotification } from '../ledger/notification-growth.ts';

/** So many events within a minute have notifications of their own; the next one joins the newest of these. */
const ALONE = 2;
/** Events nearer to each other than this are one burst, ms of this computer. */
export const BURST_PAUSE = 60_000;
/** A notification grows no longer than this, ms of this computer: "since 11:15" must stay a statement about now. */
export const LONGEST_GROWTH = 10 * BURST_PAUSE;
/** Most events that join one: every revision names all of them. */
const MOST_JOINED = 1_000;

/**
 * The notification that an event of this instant joins; null: it has its own. Events of one instant are always one.
 * An acknowledged notification does not come back.
 * @param recent newest first, decided within LONGEST_GROWTH
 * @param occurredAt world time, whole seconds
 * @param now this computer's clock, ms
 */
export function joinedBy(recent: readonly RecentNotification[], occurredAt: number, now: number): string | null {
  const open = recent.filter(({ isAcknowledged, revision }) => !isAcknowledged && revision < MOST_JOINED);
  const same = open.find((one) => one.occurredAt === occurredAt);
  if (same !== undefined) return same.id;
  const isWithinMinute = ({ at }: RecentNotification): boolean => at <= now && now - at < BURST_PAUSE;
  const isMany = recent.filter(isWithinMinute).length >= ALONE;
  return open.find((one) => isWithinMinute(one) && (isMany || one.isDigest))?.id ?? null;
}
