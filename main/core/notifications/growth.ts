// Main, core: finds the notification that a further event joins. Pure.
// Many events become one notification.
import type { AlertLabels } from '../../../shared/domain/matchers.ts';
import type { Grouping } from '../../../shared/settings/alert-rules.ts';
import type { RecentNotification } from '../ledger/notification-growth.ts';

/** So many events of a group within its interval have notifications of their own; the next one joins the newest of these. */
const ALONE = 2;
/** A notification grows no longer than this, ms of this computer: "since 11:15" must stay a statement about now. */
export const LONGEST_GROWTH = 600_000;
/** Most events that join one: every revision names all of them. */
const MAX_JOINED = 1_000;

type GroupLabels = Pick<AlertLabels, 'symbol' | 'class'>;
/** What decides which events share a notification. */
export interface Groups {
  readonly grouping: Grouping;
  /** Ids of the watchlists that have the symbol. */
  listsOf(symbol: string): readonly string[];
}

/** The group of an event; null: it is never with another one. */
export function groupOf({ symbol, class: assetClass }: GroupLabels, { grouping, listsOf }: Groups): string | null {
  switch (grouping.by) {
    case 'all':
      return '';
    case 'symbol':
      return symbol ?? '';
    case 'class':
      return assetClass ?? '';
    case 'list':
      // The first list decides for a symbol of several: an event is in one group.
      return symbol === null ? '' : (listsOf(symbol)[0] ?? '');
    case 'none':
      return null;
  }
}

interface GrowingEvent {
  readonly labels: GroupLabels;
  /** World time, whole seconds. */
  readonly occurredAt: number;
}

/**
 * The notification that an event joins; null: it has its own. Events of one instant and group are always one.
 * An acknowledged notification does not come back.
 * @param recent newest first, decided within LONGEST_GROWTH
 * @param now this computer's clock, ms
 */
export function joinedBy(
  recent: readonly RecentNotification[],
  { labels, occurredAt }: GrowingEvent,
  now: number,
  groups: Groups,
): string | null {
  const group = groupOf(labels, groups);
  if (group === null) return null;
  const pause = groups.grouping.interval_seconds * 1000;
  const own = recent.filter((one) => groupOf(one, groups) === group);
  const open = own.filter(({ isAcknowledged, revision }) => !isAcknowledged && revision < MAX_JOINED);
  const same = open.find((one) => one.occurredAt === occurredAt);
  if (same !== undefined) return same.id;
  const isWithinMinute = ({ at }: RecentNotification): boolean => at <= now && now - at < pause;
  const isMany = own.filter(isWithinMinute).length >= ALONE;
  return open.find((one) => isWithinMinute(one) && (isMany || one.isDigest))?.id ?? null;
}
