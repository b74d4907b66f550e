// Main, core: the composition root: builds the monitor of one profile from its modules.

import type { Service } from '../../client/address.ts';
import type { CoreChannels } from '../../shared/channels/channels.ts';
import type { Handlers } from '../../shared/channels/ends.ts';
import type { CoreLink } from '../../shared/channels/link.ts';
import { MAX_ALERTS } from '../../shared/channels/state.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { AlertActions } from './alerts/actions.ts';
import { createAlerts } from './alerts/alerts.ts';
import { createAttention } from './alerts/attention.ts';
import { createArchive } from './archive/archive.ts';
import { createConnectionMonitor, type WakeReason } from './connection/connection-monitor.ts';
import { type ConnectionState, createConnectionStore, mayAsk } from './connection/state.ts';
import { createEventBus } from './events.ts';
import { createGuard } from './guard.ts';
import { createConnectionHandlers } from './handlers/connection.ts';
import { createKeyHandlers } from './handlers/keys.ts';
import { createQueryHandlers } from './handlers/queries.ts';
import { createSubscriptionHandlers } from './handlers/subscriptions.ts';
import { createWatchlists } from './handlers/watchlists.ts';
import { createKeyedClient } from './keys/keyed-client.ts';
import type { ProfileKeys } from './keys/profile-keys.ts';
import type { EntryRow } from './ledger/entries.ts';
import { type Ledger, openLedger, quarantineMessage } from './ledger/ledger.ts';
import { transitionOf } from './ledger/transition.ts';
import {
  type CoreContext,
  type CoreModule,
  mergeHandlers,
  startModules,
  stopModules,
  subscribeModules,
} from './module.ts';
import { createNotifications } from './notifications/notifications.ts';
import { createServiceObserver } from './observer/service-observer.ts';
import type { Logger, Ports } from './ports.ts';
import type { Profile } from './profiles/settings.ts';
import { createWatch, type Watch } from './profiles/watch.ts';
import { createReceive } from './receive.ts';
import { createRelay, type Relay } from './relay/relay.ts';
import { createSelfTest } from './self-test/self-test.ts';
import { createSelfTestSender } from './self-test/sender.ts';
import { createAnchor } from './sources/anchor.ts';
import { createBackfill } from './sources/backfill.ts';
import { createBackfillLedger } from './sources/backfill-ledger.ts';
import { CADENCE, createPoll, pollCost } from './sources/polling.ts';
import { createRowTable, type RowTable } from './sources/rows.ts';
import { createOutageMonitor } from './views/outage.ts';
import type { ProfileStatus } from './views/profile-status.ts';
import type { TrayView } from './views/tray-view.ts';
import { createViews } from './views/views.ts';
import { createWorldClock } from './world-clock.ts';

export interface Monitor {
  readonly handlers: Handlers<CoreChannels>;
  /** Sends pushes to this link from now on. */
  attach(link: CoreLink): Cancel;
  /** Shows intents that a crash left open, and connects. */
  start(): Promise<void>;
  /** Ends the stream, finishes pending writes, closes the ledger. */
  stop(): Promise<void>;
  /** The computer woke, unlocked or changed network: an open connection may be dead. */
  wake(reason: WakeReason): void;
  /** This profile as tray and dock show it. */
  trayView(): TrayView;
  /** Called, at most every few frames, when that view may have changed. */
  onTrayChanged(listener: () => void): Cancel;
  /** The user's actions on alerts, from window, tray, notification or command line. */
  readonly actions: AlertActions;
  /** World time, ms. */
  worldNow(): number;
  /** At most `limit` events after a given one, in the ledger's order. */
  entries(after: number, limit: number): EntryRow[];
  /** As a short text, for the list of all profiles. */
  status(): ProfileStatus;
  readonly relay: Relay;
}

export interface MonitorOptions {
  readonly ports: Ports;
  readonly profile: Profile;
  /** Address of the service, and its key unless `keys` has it. */
  readonly service: Service;
  /** The profile's own key. Absent where the service has one already. */
  readonly keys?: ProfileKeys | null;
  /** Address of the service, for display. */
  readonly label: string;
  /** Opens the ledger; a test of full disks passes its own. */
  readonly openLedger?: typeof openLedger;
}

/**
 * Opens the ledger. @throws FutureFileError, and errors of the file system when the ledger cannot be opened
 */
