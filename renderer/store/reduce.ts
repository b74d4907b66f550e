// Renderer, pure: the reducer of a window's state. No clock, no I/O: times come with the action.
import {
  type Alert,
  type Change,
  MAX_ALERTS,
  newestFirst,
  type Row,
  type Snapshot,
} from '../../shared/channels/state.ts';
import type { Message } from '../../shared/text/message.ts';
import type { Transition } from '../../shared/wire/records.ts';
import { announce } from './announcements.ts';
import { isOffline } from './select.ts';
import type { AppState, CoreSnapshot, FeatureName, FeatureStates } from './state.ts';

export type StoreAction =
  | { readonly kind: 'link'; readonly up: boolean; readonly at: number }
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot; readonly at: number }
  | { readonly kind: 'changes'; readonly changes: readonly Change[]; readonly at: number }
  /** The link has ended for good; the message says what to do. */
  | { readonly kind: 'ended'; readonly message: Message }
  /** The user chose a symbol in this window. */
  | { readonly kind: 'selected'; readonly symbol: string }
  /** A call was refused; null when a later one succeeded. */
  | { readonly kind: 'problem'; readonly message: string | null }
  | FeatureStateAction
  | { readonly kind: 'spoken'; readonly ids: readonly string[] };

type FeatureStateAction = {
  [Name in FeatureName]: { readonly kind: 'feature'; readonly name: Name; readonly value: FeatureStates[Name] };
}[FeatureName];

/** @param at this computer's time of arrival, ms since the epoch, in the actions that carry it */
export function reduce(state: AppState, action: StoreAction): AppState {
  switch (action.kind) {
    case 'link':
      return takeLink(state, linkNow(state, action.up), action.at);
    case 'snapshot':
      return takeSnapshot(state, action.snapshot, action.at);
    case 'changes':
      return state.snapshot === null
        ? state
        : action.changes.reduce((next, change) => apply(next, change, action.at), state);
    case 'selected':
      return state.snapshot === null || state.snapshot.selected === action.symbol
        ? state
        : { ...state, snapshot: { ...state.snapshot, selected: action.symbol } };
    case 'ended':
      return { ...state, ended: action.message };
    case 'problem':
      return state.problem === action.message ? state : { ...state, problem: action.message };
    case 'feature':
      return { ...state, features: { ...state.features, [action.name]: action.value } };
    case 'spoken':
      return { ...state, announcements: state.announcements.filter(({ id }) => !action.ids.includes(id)) };
  }
}

/** When the core is back, its state is not current until the next snapshot: the link stays down. */
function linkNow({ snapshot, link }: AppState, isUp: boolean): AppState['link'] {
  if (snapshot === null) return isUp ? 'up' : 'waiting';
  return isUp ? link : 'down';
}

function takeLink(state: AppState, link: AppState['link'], at: number): AppState {
  return state.link === link && state.linkSince !== null ? state : { ...state, link, linkSince: at };
}

function takeSnapshot(state: AppState, snapshot: Snapshot, at: number): AppState {
  const { number: _number, rows, alerts, ...rest } = snapshot;
  const next: CoreSnapshot = {
    ...rest,
    selected: state.snapshot === null ? rest.selected : state.snapshot.selected,
    anchoredAt: at,
    rows: bySymbol({}, rows),
    alerts: mergeAlerts([], alerts),
    epoch: (state.snapshot?.epoch ?? 0) + 1,
    reconnects: (state.snapshot?.reconnects ?? 0) + 1,
  };
  const isBackOnline =
    state.snapshot !== null && isOffline(state.snapshot, state.link) && next.connection.outage === null;
  return announce(
    state,
    { ...takeLink(state, 'up', at), problem: null, snapshot: next },
    { changed: alerts, isBackOnline },
  );
}

function apply(state: AppState, change: Change, at: number): AppState {
  const snapshot = state.snapshot;
  if (snapshot === null) return state;
  switch (change.part) {
    case 'rows':
      return { ...state, snapshot: { ...snapshot, rows: bySymbol(snapshot.rows, change.rows) } };
    case 'alerts': {
      const alerts = mergeAlerts(snapshot.alerts, change.alerts);
      return announce(state, { ...state, snapshot: { ...snapshot, alerts } }, { changed: change.alerts });
    }
    case 'connection': {
      const { connection } = change;
      const isBackOnline = snapshot.connection.outage !== null && connection.outage === null;
      const next = {
        ...snapshot,
        connection,
        anchoredAt: at,
        epoch: snapshot.epoch + (isBackOnline ? 1 : 0),
        reconnects: snapshot.reconnects + (isBackOnline || isReachableAgain(snapshot.connection, connection) ? 1 : 0),
      };
      return announce(state, { ...state, snapshot: next }, { isBackOnline });
    }
    case 'local_alerts':
      return { ...state, snapshot: { ...snapshot, local_alerts: change.local_alerts } };
    case 'profile':
      return { ...state, snapshot: { ...snapshot, profile: change.profile } };
    case 'watchlists':
      return { ...state, snapshot: { ...snapshot, watchlists: change.watchlists } };
    case 'gaps':
      return { ...state, snapshot: { ...snapshot, gaps: change.gaps } };
    case 'ledger':
      return { ...state, snapshot: { ...snapshot, ledger: change.ledger } };
    case 'notifier':
      return { ...state, snapshot: { ...snapshot, notifier: change.notifier } };
  }
}

/** The service is reachable again, even if the connection was never lost. */
const isReachableAgain = (
  { indicators: before }: CoreSnapshot['connection'],
  { indicators: after }: CoreSnapshot['connection'],
): boolean => (['open', 'verified'] as const).some((name) => before[name].state !== 'ok' && after[name].state === 'ok');

function bySymbol(rows: Readonly<Record<string, Row>>, changed: readonly Row[]): Record<string, Row> {
  return { ...rows, ...Object.fromEntries(changed.map((row) => [row.symbol, row])) };
}

/**
 * Merges by event_id, newest occurrence first. Keeps the newest MAX_ALERTS, and of older alerts those that
 * need attention and the active ones of watched symbols. An alert that is pushed again keeps its transition
 * object, so that components that draw only the transition do not render.
 */
export function mergeAlerts(known: readonly Alert[], changed: readonly Alert[]): readonly Alert[] {
  const byId = new Map(known.map((alert) => [alert.transition.event_id, alert]));
  for (const alert of changed) {
    const before = byId.get(alert.transition.event_id)?.transition;
    byId.set(
      alert.transition.event_id,
      before !== undefined && isSame(before, alert.transition) ? { ...alert, transition: before } : alert,
    );
  }
  const seen = new Set<string>();
  return [...byId.values()]
    .sort(newestFirst)
    .filter(({ transition: { symbol, to_state: state }, watched, needs_attention }, index) => {
      const isNewest = !seen.has(symbol);
      seen.add(symbol);
      return index < MAX_ALERTS || needs_attention || (isNewest && watched && state > 0);
    });
}

/** Transitions have only strings and numbers. */
const isSame = (a: Transition, b: Transition): boolean =>
  (Object.keys({ ...a, ...b }) as (keyof Transition)[]).every((name) => a[name] === b[name]);
