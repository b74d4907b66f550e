// Main, core: the views of a profile for windows, tray and dock, and the events that push them.

import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Attention } from '../alerts/attention.ts';
import { shownAlerts } from '../alerts/shown.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import { type ConnectionStore, connectionView } from '../connection/state.ts';
import type { Followers } from '../events.ts';
import type { IngestResult, Ledger } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { Watch } from '../profiles/watch.ts';
import type { RowTable } from '../sources/rows.ts';
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
  /** This profile as tray and dock show it. */
  tray(): TrayView;
  /** As a short text, for the list of all profiles. */
  status(): ProfileStatus;
  stop(): void;
}

export interface ViewsDeps {
  readonly context: CoreContext;
  readonly connection: ConnectionStore;
  readonly ledger: Ledger;
  readonly watch: Watch;
  readonly rows: RowTable;
  readonly attention: Pick<Attention, 'read'>;
  /** Address of the service, for display. */
  readonly label: () => string;
}

const MAX_GAPS = 200;

export function createViews({ context, connection, ledger, watch, rows, attention, label }: ViewsDeps): Views {
  const { guard, profile, world } = context;
  const { notifier } = context.ports;
  const broadcaster = createBroadcaster();
  const profileViews = createProfileViews({ profile, label, connection, rows, watch, attention, world });
  const alerts = (ids: readonly number[] | null) =>
    shownAlerts({ ledger, isWatched: watch.isWatched, attention: attention.read() }, ids, rows.all());
  const state = createState(
    guard.clock,
    {
      profile: profileViews.profile,
      connection: () => connectionView(connection.current(), world.view()),
      watchlists: () => watch.lists(),
      selected: () => watch.selected(),
      rows: (symbols) => (symbols === undefined ? rows.all() : symbols.flatMap((symbol) => rows.get(symbol) ?? [])),
      alerts: (ids) => alerts(ids ?? null),
      gaps: () => ledger.gaps(MAX_GAPS),
      ledger: () => ({ events: ledger.count() }),
      notifier: () => notifier.status(),
      attention: attention.read,
    },
    (changes) => {
      broadcaster.broadcast('state.changed', changes);
      broadcaster.notifyTray();
    },
  );
  const touchRows = (): void => state.touchRows(rows.takeChanged());

  return {
    broadcast: broadcaster.broadcast,
    attach: broadcaster.attach,
    onTrayChanged: broadcaster.onTrayChanged,
    handlers: { 'state.snapshot': state.snapshot },
    on: {
      alertsChanged: ({ ledgerIds }) => state.touchAlerts(ledgerIds),
      alertingChanged: (alerting) => broadcaster.broadcast('alerting.changed', alerting),
      mutesChanged: state.touchAttention,
      connectionChanged: () => state.touch('connection'),
      gapsChanged: () => state.touch('gaps'),
      profileChanged: () => state.touch('profile'),
      keyChanged: () => state.touch('profile'),
      signalsPolled: touchRows,
      watchlistsChanged() {
        touchRows();
        state.touch('watchlists');
        state.touchAlerts(alerts(null).map((alert) => alert.ledger_id));
      },
    },
    apply({ added, merged }, receivedAt) {
      const signals: number[] = [];
      const at = timestamp(receivedAt);
      for (const { ledgerId, event } of added) {
        if (event.transition !== null) {
          signals.push(ledgerId);
          rows.moved(event.transition, at);
        } else if (event.event === 'regime.flip') noteRegime(event, rows, at);
      }
      state.touchAlerts([...signals, ...merged]);
      touchRows();
      if (added.length > 0) state.touch('ledger');
    },
    tray: profileViews.tray,
    status: profileViews.status,
    stop: state.stop,
  };
}

function noteRegime(event: ReceivedEvent, rows: RowTable, receivedAt: string): void {
  const parsed: { data?: { to_regime?: unknown } } = JSON.parse(event.body);
  const regime = parsed.data?.to_regime;
  if (event.symbol !== null && typeof regime === 'string') rows.regime(event.symbol, regime, receivedAt);
}
