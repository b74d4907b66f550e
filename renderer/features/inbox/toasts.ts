// Renderer, pure: what a window tells by itself, because the desktop shows nothing: what still needs the user, and what is over but was not put away yet.
import type { Alert } from '../../../shared/channels/state.ts';
import type { InboxGroups } from './groups.ts';

export interface Toasts {
  /** They stand, and nobody has taken care of them: those are counted and acknowledged. */
  readonly active: readonly Alert[];
  /** Notified, and over by now: there is nothing to do but to know of it. */
  readonly over: readonly Alert[];
}

/**
 * @param alerts newest first
 * @param groups what the inbox makes of those of watched symbols
 * @param dismissed notification ids that the user put away
 */
export function toastsOf(
  alerts: readonly Alert[],
  { needsYou, past }: InboxGroups,
  dismissed: readonly string[],
): Toasts {
  const dismissedIds = new Set(dismissed);
  const activeIds = new Set(needsYou.map(({ alert }) => alert.ledger_id));
  const over = new Set(past.map(({ alert }) => alert.ledger_id));
  const newest = new Map<string, Alert>();
  for (const alert of alerts) if (!newest.has(alert.transition.symbol)) newest.set(alert.transition.symbol, alert);
  const open = alerts.filter(
    ({ dispatch, acked_at: acked }) =>
      acked === null && dispatch?.outcome === 'in_app' && !dismissedIds.has(dispatch.notification_id),
  );
  // The inbox does not list what is on no watchlist; a rule asked for it all the same.
  const isActive = (alert: Alert): boolean =>
    alert.watched
      ? activeIds.has(alert.ledger_id)
      : newest.get(alert.transition.symbol) === alert && alert.transition.to_state > 0;
  return {
    active: open.filter(isActive),
    over: open.filter((alert) => !isActive(alert) && (!alert.watched || over.has(alert.ledger_id))),
  };
}
