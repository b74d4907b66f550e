// Main, core: finds the notification that a further event joins. Pure.
import type { AlertLabels } from '../../../shared/domain/matchers.ts';
import type { Grouping } from '../../../shared/settings/alert-rules.ts';
import type { RecentNotification } from '../ledger/notification-growth.ts';

/**
 * Number of a group's events within its interval with their own notifications; the next event joins the
 * newest.
 */
const MAX_SINGLE = 2;
/**
 * Longest time that a notification grows, ms of this computer and of the world, whose clock may be faster:
 * "since 11:15" must stay recent.
 */
export const LONGEST_GROWTH = 600_000;
/** Most events that join one: every revision names all of them. */
export const MAX_JOINED = 1_000;

type GroupLabels = Pick<AlertLabels, 'symbol' | 'class'>;
/** Decides which events share a notification. */
export interface Groups {
  readonly grouping: Grouping;
  /** Ids of the watchlists that have the symbol. */
  listsOf(symbol: string): readonly string[];
}

/** The group of an event; null: it never shares a notification. */
export function groupOf({ symbol, class: assetClass }: GroupLabels, { grouping, listsOf }: Groups): string | null {
  switch (grouping.by) {
    case 'all':
      return '';
    case 'symbol':
      return symbol ?? '';
    case 'class':
      return assetClass ?? '';
    case 'list':
      // The first list decides for a symbol in several: an event is in one group.
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
 * Id of the notification that an event joins; null: it gets its own. Events of the same instant and group
 * always share one. Nothing joins an acknowledged notification.
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
  const isWithinMinute = ({ at, occurredAt: began }: RecentNotification): boolean =>
    at <= now && now - at < pause && Math.abs(occurredAt - (began ?? occurredAt)) * 1000 <= LONGEST_GROWTH;
  const isMany = own.filter(isWithinMinute).length >= MAX_SINGLE;
  return open.find((one) => isWithinMinute(one) && (isMany || one.isDigest))?.id ?? null;
}
