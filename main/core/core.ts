// Main, core: the monitor of one profile, whole: what listens, records, decides and notifies.

import type { Service } from '../../client/address.ts';
import type { CoreChannels } from '../../shared/channels/channels.ts';
import type { Handlers } from '../../shared/channels/ends.ts';
import type { CoreLink } from '../../shared/channels/link.ts';
import { MAX_ALERTS } from '../../shared/channels/state.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { createAlertService } from './alerts/alert-service.ts';
import { shownAlerts } from './alerts/shown.ts';
import { createArchive } from './archive/archive.ts';
import { createAnchor } from './backfill/anchor.ts';
import { createBackfill } from './backfill/backfill.ts';
import { createBackfillLedger } from './backfill/backfill-ledger.ts';
import { createEventBus } from './events.ts';
import { createGuard } from './guard.ts';
import { createConnectionHandlers } from './handlers/connection.ts';
import { createHandlers } from './handlers/handlers.ts';
import { createKeyHandlers } from './handlers/keys.ts';
import { createQueryHandlers } from './handlers/queries.ts';
import { createSubscriptionHandlers } from './handlers/subscriptions.ts';
import { createKeyedClient } from './keys/keyed-client.ts';
import type { ProfileKeys } from './keys/profile-keys.ts';
import type { EntryRow } from './ledger/entries.ts';
import { createIntake, type Intake } from './ledger/intake.ts';
import { type Ledger, ledgerErrorMessage, openLedger, quarantineMessage } from './ledger/ledger.ts';
import { transitionOf } from './ledger/transition.ts';
import { subscribeModules } from './module.ts';
import type { Logger, Ports } from './ports.ts';
import type { Profile } from './profiles/settings.ts';
import { createWatch, type Watch } from './profiles/watch.ts';
import { createRelay, type Relay } from './relay/relay.ts';
import { createSelfTestRunner } from './self-test/self-test.ts';
import { createSelfTestSender } from './self-test/sender.ts';
import { createBroadcaster } from './state/broadcaster.ts';
import { freshIndicator, staleSymbols } from './state/freshness.ts';
import { createOutageMonitor } from './state/outage-monitor.ts';
import { CADENCE, createPoll, pollCost, REGIME_CADENCE } from './state/poll.ts';
import type { ProfileStatus } from './state/profile-status.ts';
import { createProfileViews } from './state/profile-views.ts';
import { createRowTable, type RowTable } from './state/rows.ts';
import { createServiceObserver } from './state/service-observer.ts';
import { createState } from './state/state.ts';
import type { TrayView } from './state/tray-view.ts';
import { createWorldClock } from './state/world-clock.ts';
import { type ConnectionMonitor, createConnectionMonitor, POLL, type WakeReason } from './stream/connection-monitor.ts';
import { createInbox } from './stream/inbox.ts';

export interface Core {
  readonly handlers: Handlers<CoreChannels>;
  /** Pushes go to this link from now on. */
  attach(link: CoreLink): Cancel;
  /** Shows again what a crash left open, and begins to listen. */
  start(): Promise<void>;
  /** Ends the stream, finishes what is being written, closes the ledger. */
  stop(): Promise<void>;
  /** The shell saw the computer wake, unlock or change network: whatever is open may be dead. */
  wake(reason: WakeReason): void;
  /** This profile as tray and dock show it. */
  trayView(): TrayView;
  /** Told, at most every few frames, that it may have changed. */
  onTrayChanged(listener: () => void): Cancel;
  /** Ledger ids of what a notification is about; 0 stands for no event. Empty: this core sent no such notification. */
  about(notificationId: string): readonly number[];
  /** The time of the service's world, ms. */
  worldNow(): number;
  /** Events by their place in the ledger, at most `limit` beyond one of them. */
  entries(after: number, limit: number): EntryRow[];
  /** How it stands, as a short text: for the list of all profiles. */
  status(): ProfileStatus;
  readonly relay: Relay;
}

export interface CoreOptions {
  readonly ports: Ports;
  readonly profile: Profile;
  /** Where it listens, and its key, unless `keys` has it. */
  readonly service: Service;
  /** The profile's own key. Absent where the service came with one. */
  readonly keys?: ProfileKeys;
  /** Where it listens to, for people. */
  readonly label: string;
  /** How the ledger is opened; a test of full disks passes its own. */
  readonly openLedger?: typeof openLedger;
}

