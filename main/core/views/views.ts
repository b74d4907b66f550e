// Main, core: the views of a profile for windows, tray and dock, and the events that push them.

import { type LedgerView, MAX_GAPS } from '../../../shared/channels/state.ts';
import type { Message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Attention } from '../alerts/attention.ts';
import { shownAlerts, shownLocalAlerts } from '../alerts/shown.ts';
import { type ConnectionStore, connectionView } from '../connection/state.ts';
import type { Followers } from '../events.ts';
import type { IngestResult } from '../ledger/arrival.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { Offers } from '../notifications/offers.ts';
import type { Watch } from '../profiles/watch.ts';
import { type RowTable, unknownRow } from '../rows.ts';
import { type Broadcaster, createBroadcaster } from './broadcaster.ts';
import type { ProfileStatus } from './profile-status.ts';
import { createProfileViews } from './profile-views.ts';
import { type CoreState, createState } from './state.ts';
import type { TrayView } from './tray-view.ts';

export interface Views extends Pick<Broadcaster, 'broadcast' | 'attach' | 'onTrayChanged'> {
  readonly handlers: { readonly 'state.snapshot': CoreState['snapshot'] };
  readonly on: Followers;
  /** Updates rows and lists from the recorded events. */
  apply(result: IngestResult, receivedAt: number): void;
  /** The view of this profile for tray and dock. */
  tray(): TrayView;
  /** The status of this profile for the list of all profiles. */
  status(): ProfileStatus;
  stop(): void;
}

export interface ViewsDeps {
  readonly context: CoreContext;
  readonly connection: ConnectionStore;
  readonly ledger: Ledger;
  readonly watch: Watch;
  readonly rows: RowTable;
  readonly attention: Pick<Attention, 'read' | 'of'>;
  readonly offers: Pick<Offers, 'view'>;
  /** Address of the service, for display. */
  readonly label: () => Message;
  /** Number of the first change. */
  readonly firstNumber: number;
}

export function createViews(deps: ViewsDeps): Views {
  const { context, connection, ledger, watch, rows, attention, offers, label } = deps;
  const { guard, profile, world } = context;
  const { notifier } = context.ports;
  const broadcaster = createBroadcaster();
  const profileViews = createProfileViews({ profile, label, connection, ledger, rows, watch, attention, world });
  const alerts = (ids: readonly number[] | null) =>
    shownAlerts({ ledger, isWatched: watch.isWatched, attention: attention.read() }, ids, rows.all());
  const state = createState(
    guard.clock,
    {
      parts: {
        profile: profileViews.profile,
        connection: () => connectionView(connection.current(), world.view()),
        watchlists: watch.lists,
        local_alerts: () => shownLocalAlerts({ ledger, attention: attention.read() }),
        gaps: () => ledger.shownGaps(MAX_GAPS),
        ledger: () => ledgerView(ledger),
        notifier: () => ({ ...notifier.status(), ...offers.view() }),
      },
      selected: watch.selected,
      rows: (symbols) =>
        symbols === undefined ? rows.all() : symbols.map((symbol) => rows.get(symbol) ?? unknownRow(symbol)),
      alerts: (ids) => alerts(ids ?? null),
      attention: attention.read,
    },
    (changes) => {
      broadcaster.broadcast('state.changed', changes);
      broadcaster.notifyTray();
    },
    deps.firstNumber,
  );
  /** Alerts that are no transition may need attention now, or no longer. */
  const touchLocal = (): void => {
    if (ledger.entries.localBefore(Number.MAX_SAFE_INTEGER, 1).length > 0) state.touch('local_alerts');
  };
  const touchRows = (): void => state.touchRows(rows.takeChanged());

  return {
    broadcast: broadcaster.broadcast,
    attach: attachCounted(broadcaster, context.events),
    onTrayChanged: broadcaster.onTrayChanged,
    handlers: { 'state.snapshot': state.snapshot },
    on: {
      alertsChanged({ ledgerIds }) {
        state.touchAlerts(ledgerIds);
        if (ledger.entries.byLedgerIds(ledgerIds).some(isLocal)) state.touch('local_alerts');
      },
      alertingChanged: (alerting) => broadcaster.broadcast('alerting.changed', alerting),
      soundDue: (sound) => broadcaster.broadcast('sound.due', sound),
      archiveChanged: (archive) => broadcaster.broadcast('archive.changed', archive),
      mutesChanged() {
        state.touchAttention();
        touchLocal();
      },
      desktopReturned: () => state.touch('notifier'),
      offersChanged: () => state.touch('notifier'),
      connectionChanged: () => state.touch('connection'),
      gapsChanged: () => state.touch('gaps'),
      ledgerPruned() {
        state.touch('ledger');
        state.touch('gaps');
      },
      ledgerUnwritten() {
        state.touch('ledger');
        state.touch('gaps');
      },
      ledgerWritten({ isRenumbered }) {
        state.touch('ledger');
        state.touch('gaps');
        if (isRenumbered) state.replace();
      },
      profileChanged: () => state.touch('profile'),
      keyChanged: () => state.touch('profile'),
      signalsPolled: touchRows,
      signalsAged: touchRows,
      watchlistsChanged() {
        touchRows();
        touchLocal();
        state.touch('watchlists');
        state.touchAlerts(alerts(null).map((alert) => alert.ledger_id));
      },
    },
    apply({ added, merged }, receivedAt) {
      const signals = moveRows(rows, added, timestamp(receivedAt));
      const moved = new Set(added.flatMap(({ event }) => (event.transition === null ? [] : event.transition.symbol)));
      state.touchAlerts([...signals, ...merged, ...attention.of(moved)]);
      touchRows();
      if (added.some(({ event }) => isLocal(event))) state.touch('local_alerts');
      if (added.length > 0) state.touch('ledger');
    },
    tray: profileViews.tray,
    status: profileViews.status,
    stop: state.stop,
  };
}

const isLocal = ({ crossing, foreign, breadth }: Pick<EntryRow, 'crossing' | 'foreign' | 'breadth'>): boolean =>
  (crossing ?? foreign ?? breadth) !== undefined;

/** @returns ledger ids of the transitions */
function moveRows(rows: RowTable, added: IngestResult['added'], at: string): number[] {
  const signals: number[] = [];
  for (const { ledgerId, event } of added) {
    if (event.transition !== null) {
      signals.push(ledgerId);
      rows.moved(event.transition, at, event.assumptions.includes('time'));
    } else if (event.event === 'regime.flip' && event.symbol !== null && event.attributes?.regime != null)
      rows.regime(event.symbol, event.attributes.regime, at);
  }
  return signals;
}

/** Attaches windows, and emits an event when the first is attached and the last detached. */
function attachCounted(broadcaster: Broadcaster, events: CoreContext['events']): Views['attach'] {
  let windows = 0;
  return (link) => {
    const detach = broadcaster.attach(link);
    windows += 1;
    if (windows === 1) events.emit('windowsChanged', { isOpen: true });
    let isOpen = true;
    return () => {
      detach();
      if (!isOpen) return;
      isOpen = false;
      windows -= 1;
      if (windows === 0) events.emit('windowsChanged', { isOpen: false });
    };
  };
}

function ledgerView(ledger: Pick<Ledger, 'size' | 'unwritten'>): LedgerView {
  const events = ledger.size();
  const unwritten = ledger.unwritten();
  if (unwritten === null) return { events };
  return { events, unwritten: { since: timestamp(unwritten.since), cause: unwritten.cause } };
}
