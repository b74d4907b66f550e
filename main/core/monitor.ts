// Main, core: the composition root: builds the monitor of one profile from its modules.

import type { CoreChannels } from '../../shared/channels/channels.ts';
import type { Handlers } from '../../shared/channels/ends.ts';
import type { CoreLink } from '../../shared/channels/link.ts';
import { calendarsOf } from '../../shared/domain/sessions.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import type { Message } from '../../shared/text/message.ts';
import type { AlertActions } from './alerts/actions.ts';
import { createAlerts } from './alerts/alerts.ts';
import { createAttention } from './alerts/attention.ts';
import type { ChannelAnswers } from './alerts/channel-answers.ts';
import { createArchive } from './archive/archive.ts';
import type { Memory } from './archive/memory.ts';
import { createBreadth } from './breadth/breadth.ts';
import { createVocabulary } from './compat/vocabulary.ts';
import { createConnectionMonitor, type WakeReason } from './connection/connection-monitor.ts';
import type { ServiceSource } from './connection/service-source.ts';
import { type ConnectionStore, createConnectionStore } from './connection/state.ts';
import { createDebugLog } from './debug-log.ts';
import { createDesk } from './desk/desk.ts';
import { createEventBus } from './events.ts';
import { createGuard } from './guard.ts';
import { type CallRecord, createCallRecord } from './handlers/call-record.ts';
import { createConnectionHandlers } from './handlers/connection.ts';
import { createKeyHandlers } from './handlers/keys.ts';
import { createLedgerFollow } from './handlers/ledger-follow.ts';
import { createServiceHandlers } from './handlers/service-handlers.ts';
import { createTimelineReader } from './handlers/timeline.ts';
import { createWatchlists } from './handlers/watchlists.ts';
import { createKeyRetries } from './keys/key-retries.ts';
import type { ProfileKeys } from './keys/profile-keys.ts';
import { createServiceAccess, type ServiceAccess, type ServiceAccessDeps } from './keys/service-access.ts';
import { openDatabase } from './ledger/database.ts';
import type { EntryRow } from './ledger/entries.ts';
import type { LedgerEvidence } from './ledger/evidence.ts';
import { createFallbackStorage } from './ledger/fallback.ts';
import { createLedger, type Ledger } from './ledger/ledger.ts';
import { createLedgerRetention } from './ledger/ledger-retention.ts';
import { createLedgerWatch, type LedgerRestartOptions } from './ledger/ledger-watch.ts';
import {
  type CoreContext,
  type CoreModule,
  mergeHandlers,
  startModules,
  stopModules,
  subscribeModules,
} from './module.ts';
import { createFirstWatch, type FirstWatchDeps } from './notifications/first-watch.ts';
import { createNotifications, type Notifications } from './notifications/notifications.ts';
import { createServiceObserver } from './observer/service-observer.ts';
import { createPictures } from './pictures/pictures.ts';
import type { Ports } from './ports.ts';
import { createPriceAlerts } from './price-alerts/price-alerts.ts';
import type { Profile } from './profiles/settings.ts';
import { createSettingsFollow } from './profiles/settings-follow.ts';
import { createWatch } from './profiles/watch.ts';
import { createReceive, type Receive } from './receive.ts';
import { createRelay, type Relay } from './relay/relay.ts';
import { createRowTable, type RowTable } from './rows.ts';
import { createScheduled } from './scheduled/scheduled.ts';
import { createSelfTest } from './self-test/self-test.ts';
import { CADENCE, createSignalPolling, pollCost } from './sources/polling.ts';
import { createUnannouncedStates } from './sources/unannounced-states.ts';
import { createStartup } from './startup.ts';
import { createWorldClock } from './time/world-clock.ts';
import type { ProfileStatus } from './views/profile-status.ts';
import { createSignalReport } from './views/signal-report.ts';
import type { TrayView } from './views/tray-view.ts';
import { createViews, type Views } from './views/views.ts';

export interface Monitor {
  readonly handlers: Handlers<CoreChannels>;
  /** Sends pushes to this link from now on. */
  attach(link: CoreLink): Cancel;
  /** Dispatches notifications that a crash left pending, and connects. */
  start(): Promise<void>;
  /** Ends the stream, finishes pending writes, closes the ledger. */
  stop(): Promise<void>;
  /** The computer woke, unlocked or changed network: an open connection may be dead. */
  wake(reason: WakeReason): void;
  /** The service's clock may have been set, paused or continued: reads it now. */
  readClock(): Promise<void>;
  /** This profile as tray and dock show it. */
  trayView(): TrayView;
  /** Calls the listener, at most every few frames, when the tray view may have changed. */
  onTrayChanged(listener: () => void): Cancel;
  /** The user's actions on alerts, from window, tray, notification or command line. */
  readonly actions: AlertActions;
  /** Answers to its notifications that come from phones. */
  readonly channelAnswers: ChannelAnswers;
  /** World time, ms. */
  worldNow(): number;
  /** At most `limit` events after a given one, in the ledger's order. */
  entries(after: number, limit: number): EntryRow[];
  /** Short status for the list of all profiles. */
  status(): ProfileStatus;
  readonly relay: Relay;
}

