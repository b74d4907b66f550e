// Renderer, pure: one rule for an alert's outcome and actions, on page, inbox, toast and badge.

import type { Alerting } from '../../shared/channels/alerting.ts';
import type { Alert } from '../../shared/channels/state.ts';
import { onlySymbol } from '../../shared/domain/matchers.ts';
import { RULED_OUT } from '../../shared/settings/misses.ts';
import { optionalText } from '../../shared/text/message.ts';

export type Mute = Alerting['mutes'][number];

export type Outcome =
  /** Nobody has acknowledged or snoozed it, and it is active or a notified High Risk. */
  | { readonly kind: 'needs_you' }
  | {
      readonly kind: 'acknowledged' /** This computer's clock, ISO. */;
      readonly at: string /** Who, as the desk says. */;
      readonly by?: string;
    }
  | { readonly kind: 'snoozed'; readonly mute: Mute }
  /** A rule matched, but the notification waits or was suppressed. */
  | { readonly kind: 'suppressed'; readonly reason: string }
  | {
      readonly kind: 'came_and_went';
      readonly isNotified: boolean /** It was in the log before the baseline. */;
      readonly isBaseline: boolean;
    }
  /** Back in Normal: nothing to do. */
  | { readonly kind: 'back' }
  /**
   * No rule matched. `rule` came nearest, and `miss` is its condition that the alert failed; null where
   * unknown.
   */
  | { readonly kind: 'unmatched'; readonly miss: string | null; readonly rule: string | null }
  | { readonly kind: 'unwatched' };

export const GROUPS = ['needs_you', 'suppressed', 'taken_care', 'came_and_went', 'unmatched'] as const;
export type Group = (typeof GROUPS)[number];

const GROUP_OF: Readonly<Record<Outcome['kind'], Group>> = {
  needs_you: 'needs_you',
  acknowledged: 'taken_care',
  snoozed: 'taken_care',
  suppressed: 'suppressed',
  came_and_went: 'came_and_went',
  back: 'came_and_went',
  unmatched: 'unmatched',
  unwatched: 'unmatched',
};
export const groupOf = ({ kind }: Outcome): Group => GROUP_OF[kind];

const snoozeOf = (symbol: string, mutes: readonly Mute[]): Mute | undefined =>
  mutes.find((mute) => mute.kind === 'snooze' && onlySymbol(mute.matchers) === symbol);
export const isSnoozed = (symbol: string, mutes: readonly Mute[]): boolean => snoozeOf(symbol, mutes) !== undefined;

/** @param isActive the symbol is still in the state that it entered with this transition */
export function outcomeOf(alert: Alert, isActive: boolean, mutes: readonly Mute[]): Outcome {
  const { symbol, to_state: state } = alert.transition;
  if (alert.needs_attention) return { kind: 'needs_you' };
  if (alert.acked_at !== null)
    return {
      kind: 'acknowledged',
      at: alert.acked_at,
      ...(alert.acked_by === undefined ? {} : { by: alert.acked_by }),
    };
  if (state === 0) return { kind: 'back' };
  if (!alert.watched && alert.notification_status === 'none') return { kind: 'unwatched' };
  const snooze = snoozeOf(symbol, mutes);
  if (isActive && snooze !== undefined) return { kind: 'snoozed', mute: snooze };
  if (alert.notification_status === 'waiting' || alert.notification_status === 'dropped')
    return { kind: 'suppressed', reason: optionalText(alert.reason) };
  const [miss = null, rule = null] = alert.decision?.split(':') ?? [];
  const isRuledOut = miss !== null && RULED_OUT.includes(miss);
  if (alert.notification_status === 'none' && (isRuledOut || (isActive && state < 2)))
    return { kind: 'unmatched', miss, rule };
  return {
    kind: 'came_and_went',
    isNotified: alert.notification_status === 'notified',
    isBaseline: miss === 'before_baseline',
  };
}

/** Acknowledging applies to alerts that notified or will notify the user, and to active ones. */
export const canAcknowledge = (outcome: Outcome): boolean =>
  outcome.kind === 'needs_you' ||
  outcome.kind === 'snoozed' ||
  outcome.kind === 'suppressed' ||
  (outcome.kind === 'came_and_went' && outcome.isNotified);

export const canSnooze = (alert: Alert, isActive: boolean): boolean =>
  isActive && alert.watched && alert.transition.to_state > 0;
