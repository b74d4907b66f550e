// Renderer, pure: what the window announces to screen readers.
import type { Alert } from '../../shared/channels/state.ts';
import { baseRateOf, worldTime } from './select.ts';
import type { Announcement, AppState, CoreSnapshot } from './state.ts';

/** High Risk of a watched symbol is announced to screen readers. */
export const isAnnounced = ({ watched, transition }: Alert): boolean => watched && transition.to_state === 2;

interface News {
  /** Alerts that came with the change. */
  readonly changed?: readonly Alert[];
  readonly isBackOnline?: boolean;
}

/**
 * The announcements after a change, without waiting ones that are no longer true. The first one is being
 * spoken.
 */
export function announce(before: AppState, after: AppState, { changed = [], isBackOnline = false }: News): AppState {
  const { snapshot } = after;
  if (snapshot === null) return after;
  const [spoken, ...waiting] = before.announcements;
  const added: readonly Announcement[] = [
    // The first snapshot has no news; a later one may have alerts that were missed while the link was down.
    ...(before.snapshot === null ? [] : highRiskAnnouncements(before.snapshot, snapshot, changed)),
    ...outageAnnouncements(before.snapshot, snapshot),
    ...(isBackOnline ? [{ id: 'online', kind: 'online' } as const] : []),
  ];
  const current = waiting.length === 0 ? waiting : waiting.filter(currentIn(snapshot));
  return added.length === 0 && current.length === waiting.length
    ? after
    : { ...after, announcements: [...(spoken === undefined ? [] : [spoken]), ...current, ...added] };
}

/** The announcements to speak next: a single one, or all waiting High Risk if there are more than two. */
export function nextSpoken(announcements: readonly Announcement[]): readonly Announcement[] {
  const highRisk = announcements.filter(({ kind }) => kind === 'high_risk');
  return announcements[0]?.kind === 'high_risk' && highRisk.length > 2 ? highRisk : announcements.slice(0, 1);
}

function currentIn({ alerts, connection }: CoreSnapshot): (announcement: Announcement) => boolean {
  const newest = new Map<string, Alert>();
  for (const alert of alerts) if (!newest.has(alert.transition.symbol)) newest.set(alert.transition.symbol, alert);
  return (announcement) => {
    if (announcement.kind === 'online') return connection.outage === null;
    if (announcement.kind === 'outage')
      return connection.outage !== null && announcement.id === outageId(connection.outage);
    const now = newest.get(announcement.alert.transition.symbol);
    return now?.transition.event_id === announcement.id && now.acked_at === null;
  };
}

/**
 * High Risk alerts of watched symbols that the window did not have before. An alert that the window does not
 * keep is old: the core pushed it for an acknowledgement or a note.
 */
function highRiskAnnouncements(before: CoreSnapshot, after: CoreSnapshot, changed: readonly Alert[]): Announcement[] {
  if (changed.length === 0) return [];
  const idsOf = (alerts: readonly Alert[]) => new Set(alerts.map(({ transition }) => transition.event_id));
  const known = idsOf(before.alerts);
  const kept = idsOf(after.alerts);
  return changed
    .filter((alert) => {
      const { event_id: id } = alert.transition;
      return isAnnounced(alert) && !known.has(id) && kept.has(id);
    })
    .map((alert) => ({
      id: alert.transition.event_id,
      kind: 'high_risk',
      alert,
      baseRate: baseRateOf(after, alert),
    }));
}

/** A start that fails is announced again. */
const outageId = ({ since, cause }: NonNullable<CoreSnapshot['connection']['outage']>): string =>
  `outage ${since}${cause.code === 'service.starting' ? ' starting' : ''}`;

function outageAnnouncements(before: CoreSnapshot | null, after: CoreSnapshot): Announcement[] {
  const outage = after.connection.outage;
  const known = before?.connection.outage ?? null;
  if (outage === null || (known !== null && outageId(known) === outageId(outage))) return [];
  return [
    {
      id: outageId(outage),
      kind: 'outage',
      since: worldTime(after.connection.clock, after.anchoredAt, Date.parse(outage.since)),
      cause: outage.cause,
    },
  ];
}
