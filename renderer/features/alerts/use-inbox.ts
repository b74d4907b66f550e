// Renderer: the inbox as it stands, and the High Risk that only this window can tell.
import { useMemo, useSyncExternalStore } from 'react';
import type { Clock } from '../../../shared/lib/clock.ts';
import { useServices } from '../../services.ts';
import { type Calm, createCalm } from '../../store/calm.ts';
import { usePreference } from '../../store/preferences.ts';
import type { AppState } from '../../store/state.ts';
import { type AppStore, useApp, useAppStore, useBoard } from '../../store/store.ts';
import { type InboxGroups, inboxGroups, keepEqual } from './groups.ts';
import type { Mute } from './outcome.ts';
import { type Toasts, toastsOf } from './toasts.ts';

const NO_MUTES: readonly Mute[] = [];

/** What keeps alerts quiet now. */
export const useMutes = (): readonly Mute[] => useApp((state) => state.wholes.alerting?.mutes ?? NO_MUTES);

/** Between two drawings of the inbox, ms: in a flood nobody reads faster, and the list beside it must not wait for it. */
const PAUSE = 250;

const NOTHING: InboxGroups = { needsYou: [], takenCare: [], held: [], elevated: [], past: [] };
/** One for each window's store: the page, the tab's number and the keys speak of the same inbox. */
const inboxes = new WeakMap<AppStore, Calm<InboxGroups>>();

export function useInbox(): InboxGroups {
  const store = useAppStore();
  const { clock } = useServices();
  const inbox = inboxOf(store, clock);
  return useSyncExternalStore(inbox.subscribe, inbox.read);
}

function inboxOf(store: AppStore, clock: Clock): Calm<InboxGroups> {
  const known = inboxes.get(store);
  if (known !== undefined) return known;
  const made = createCalm(store, { clock, pause: PAUSE, select: createInboxSelect() });
  inboxes.set(store, made);
  return made;
}

/** Works it out again only where one of its sources is another. */
function createInboxSelect(): (state: AppState, before: InboxGroups | null) => InboxGroups {
  let sources: readonly unknown[] = [];
  return ({ board, wholes }, before) => {
    const mutes = wholes.alerting?.mutes ?? NO_MUTES;
    const now = [board?.alerts, board?.rows, mutes];
    if (before !== null && now.every((source, index) => source === sources[index])) return before;
    sources = now;
    return keepEqual(before ?? NOTHING, board === null ? NOTHING : inboxGroups(board.alerts, board.rows, mutes));
  };
}

/** What this window must tell by itself and was not put away yet. */
export function useToasts(): Toasts {
  const alerts = useBoard((board) => board.alerts);
  const dismissed = usePreference((preference) => preference.dismissed);
  const groups = useInbox();
  return useMemo(() => toastsOf(alerts, groups, dismissed), [alerts, groups, dismissed]);
}