export interface MonitorOptions {
  readonly ports: Ports;
  /** Folder of this profile, with ledger and archive. ":memory:" keeps everything in memory. */
  readonly folder: string;
  readonly profile: Profile;
  /** Address of the service, once it has one, and its key unless `keys` has it. */
  readonly source: ServiceSource;
  /** The profile's key: of its service, or of the vendor of its feed. Absent: none. */
  readonly keys?: ProfileKeys | null;
  /** Origin of the data, for display; a profile with keys has its own label. */
  readonly label: Message;
  /** Test hook: disk faults and small ledgers. */
  readonly ledger?: LedgerOptions;
  /** Restarts the monitor when its ledger must be opened again. Absent: the monitor is not restarted. */
  readonly restart?: RestartOptions;
}

export interface LedgerOptions {
  readonly open?: typeof openDatabase;
  readonly change?: (ledger: Ledger) => Ledger;
  /** Number of newest events that retention always keeps. */
  readonly keptEvents?: number;
}

export interface RestartOptions extends LedgerRestartOptions {
  /** Number of the first change that windows get. */
  readonly firstNumber: number;
}
const FIRST: RestartOptions = { after: null, firstNumber: 0, onFault: () => undefined };

/**
 * Opens the ledger; in memory where its file cannot be opened. @throws FutureFileError
 */
export function createMonitor(options: MonitorOptions): Monitor {
  const { ports, profile, keys = null, label, restart = FIRST } = options;
  const rows = createRowTable();
  const context = createContext(options, rows);
  const { guard, events, world } = context;
  const { clock } = guard;
  const { logger } = ports;

  const { storage, ledger } = openLedger(options, context);
  const watch = createWatch(ports.settings, profile.name);
  const state = createConnectionStore(clock.now());
  // The service inside the app has its own key; `keys` may be of its feed's vendor.
  const serviceKeys = profile.baseUrl === null ? null : keys;
  const reach = reachService(options, context, { keys: serviceKeys, connection: state, ledger, rows });
  const { vocabulary, access } = reach;
  const { client, mayAsk } = access;

  const attention = createAttention({ ledger, rows, isWatched: watch.isWatched });
  const archive = createArchive({ context, client, ledger, mayAsk });
  const { memory } = archive;
  const calls = createCallRecord({ context, client, mayAsk, memory });
  const scheduled = createScheduled({ context, client, mayAsk, memory });
  const signals = createSignalReport(context, state, rows, watch, calls, scheduled);
  const { brief: readTimeline } = createTimelineReader({ client, mayAsk, ledger, now: world.now, memory, vocabulary });
  const pictures = createPictures({ context, ledger, rows, readTimeline, isReplay: signals.isReplay });
  const notifications = createNotifications({ context, ledger, watch, signals, pictures });
  const desk = createDesk({ context, ledger, client, mayAsk, attention });
  const alerts = createAlerts({ context, ledger, watch, attention, notifications, desk, scheduled });
  const views = createViews({
    context,
    connection: state,
    ledger,
    watch,
    rows,
    attention,
    offers: notifications.offers,
    label: () => serviceKeys?.label() ?? label,
    firstNumber: restart.firstNumber,
  });
  const receive = createReceive({ clock, world, ledger, notifications, views, events });

  const { broadcast } = views;
  const service = createServiceModules(options, context, { reach, state, ledger, rows, receive, memory, calls, views });
  const { connection, relay } = service;
  const selfTest = createSelfTest({ context, ledger, service: access, relay, notifications, watch, rows, broadcast });
  const ownEvents = createOwnEvents({ context, access, state, ledger, rows, watch, scheduled, notifications, receive });

  // Modules start and receive events in this order, and stop in reverse order.
  const modules = [
    createStartup({ ledger, memory, watch, rows, states: profile.states }),
    createLedgerWatch({ context, ledger, restart, wake: notifications.wake }),
    attention,
    views,
    createWatchlists({ profile: profile.name, watch, rows, events }),
    createSettingsFollow(context),
    selfTest,
    { handlers: notifications.handlers },
    { handlers: pictures.handlers },
    ...notifications.modules,
    alerts,
    desk,
    ...ownEvents,
    // Delays the stop of the modules above until no reading of the log is running.
    { stop: connection.idle },
    archive,
    calls,
    scheduled,
    { handlers: createKeyHandlers(keys), stop: client.close },
    ...service.modules,
    createLedgerFollow({ context, ledger, relay }),
    createLedgerRetention({ context, ledger, keptEvents: options.ledger?.keptEvents }),
    { start: storage.start },
    createDebugLog(logger),
  ] as const satisfies readonly CoreModule[];
  subscribeModules(events, modules);

  return {
    handlers: mergeHandlers(modules),
    attach: views.attach,
    start: async () => startModules(modules, guard),
    async stop() {
      await stopModules(modules, logger);
      ledger.close();
    },
    wake: service.wake,
    readClock: connection.readClock,
    status: views.status,
    trayView: views.tray,
    onTrayChanged: views.onTrayChanged,
    actions: alerts.actions,
    channelAnswers: alerts.channelAnswers,
    worldNow: world.now,
    entries: ledger.entries.after,
    relay,
  };
}