/** Opens the ledger. @throws FutureLedgerError, and what the file system says when the ledger cannot be had */
export function createCore({ ports, profile, service, keys, label, ...options }: CoreOptions): Core {
  const { random, logger, notifier } = ports;
  const guard = createGuard(ports.clock, logger);
  const { clock } = guard;
  const events = createEventBus(guard);
  const first = keys?.inUse() ?? { key: service.key, reason: null };
  const cadence = CADENCE[profile.environment];
  const serviceObserver = createServiceObserver(clock, () => pollCost(rows.symbols().length, cadence));
  const { client, use } = createKeyedClient({
    baseUrl: service.baseUrl,
    first,
    profile,
    fetch: ports.fetch,
    clock,
    interceptor: serviceObserver.interceptor,
  });
  const ledger = (options.openLedger ?? openLedger)(ports.folder, timestamp(clock.now()));
  const watch = createWatch(ports.settings);
  const world = createWorldClock(clock);
  const rows = createRowTable();
  const broadcaster = createBroadcaster();
  const { broadcast } = broadcaster;
  const profileViews = createProfileViews({
    profile,
    label: () => keys?.label(label) ?? label,
    connection: () => connection,
    rows,
    watch,
    ledger,
  });
  const state = createState(
    clock,
    {
      profile: profileViews.profile,
      connection: () => connection.view(),
      watchlists: () => watch.lists(),
      selected: () => watch.selected(),
      rows: (symbols) => (symbols === undefined ? rows.all() : symbols.flatMap((symbol) => rows.get(symbol) ?? [])),
      alerts: (ids) => shownAlerts(ledger, watch.isWatched, ids ?? null, rows.all()),
      gaps: () => ledger.gaps(GAPS_SHOWN),
      ledger: () => ({ events: ledger.count() }),
      notifier: () => notifier.status(),
    },
    (changes) => {
      broadcast('state.changed', changes);
      broadcaster.notifyTray();
    },
  );
  const outageMonitor = createOutageMonitor({
    environment: profile.environment,
    connection: () => connection.view(),
    rows,
  });
  const alerts = createAlertService({
    events,
    ports,
    clock,
    ledger,
    profile,
    watch,
    world,
    baseRate: rows.baseRate,
    isReplay: () => connection.isReplay(),
    outage: outageMonitor.outage,
    isConnected: outageMonitor.isConnected,
    calendars: outageMonitor.calendars,
    onAlerts: state.touchAlerts,
    onChanged(alerting) {
      broadcast('alerting.changed', alerting);
    },
  });
  const intake = createIntake({ clock, ledger, evaluate: alerts.evaluate, written: alerts.written, rows, state });
  const take: Intake['take'] = (...arrival) => {
    const ingested = intake.take(...arrival);
    events.emit('recorded', { ...ingested, source: arrival[0] });
    return ingested;
  };
  const inbox = createInbox(
    clock,
    (events) => {
      try {
        const { hasPending, replaced } = take('stream', events);
        if (hasPending || replaced) connection.catchUp();
      } catch (error) {
        connection.ledgerFailed(ledgerErrorMessage(error));
      }
    },
    (invalid) => logger.warn({ invalid }, 'something on the stream is no event'),
  );
  const anchor = createAnchor(ledger);
  const backfill = createBackfill({
    client,
    clock,
    ledger: createBackfillLedger({ ledger, anchor, world, clock, ingest: take, onGap: () => state.touch('gaps') }),
    onInvalid: (why, row) => logger.warn({ why, row }, 'a row of the service is no event'),
  });
  /** The past is complete: what was missed is notified now. */
  const caughtUp: Ledger['caughtUp'] = (at, filled) => {
    const open = ledger.gaps(GAPS_SHOWN);
    const closed = ledger.caughtUp(at, filled);
    outageMonitor.caughtUp();
    guard.run(() => alerts.caughtUp(open));
    if (connection.isStreaming()) anchor.whole();
    events.emit('caughtUp', { gaps: open });
    return closed;
  };
  const connection: ConnectionMonitor = createConnectionMonitor({
    guard,
    random,
    logger,
    profile,
    client,
    ledger: { ...ledger, caughtUp },
    backfill,
    world,
    onMessage: inbox.take,
    settle: inbox.flush,
    onUnjoined: anchor.doubt,
    onBroken() {
      guard.run(anchor.broken);
      events.signal('streamBroken');
    },
    onTrusted: () => {
      poll.now();
      events.signal('serviceTrusted');
    },
    onChanged: state.touch,
  });
  const poll = createPoll({
    client,
    guard,
    cadence,
    slowed: serviceObserver.slowed,
    regimeCadence: REGIME_CADENCE[profile.environment],
    rows,
    mayAsk: connection.mayAsk,
    onRound: (outcome, invalidCount) => {
      if (invalidCount > 0) logger.warn({ invalidCount }, 'rows of /snapshot could not be read');
      if (watch.refresh()) watchChanged();
      alerts.refresh();
      connection.roundTrip(outcome);
      rows.setStale(
        staleSymbols({
          rows: rows.all(),
          worldNow: world.now(),
          speed: world.view().speed,
          now: clock.now(),
          cadence: cadence * serviceObserver.slowed(),
        }),
      );
      connection.fresh(freshIndicator(rows.all()));
      archive.memory.keepRows(rows.all());
      state.touchRows(rows.takeChanged());
    },
  });
  const entries: Core['entries'] = (after, limit) => {
    const last = Math.min(ledger.count(), after + limit);
    return ledger.entries.byLedgerIds(
      Array.from({ length: Math.max(0, last - after) }, (_, index) => after + 1 + index),
    );
  };
  const relay = createRelay({
    ...ports,
    server: ports.relay ?? null,
    guard,
    profile,
    serviceUrl: service.baseUrl,
    client,
    ledger: {
      ...ledger,
      highest: ledger.count,
      after: entries,
      isKnown: (eventId) => ledger.entries.occurredAt(eventId) !== undefined,
    },
    world,
    // Nothing comes in here whose signature did not fit.
    ingest: (events) => take('relay', events, undefined, 'signature verified'),
    mayAsk: connection.mayAsk,
    catchUp: connection.catchUp,
    ledgerFailed: connection.ledgerFailed,
    onChanged: (view) => broadcast('relay.changed', view),
  });
  const selfTest = createSelfTestRunner({
    guard,
    ledger,
    sender: createSelfTestSender({
      client,
      profile,
      relay,
      world,
      mayAsk: connection.mayAsk,
      reason: () =>
        connection.view().stopped ??
        connection.view().outage?.cause ??
        'The service did not answer yet. Try again in a moment.',
    }),
    dryRun: alerts.dryRun,
    wake: alerts.wake,
    symbols: () => selfTestSymbols(watch, rows),
    onChanged: (view) => broadcast('selfTest.changed', view),
  });
  const archive = createArchive({
    ...ports,
    startReader: ports.archive ?? null,
    guard,
    profile,
    client,
    ledger,
    entries,
    world,
    mayAsk: connection.mayAsk,
    onChanged: (view) => broadcast('archive.changed', view),
  });
  const watchChanged = (): void => {
    if (rows.keep(watch.symbols())) poll.now();
    state.touchRows(rows.takeChanged());
    state.touch('watchlists');
    state.touchAlerts(shownAlerts(ledger, watch.isWatched, null, rows.all()).map((alert) => alert.ledger_id));
  };

  subscribeModules(events, [relay, selfTest, archive]);

  keys?.onChange(() => {
    use(keys.inUse());
    state.touch('profile');
    connection.retry();
  });

  return {
    handlers: createHandlers({
      state,
      watch,
      onWatchChanged: watchChanged,
      queries: createQueryHandlers({
        client,
        mayAsk: connection.mayAsk,
        ledger,
        clock,
        worldNow: world.now,
        memory: archive.memory,
      }),
      relay: relay.handlers,
      keys: createKeyHandlers(keys ?? null),
      alerting: alerts.handlers,
      selfTest: selfTest.handlers,
      archive: archive.handlers,
      connection: createConnectionHandlers({
        connection,
        serviceObserver,
        networkPath: ports.networkPath,
        report: ports.report,
        polling: { events: POLL[profile.environment], signals: cadence },
        retry() {
          connection.retry();
          // What could not be read before may be readable now, and another program may have saved another key.
          if (keys !== undefined) guard.go(keys.load());
        },
      }),
      subscriptions: createSubscriptionHandlers({ client, mayAsk: connection.mayAsk, ownUrl: relay.ownUrl }),
    }),
    attach: broadcaster.attach,
    async start() {
      rows.keep(watch.symbols());
      rows.recall(archive.memory.rows());
      recallStates(rows, ledger);
      admitQuarantine(ledger, logger);
      guard.run(selfTest.start);
      alerts.start();
      connection.start();
      poll.start();
      guard.go(relay.start());
    },
    async stop() {
      selfTest.stop();
      poll.stop();
      connection.stop();
      inbox.flush();
      await relay.stop();
      client.close();
      await archive.stop();
      await backfill.idle();
      await alerts.stop();
      state.stop();
      ledger.close();
    },
    wake: connection.wake,
    status: profileViews.status,
    trayView: profileViews.tray,
    onTrayChanged: broadcaster.onTrayChanged,
    about: ledger.notifications.eventsOf,
    worldNow: world.now,
    entries,
    relay,
  };
}

const GAPS_SHOWN = 200;

/** The ledger may know of later transitions than what was kept of the rows. */
function recallStates(rows: RowTable, ledger: Ledger): void {
  for (const row of ledger.entries.newestSignals(MAX_ALERTS).reverse()) {
    const transition = transitionOf(row);
    if (transition !== null) rows.moved(transition, timestamp(row.received_ms));
  }
}

/** What a damaged ledger held is not known any more: that is a gap like any other. */
function admitQuarantine(ledger: Ledger, logger: Logger): void {
  if (ledger.quarantined === null) return;
  const { name: file, connectedUntil } = ledger.quarantined;
  logger.error({ file }, 'the ledger was damaged and quarantined');
  ledger.openGap('downtime', connectedUntil, null, quarantineMessage(ledger.quarantined));
}

/** The selected one first, then those that the service is known to have. */
function selfTestSymbols(watch: Watch, rows: RowTable): string[] {
  const watched = watch.symbols().filter(watch.isWatched);
  const first = (symbol: string): number => (symbol === watch.selected() ? 0 : 1);
  const covered = watched.filter((symbol) => rows.get(symbol)?.coverage === 'full');
  return (covered.length > 0 ? covered : watched).sort((a, b) => first(a) - first(b));
}
