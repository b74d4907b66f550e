// Renderer, pure: the alerts that the window announces itself, without desktop notifications.
import type { Alert, LocalAlert } from '../../../shared/channels/state.ts';
import { isSnoozed, type Mute } from '../../store/alert-outcome.ts';
import type { InboxGroups, InboxItem } from './groups.ts';

export interface Toasts<Item = Alert> {
  /** Active, neither acknowledged nor snoozed: counted and acknowledged together. */
  readonly active: readonly Item[];
  /** Notified, and over by now; it may still need attention in the inbox. */
  readonly over: readonly Item[];
}

export const eventIdOf = (alert: Alert | LocalAlert): string =>
  'transition' in alert ? alert.transition.event_id : alert.event_id;

/** The desktop did not show the alert, and nobody acknowledged or dismissed it. */
const isOpen = (alert: Alert | LocalAlert, dismissed: ReadonlySet<string>): boolean =>
  alert.acked_at === null &&
  (alert.dispatch?.outcome === 'in_app' || alert.dispatch?.outcome === 'failed') &&
  !dismissed.has(eventIdOf(alert));

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
  const open = alerts.filter((alert) => isOpen(alert, dismissedIds));
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

/**
 * `active` are the price alerts that need the user; `over` are those that a later one of their rule replaced.
 * @param prices newest first
 */
export function localToastsOf(
  prices: readonly LocalAlert[],
  mutes: readonly Mute[],
  dismissed: readonly string[],
): Toasts<LocalAlert> {
  const dismissedIds = new Set(dismissed);
  const open = prices.filter((alert) => isOpen(alert, dismissedIds));
  return {
    active: open.filter((alert) => alert.needs_attention),
    over: open.filter((alert) => !alert.needs_attention && (alert.symbol === null || !isSnoozed(alert.symbol, mutes))),
  };
}
