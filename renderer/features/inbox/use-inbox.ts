// Renderer: the current inbox, and the alerts that only this window can announce.
import { useMemo, useSyncExternalStore } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Alert, LocalAlert } from '../../../shared/channels/state.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { noteAct } from '../../store/act-note.ts';
import type { Mute } from '../../store/alert-outcome.ts';
import { usePreference } from '../../store/preferences.ts';
import { riskOrderOf } from '../../store/risk-order.ts';
import type { AppState } from '../../store/state.ts';
import { type AppStore, useApp, useAppStore } from '../../store/store.ts';
import { createThrottledSelector, type ThrottledSelector } from '../../store/throttled-selector.ts';
import { type InboxGroups, inboxGroups, keepEqual, waitingLocal } from './groups.ts';
import { localToastsOf, type Toasts, toastsOf } from './toasts.ts';

const NO_MUTES: readonly Mute[] = [];

/** The current mutes. */
export const useMutes = (): readonly Mute[] => useApp((state) => state.features.alerting?.mutes ?? NO_MUTES);

/**
 * Pause between two updates of the inbox, ms: in a flood nobody reads faster, and the list must not wait for
 * it.
 */
const PAUSE = 250;

const NO_ALERTS: readonly Alert[] = [];
const NOTHING: InboxGroups = { needsYou: [], takenCare: [], suppressed: [], elevated: [], past: [] };

/** The inbox, and the alerts that it was made from. */
interface Inbox {
  readonly alerts: readonly Alert[];
  readonly groups: InboxGroups;
}

/** Each store has one inbox, which page, tab, toast and keys share. */
const inboxes = new WeakMap<AppStore, ThrottledSelector<Inbox>>();

export const useInbox = (): InboxGroups => useThrottledInbox((inbox) => inbox.groups);

/** @param select returns the same object for the same inbox */
function useThrottledInbox<Part>(select: (inbox: Inbox) => Part): Part {
  const store = useAppStore();
  const { clock } = useServices();
  const inbox = inboxOf(store, clock);
  return useSyncExternalStore(inbox.subscribe, () => select(inbox.read()));
}

function inboxOf(store: AppStore, clock: Clock): ThrottledSelector<Inbox> {
  const known = inboxes.get(store);
  if (known !== undefined) return known;
  const made = createThrottledSelector(store, { clock, pause: PAUSE, select: createInboxSelect() });
  inboxes.set(store, made);
  return made;
}

/** Recomputes only if one of its sources changed. */
function createInboxSelect(): (state: AppState, before: Inbox | null) => Inbox {
  let sources: readonly unknown[] = [];
  return ({ snapshot, features }, before) => {
    const mutes = features.alerting?.mutes ?? NO_MUTES;
    const now = [snapshot?.alerts, snapshot?.rows, snapshot?.watchlists, mutes];
    if (before !== null && now.every((source, index) => source === sources[index])) return before;
    sources = now;
    const alerts = snapshot?.alerts ?? NO_ALERTS;
    const groups = keepEqual(
      before?.groups ?? NOTHING,
      snapshot === null ? NOTHING : inboxGroups(alerts, snapshot.rows, mutes, riskOrderOf(snapshot)),
    );
    // Changed rows that leave the inbox equal are no reason to draw it.
    return before !== null && before.alerts === alerts && before.groups === groups ? before : { alerts, groups };
  };
}

/** The alerts that this window must announce and the user has not dismissed. */
export function useToasts(): Toasts {
  const { alerts, groups } = useThrottledInbox((inbox) => inbox);
  const dismissed = usePreference((preference) => preference.dismissed);
  return useMemo(() => toastsOf(alerts, groups, dismissed), [alerts, groups, dismissed]);
}

const NO_PRICES: readonly LocalAlert[] = [];

/** The price alerts that this window must announce and the user has not dismissed. */
export function useLocalToasts(): Toasts<LocalAlert> {
  const prices = useApp(({ snapshot }) => snapshot?.local_alerts ?? NO_PRICES);
  const mutes = useMutes();
  const dismissed = usePreference((preference) => preference.dismissed);
  return useMemo(() => localToastsOf(prices, mutes, dismissed), [prices, mutes, dismissed]);
}

const NONE: readonly LocalAlert[] = [];

/** Newest first. */
export const useWaitingLocal = (): readonly LocalAlert[] =>
  useApp(useShallow(({ snapshot }) => waitingLocal(snapshot?.local_alerts ?? NONE)));

export function useAcknowledgeLocal(): (alerts: readonly LocalAlert[]) => Promise<void> {
  const { intents } = useServices();
  return async (alerts) => {
    const [first] = alerts;
    if (first === undefined) return;
    const ledger_ids = alerts.map(({ ledger_id }) => ledger_id);
    const done = await intents.ask('alerts.acknowledge', { ledger_ids, acknowledged: true });
    if (!done.ok) return noteAct(done.error);
    noteAct(texts.priceAlerts.acknowledged(texts.localAlertName(first)), async () => {
      const undone = await intents.ask('alerts.acknowledge', { ledger_ids, acknowledged: false });
      noteAct(undone.ok ? texts.alerts.acts.done.undone : undone.error);
    });
  };
}

/** The number on the tab: how many alerts need the user. */
export function useAlertBadge(): { readonly count: number; readonly hot: boolean; readonly label: string } | null {
  const waiting = useWaitingLocal().length;
  const count = useInbox().needsYou.length + waiting;
  return count === 0 ? null : { count, hot: true, label: texts.alerts.badge(count) };
}
