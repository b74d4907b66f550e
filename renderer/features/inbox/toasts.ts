// Renderer, pure: the alerts that the window announces itself, without desktop notifications.
import type { Alert } from '../../../shared/channels/state.ts';
import type { InboxGroups, InboxItem } from './groups.ts';

export interface Toasts {
  /** Active, neither acknowledged nor snoozed: counted and acknowledged together. */
  readonly active: readonly Alert[];
  /** Notified, and over by now; it may still need attention in the inbox. */
  readonly over: readonly Alert[];
}

/**
 * @param alerts newest first
 * @param groups the inbox groups of watched symbols
 * @param dismissed ids of events that the user dismissed: a further event may join their notification
 */
export function toastsOf(
  alerts: readonly Alert[],
  { needsYou, past }: InboxGroups,
  dismissed: readonly string[],
): Toasts {
  const dismissedIds = new Set(dismissed);
  const idsOf = (items: readonly InboxItem[]): ReadonlySet<number> =>
    new Set(items.map(({ alert }) => alert.ledger_id));
  const activeIds = idsOf(needsYou.filter(({ isActive }) => isActive));
  const over = idsOf([...past, ...needsYou.filter(({ isActive }) => !isActive)]);
  const newest = new Map<string, Alert>();
  for (const alert of alerts) if (!newest.has(alert.transition.symbol)) newest.set(alert.transition.symbol, alert);
  const open = alerts.filter(
    ({ dispatch, acked_at: acked, transition }) =>
      acked === null &&
      (dispatch?.outcome === 'in_app' || dispatch?.outcome === 'failed') &&
      !dismissedIds.has(transition.event_id),
  );
  // The inbox does not list symbols of no watchlist, but a rule may match them.
  const isActive = (alert: Alert): boolean =>
    alert.watched
      ? activeIds.has(alert.ledger_id)
      : newest.get(alert.transition.symbol) === alert && alert.transition.to_state > 0;
  return {
    active: open.filter(isActive),
    over: open.filter((alert) => !isActive(alert) && (!alert.watched || over.has(alert.ledger_id))),
  };
}