function createContext({ ports, folder, profile }: MonitorOptions, rows: RowTable): CoreContext {
  const guard = createGuard(ports.clock, ports.logger);
  const [events, world] = [createEventBus(guard), createWorldClock(guard.clock)];
  return {
    ports,
    folder,
    guard,
    events,
    profile,
    world,
    calendarOf: calendarsOf(profile.environment, (symbol) => rows.get(symbol)?.signal),
  };
}

/** Opens the ledger with evidence stored outside of it; in memory where its file cannot be opened. */
function openLedger({ ports, folder, profile, ledger: hooks = {} }: MonitorOptions, context: CoreContext) {
  const { random, logger, notifier } = ports;
  const { guard, events, world } = context;
  const evidence: LedgerEvidence = {
    since: profile.watchedSince === undefined ? null : Date.parse(profile.watchedSince),
    history: () => notifier.history?.() ?? null,
  };
  const open: typeof openDatabase = (at, stamp) => (hooks.open ?? openDatabase)(at, stamp, evidence);
  const storage = createFallbackStorage({ open, folder, clock: guard.clock, random, world, events, logger });
  const ledger = createLedger(storage);
  return { storage, ledger: hooks.change?.(ledger) ?? ledger };
}

interface ServiceReach extends Pick<ServiceAccessDeps, 'keys' | 'connection'> {
  readonly ledger: Ledger;
  readonly rows: RowTable;
}

/** The client of the service, what its words mean, and what is observed of its answers. */
function reachService({ profile, source }: MonitorOptions, context: CoreContext, reach: ServiceReach) {
  const { keys, connection, ledger, rows } = reach;
  const vocabulary = createVocabulary({
    states: profile.states,
    symbols: rows.symbols,
    digits: {
      read: () => ledger.metadata.get('state_digits') ?? '',
      write: (digits) => ledger.metadata.set('state_digits', digits),
    },
  });
  const cadence = CADENCE[profile.environment];
  const serviceObserver = createServiceObserver(context.guard.clock, () => pollCost(rows.symbols().length, cadence));
  const { interceptor } = serviceObserver;
  const access = createServiceAccess({ context, source, keys, connection, vocabulary, interceptor });
  return { vocabulary, serviceObserver, access };
}

interface ServiceModuleDeps {
  readonly reach: ReturnType<typeof reachService>;
  readonly state: ConnectionStore;
  readonly ledger: Ledger;
  readonly rows: RowTable;
  readonly receive: Receive;
  readonly memory: Memory;
  readonly calls: CallRecord;
  readonly views: Views;
}

/** The modules that bring events from the service, and those that ask it for a window. */
function createServiceModules({ source, keys = null }: MonitorOptions, context: CoreContext, deps: ServiceModuleDeps) {
  const { reach, state, ledger, rows, receive, memory, calls, views } = deps;
  const { vocabulary, serviceObserver, access } = reach;
  const { client, mayAsk } = access;
  const connection = createConnectionMonitor({ context, source, store: state, client, ledger, receive, vocabulary });
  const keyRetries = keys === null ? null : createKeyRetries(context, keys);
  const poll = createSignalPolling({ context, client, rows, vocabulary, mayAsk, slowed: serviceObserver.slowed });
  const { catchUp } = connection;
  const { broadcast } = views;
  const relay = createRelay({ context, service: access, ledger, vocabulary, receive, catchUp, broadcast });
  const handlers = createServiceHandlers({
    context,
    service: access,
    ledger,
    rows,
    vocabulary,
    memory,
    calls,
    refresh: poll.now,
    ownUrl: relay.ownUrl,
  });
  return {
    connection,
    relay,
    /** In the order of their start. */
    modules: [
      ...(keyRetries === null ? [] : [keyRetries]),
      relay,
      connection,
      poll,
      { handlers: createConnectionHandlers({ context, connection, serviceObserver, keys }) },
      { handlers },
    ] as const,
    wake(reason: WakeReason): void {
      connection.wake(reason);
      keyRetries?.wake();
    },
  };
}

interface OwnEventDeps extends Pick<FirstWatchDeps, 'context' | 'ledger' | 'watch' | 'scheduled' | 'receive'> {
  readonly access: ServiceAccess;
  readonly state: ConnectionStore;
  readonly rows: RowTable;
  readonly notifications: Notifications;
}

/** The modules that make events of their own, and have them received like those of the service. */
function createOwnEvents({ access, state, notifications, ...deps }: OwnEventDeps) {
  const { client, mayAsk } = access;
  const { ruleStore } = notifications;
  return [
    createPriceAlerts({ ...deps, ruleStore, client, mayAsk }),
    createBreadth({ ...deps, ruleStore }),
    createFirstWatch({ ...deps, notifications }),
    createUnannouncedStates({ ...deps, isProvable: () => state.current().provable }),
  ] as const;
}
