// Main, core: which alerts share a notification, and how long the first of a group waits for others. Pure.
// A group has one notification, which grows under one id: docs/pictures/groups.svg.
import type { AlertLabels } from '../../../shared/domain/matchers.ts';
import type { Grouping } from '../../../shared/settings/alert-rules.ts';
import type { RecentNotification } from '../ledger/notification-growth.ts';
import { WATCH_BATCH } from '../ledger/notification-queue.ts';
import { holdTimeOf } from './hold-time.ts';

/**
 * Longest time that a notification grows, ms of this computer and of the world, whose clock may be faster:
 * "since 11:15" must stay recent.
 */
export const LONGEST_GROWTH = 600_000;
/** Most events that join one: every revision names all of them. */
export const MAX_JOINED = 1_000;

/** Groups beside those of the settings: events that were missed, and those of a symbol that flaps. */
export const DOWNTIME_BATCH = 'downtime';
export const flapBatch = (symbol: string): string => `flap:${symbol}`;
const WAIT = { downtime: 5_000, flap: 30_000 };

export const groupBatch = (seconds: number, group: string): string => `group:${seconds}:${group}`;
/** Parses "group:SECONDS:GROUP": wait of the first of a group for others, ms; null for any other batch. */
function groupWaitOf(batch: string): number | null {
  const [kind, seconds] = batch.split(':');
  return kind === 'group' ? Number(seconds) * 1000 : null;
}

/** Wait of the first notification of a batch for others, ms of this computer. */
function waitOf(batch: string): number {
  // It is written at once, and complete.
  if (batch === WATCH_BATCH) return 0;
  if (batch === DOWNTIME_BATCH) return WAIT.downtime;
  if (batch.startsWith('flap:')) return WAIT.flap;
  return holdTimeOf(batch) ?? groupWaitOf(batch) ?? 0;
}

/**
 * The rest of a batch's wait, which began at `since`, ms. Restarts of the program do not restart the wait,
 * except for missed events, which wait for back-fill.
 */
export function remainingWait(batch: string, since: number, now: number): number {
  const whole = waitOf(batch);
  const waited = now - since;
  return batch === DOWNTIME_BATCH || waited < 0 ? whole : Math.max(0, whole - waited);
}

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
 * Id of the notification that an event joins: the newest of its group within the interval, or of the same
 * instant; null: it gets its own. Nothing joins an acknowledged notification.
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
  const interval = groups.grouping.interval_seconds * 1000;
  const open = recent.filter(
    (one) => !one.isAcknowledged && one.revision < MAX_JOINED && groupOf(one, groups) === group,
  );
  const same = open.find((one) => one.occurredAt === occurredAt);
  const isWithinInterval = ({ at, occurredAt: began }: RecentNotification): boolean =>
    at <= now && now - at < interval && Math.abs(occurredAt - (began ?? occurredAt)) * 1000 <= LONGEST_GROWTH;
  return (same ?? open.find(isWithinInterval))?.id ?? null;
}
