// Renderer, pure: what became of an alert, and what can be done with it. One rule for the page, the inbox, the toast and the number on the tab.
import type { Alerting } from '../../../shared/channels/alerting.ts';
import type { Alert } from '../../../shared/channels/state.ts';

export type Mute = Alerting['mutes'][number];

export type Outcome =
  /** It stands, and nobody has taken care of it. */
  | { readonly kind: 'needs_you' }
  | { readonly kind: 'acknowledged' /** This computer's clock, ISO. */; readonly at: string }
  | { readonly kind: 'snoozed'; readonly mute: Mute }
  /** A rule asked for it, and it waits or was decided against. */
  | { readonly kind: 'held'; readonly reason: string }
  | {
      readonly kind: 'came_and_went';
      readonly told: boolean /** It was in the log before the first sight. */;
      readonly before: boolean;
    }
  /** Back in Normal: nothing to do. */
  | { readonly kind: 'back' }
  /** No rule asked for it: the nearest one, and what it lacked; null where that is not known. */
  | { readonly kind: 'not_asked'; readonly miss: string | null; readonly rule: string | null }
  | { readonly kind: 'unwatched' };

export const GROUPS = ['needs_you', 'held', 'taken_care', 'came_and_went', 'not_asked'] as const;
export type Group = (typeof GROUPS)[number];

const GROUP_OF: Readonly<Record<Outcome['kind'], Group>> = {
  needs_you: 'needs_you',
  acknowledged: 'taken_care',
  snoozed: 'taken_care',
  held: 'held',
  came_and_went: 'came_and_went',
  back: 'came_and_went',
  not_asked: 'not_asked',
  unwatched: 'not_asked',
};
export const groupOf = ({ kind }: Outcome): Group => GROUP_OF[kind];

/** What a trader's own rules decided against. All the rest (no rule, a disabled one, older than the first sight) is nobody's wish. */
const WISHED = ['other_event', 'other_symbol', 'below_state', 'below_confidence', 'other_regime', 'outside_hours'];

/** @param stands the symbol is still in the state that it entered with this transition */
export function outcomeOf(alert: Alert, stands: boolean, mutes: readonly Mute[]): Outcome {
  const { symbol, to_state: state } = alert.transition;
  if (alert.acked_at !== null) return { kind: 'acknowledged', at: alert.acked_at };
  if (state === 0) return { kind: 'back' };
  if (!alert.watched && alert.telling === 'none') return { kind: 'unwatched' };
  const snooze = mutes.find(
    (mute) => mute.kind === 'snooze' && (mute.symbols === null || mute.symbols.includes(symbol)),
  );
  if (stands && snooze !== undefined) return { kind: 'snoozed', mute: snooze };
  if (alert.telling === 'waiting' || alert.telling === 'dropped') return { kind: 'held', reason: alert.reason };
  const [miss = null, rule = null] = alert.decision?.split(':') ?? [];
  const isWished = miss !== null && WISHED.includes(miss);
  if (alert.telling === 'none' && (isWished || (stands && state < 2))) return { kind: 'not_asked', miss, rule };
  return stands
    ? { kind: 'needs_you' }
    : { kind: 'came_and_went', told: alert.telling === 'told', before: miss === 'before_first_sight' };
}

/** Acknowledging says something only of what is told, waits to be told, or stands. */
export const canAcknowledge = (outcome: Outcome): boolean =>
  outcome.kind === 'needs_you' ||
  outcome.kind === 'snoozed' ||
  outcome.kind === 'held' ||
  (outcome.kind === 'came_and_went' && outcome.told);

export const canSnooze = (alert: Alert, stands: boolean): boolean =>
  stands && alert.watched && alert.transition.to_state > 0;