export function createMonitor({ ports, profile, service, keys = null, label, ...options }: MonitorOptions): Monitor {
  const { logger } = ports;
  const guard = createGuard(ports.clock, logger);
  const { clock } = guard;
  const events = createEventBus(guard);
  const world = createWorldClock(clock);
  const context: CoreContext = { ports, guard, events, profile, world };

  const ledger = (options.openLedger ?? openLedger)(ports.folder, timestamp(clock.now()));
  const watch = createWatch(ports.settings);
  const rows = createRowTable();
  const state = createConnectionStore(clock.now());
  const mayAskService = (): boolean => mayAsk(state.current());
  const cadence = CADENCE[profile.environment];
  const serviceObserver = createServiceObserver(clock, () => pollCost(rows.symbols().length, cadence));
  const { client, use } = createKeyedClient({
    baseUrl: service.baseUrl,
    first: keys?.inUse() ?? { key: service.key, reason: null },
    profile,
    fetch: ports.fetch,
    clock,
    interceptor: serviceObserver.interceptor,
  });

  const attention = createAttention({ ledger, rows, isWatched: watch.isWatched });
  const notifications = createNotifications({
    context,
    ledger,
    watch,
    signals: {
      baseRate: rows.baseRate,
      isReplay: () => state.current().isReplay,
      ...createOutageMonitor(profile.environment, state, rows),
    },
  });
  const alerts = createAlerts({ context, ledger, watch, attention, notifications });
  const views = createViews({
    context,
    connection: state,
    ledger,
    watch,
    rows,
    attention,
    label: () => keys?.label(label) ?? label,
  });
  const receive = createReceive({ clock, ledger, notifications, views, events });

  const anchor = createAnchor(ledger);
  const backfill = createBackfill({
    client,
    clock,
    ledger: createBackfillLedger({ ledger, anchor, world, clock, ingest: receive, events }),
    onInvalid: (why, row) => logger.warn({ why, row }, 'a row of the service is no event'),
  });
  const connection = createConnectionMonitor({ context, store: state, client, ledger, anchor, backfill, receive });
  const poll = createPoll({ context, client, rows, mayAsk: mayAskService, slowed: serviceObserver.slowed });
  const relay = createRelay({
    context,
    service: { url: service.baseUrl, client, mayAsk: mayAskService },
    ledger: {
      ...ledger,
      highest: ledger.count,
      after: ledger.entries.after,
      isKnown: (eventId) => ledger.entries.occurredAt(eventId) !== undefined,
    },
    intake: {
      // Only events with a valid signature arrive here.
      ingest: (batch) => receive('relay', batch, undefined, 'signature verified'),
      catchUp: connection.catchUp,
      ledgerFailed: connection.ledgerFailed,
    },
    broadcast: views.broadcast,
  });
  const selfTest = createSelfTest({
    guard,
    ledger,
    sender: createSelfTestSender({
      client,
      profile,
      relay,
      world,
      mayAsk: mayAskService,
      reason: () => unavailableReason(state.current()),
    }),
    dryRun: notifications.dryRun,
    wake: notifications.wake,
    symbols: () => selfTestSymbols(watch, rows),
    broadcast: views.broadcast,
  });
  const archive = createArchive({
    ...ports,
    startReader: ports.archive ?? null,
    guard,
    profile,
    client,
    ledger,
    entries: ledger.entries.after,
    world,
    mayAsk: mayAskService,
    onChanged: (view) => views.broadcast('archive.changed', view),
  });

  // Modules start and receive events in this order, and stop in reverse order.
  const modules = [
    attention,
    views,
    createWatchlists({ watch, rows, events }),
    selfTest,
    notifications,
    alerts,
    { stop: backfill.idle },
    archive,
    { handlers: createKeyHandlers(keys), stop: client.close },
    relay,
    connection,
    poll,
    { handlers: createConnectionHandlers({ context, connection, serviceObserver, keys }) },
    { handlers: createSubscriptionHandlers({ client, mayAsk: mayAskService, ownUrl: relay.ownUrl }) },
    {
      handlers: createQueryHandlers({
        client,
        mayAsk: mayAskService,
        ledger,
        clock,
        worldNow: world.now,
        memory: archive.memory,
      }),
    },
  ] as const satisfies readonly CoreModule[];
  subscribeModules(events, modules);
  keys?.onChange(() => {
    use(keys.inUse());
    events.signal('keyChanged');
  });

  return {
    handlers: mergeHandlers(modules),
    attach: views.attach,
    async start() {
      rows.keep(watch.symbols());
      rows.recall(archive.memory.rows());
      recallStates(rows, ledger);
      admitQuarantine(ledger, logger);
      startModules(modules, guard);
    },
    async stop() {
      await stopModules(modules);
      ledger.close();
    },
    wake: connection.wake,
    status: views.status,
    trayView: views.tray,
    onTrayChanged: views.onTrayChanged,
    actions: alerts.actions,
    worldNow: world.now,
    entries: ledger.entries.after,
    relay,
  };
}

/** The ledger may have later transitions than the cached rows. */
function recallStates(rows: RowTable, ledger: Ledger): void {
  for (const row of ledger.entries.newestSignals(MAX_ALERTS).reverse()) {
    const transition = transitionOf(row);
    if (transition !== null) rows.moved(transition, timestamp(row.received_ms));
  }
}

/** The events of a damaged ledger are unknown now: that is a gap like any other. */
function admitQuarantine(ledger: Ledger, logger: Logger): void {
  if (ledger.quarantined === null) return;
  const { name: file, connectedUntil } = ledger.quarantined;
  logger.error({ file }, 'the ledger was damaged and quarantined');
  ledger.openGap('downtime', connectedUntil, null, quarantineMessage(ledger.quarantined));
}

/** Why the service cannot be asked, as text. */
const unavailableReason = ({ phase, outage }: ConnectionState): string =>
  (phase.name === 'stopped' ? phase.message : outage?.cause) ??
  'The service did not answer yet. Try again in a moment.';

/** The selected symbol first, then those that the service is known to cover. */
function selfTestSymbols(watch: Watch, rows: RowTable): string[] {
  const watched = watch.symbols().filter(watch.isWatched);
  const first = (symbol: string): number => (symbol === watch.selected() ? 0 : 1);
  const covered = watched.filter((symbol) => rows.get(symbol)?.coverage === 'full');
  return (covered.length > 0 ? covered : watched).sort((a, b) => first(a) - first(b));
}
