// Renderer, pure: what a window tells by itself, because the desktop shows nothing: what still needs the user, and what is over but was not put away yet.
import type { Alert } from '../../../shared/channels/state.ts';
import type { InboxGroups } from './groups.ts';

export interface Toasts {
  /** They stand, and nobody has taken care of them: those are counted and acknowledged. */
  readonly standing: readonly Alert[];
  /** Told, and over by now: there is nothing to do but to know of it. */
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
  const away = new Set(dismissed);
  const standing = new Set(needsYou.map(({ alert }) => alert.ledger_id));
  const over = new Set(past.map(({ alert }) => alert.ledger_id));
  const newest = new Map<string, Alert>();
  for (const alert of alerts) if (!newest.has(alert.transition.symbol)) newest.set(alert.transition.symbol, alert);
  const open = alerts.filter(
    ({ handover, acked_at: acked }) =>
      acked === null && handover?.outcome === 'in_app' && !away.has(handover.notification_id),
  );
  // The inbox does not list what is on no watchlist; a rule asked for it all the same.
  const stands = (alert: Alert): boolean =>
    alert.watched
      ? standing.has(alert.ledger_id)
      : newest.get(alert.transition.symbol) === alert && alert.transition.to_state > 0;
  return {
    standing: open.filter(stands),
    over: open.filter((alert) => !stands(alert) && (!alert.watched || over.has(alert.ledger_id))),
  };
}
