// Main, core: decides which mute applies to an alert, and which transition ends it. Pure.

import { type AlertLabels, matches, onlySymbol } from '../../../shared/domain/matchers.ts';
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import type { State } from '../../../shared/domain/states.ts';
import { isQuiet, type QuietHours } from '../../../shared/settings/alert-rules.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { Mute } from '../ledger/mutes.ts';

export const hasRunOut = (mute: Mute, now: number): boolean => mute.untilAt !== null && mute.untilAt <= now;

/**
 * Reason of the mute of an alert with these labels now (world time, ms); null: not muted. A snooze precedes a
 * silence, because the user chose it for this alert.
 */
export function mutedBy(
  mutes: readonly Mute[],
  quiet: QuietHours | null,
  labels: AlertLabels,
  calendar: SessionCalendar,
  now: number,
): Message | null {
  const covering = mutes.filter((one) => matches(one.matchers, labels) && one.from <= now && !hasRunOut(one, now));
  const mute = covering.find(({ kind }) => kind === 'snooze') ?? covering[0];
  if (mute !== undefined) {
    if (mute.kind === 'snooze') return message('muted.snoozed');
    return mute.comment === '' ? message('muted.silenced') : message('muted.silenced_for', { comment: mute.comment });
  }
  return isQuiet(quiet, now, calendar) ? message('muted.quiet_hours') : null;
}

/**
 * Mutes that a transition ends; `at`: its world time, ms. An event before the start of a mute does not end
 * it; a snooze starts with the snoozed alert.
 */
export function endedBy(
  mutes: readonly Mute[],
  symbol: string,
  to: State,
  at: number,
): { readonly id: number; readonly why: string }[] {
  return mutes.flatMap((mute) => {
    // One symbol's change does not end a mute of several symbols.
    if (at < mute.from || onlySymbol(mute.matchers) !== symbol) return [];
    if (mute.until === 'change') return [{ id: mute.id, why: `${symbol} changed` }];
    const isEnded = to === 0 && (mute.until === 'recovery' || mute.kind === 'snooze');
    return isEnded ? [{ id: mute.id, why: `${symbol} recovered` }] : [];
  });
}
