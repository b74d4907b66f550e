// Main, core: the monitor of one profile, whole: what listens, what writes down, what decides, what tells.

import type { Service } from '../../client/address.ts';
import type { CoreChannels } from '../../shared/channels/channels.ts';
import type { Handlers } from '../../shared/channels/ends.ts';
import type { CoreLink } from '../../shared/channels/link.ts';
import { ALERTS_KEPT } from '../../shared/channels/state.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { createAlertDesk } from './alerts/desk.ts';
import { shownAlerts } from './alerts/shown.ts';
import { createArchive } from './archive/archive.ts';
import { createAnchor } from './backfill/anchor.ts';
import { createBackfill } from './backfill/backfill.ts';
import { createLogBook } from './backfill/log-book.ts';
import { createFireDrill } from './drill/drill.ts';
import { createDrillSender } from './drill/sender.ts';
import { createGuard } from './guard.ts';
import { createConnectionHandlers } from './handlers/connection.ts';
import { createHandlers } from './handlers/handlers.ts';
import { createKeyHandlers } from './handlers/keys.ts';
import { createReadingHandlers } from './handlers/readings.ts';
import { createSubscriptionHandlers } from './handlers/subscriptions.ts';
import { createKeyedClient } from './keys/keyed-client.ts';
import type { ProfileKeys } from './keys/profile-keys.ts';
import type { EntryRow } from './ledger/entries.ts';
import { createIntake, type Intake } from './ledger/intake.ts';
import { type Ledger, ledgerWords, openLedger, quarantineWords } from './ledger/ledger.ts';
import type { Logger, Ports } from './ports.ts';
import type { Profile } from './profiles/settings.ts';
import { createWatch, type Watch } from './profiles/watch.ts';
import { createRelay, type Relay } from './relay/relay.ts';
import { transitionOf } from './state/alerts.ts';
import { createAudience } from './state/audience.ts';
import { createFaces } from './state/faces.ts';
import { freshLamp, staleSymbols } from './state/freshness.ts';
import type { Glance } from './state/glance.ts';
import { createObserved } from './state/observed.ts';
import { CADENCE, createPoll, pollCost, REGIME_CADENCE } from './state/poll.ts';
import { createRowTable, type RowTable } from './state/rows.ts';
import { createState } from './state/state.ts';
import type { TrayFace } from './state/tray-face.ts';
import { createUnseeing } from './state/unseen.ts';
import { createWorldClock } from './state/world-clock.ts';
import { createInbox } from './stream/inbox.ts';
import { createSight, POLL, type Sight, type WakeReason } from './stream/sight.ts';

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
  trayFace(): TrayFace;
  /** Told, at most every few frames, that it may have changed. */
  onTrayFace(listener: () => void): Cancel;
  /** Ledger ids of what a notification is about; 0 stands for no event. Empty: this core told no such notification. */
  about(notificationId: string): readonly number[];
  /** The time of the service's world, ms. */
  worldNow(): number;
  /** Events by their place in the ledger, at most `limit` beyond one of them. */
  entries(after: number, limit: number): EntryRow[];
  /** How it stands, in a few words: for the list of all profiles. */
  glance(): Glance;
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
  const first = keys?.inUse() ?? { key: service.key, obstacle: null };
  const cadence = CADENCE[profile.environment];
  const observed = createObserved(clock, () => pollCost(rows.symbols().length, cadence));
  const { client, use } = createKeyedClient({
    baseUrl: service.baseUrl,
    first,
    profile,
    fetch: ports.fetch,
    clock,
    witness: observed.witness,
  });
  const ledger = (options.openLedger ?? openLedger)(ports.folder, timestamp(clock.now()));
  const watch = createWatch(ports.settings);
  const world = createWorldClock(clock);
  const rows = createRowTable();
  const audience = createAudience();
  const { tell } = audience;
  const faces = createFaces({
    profile,
    label: () => keys?.label(label) ?? label,
    sight: () => sight,
    rows,
    watch,
    ledger,
  });
  const state = createState(
    clock,
    {
      profile: faces.profile,
      connection: () => sight.face(),
      watchlists: () => watch.lists(),
      selected: () => watch.selected(),
      rows: (symbols) => (symbols === undefined ? rows.all() : symbols.flatMap((symbol) => rows.get(symbol) ?? [])),
      alerts: (ids) => shownAlerts(ledger, watch.isWatched, ids ?? null, rows.all()),
      gaps: () => ledger.gaps(GAPS_SHOWN),
      ledger: () => ({ events: ledger.count() }),
      notifier: () => notifier.status(),
    },
    (changes) => {
      tell('state.changed', changes);
      audience.look();
    },
  );
  const unseeing = createUnseeing({ environment: profile.environment, connection: () => sight.face(), rows });
  const alerts = createAlertDesk({
    ports,
    clock,
    ledger,
    profile,
    watch,
    world,
    baseRate: rows.baseRate,
    isReplay: () => sight.isReplay(),
    unseen: unseeing.unseen,
    sees: unseeing.sees,
    calendars: unseeing.calendars,
    onAlerts: state.touchAlerts,
    onChanged(alerting) {
      tell('alerting.changed', alerting);
    },
  });
  const intake = createIntake({ clock, ledger, judge: alerts.judge, written: alerts.written, rows, state });
  const take: Intake['take'] = (...arrival) => {
    const ingested = intake.take(...arrival);
    if (ingested.added.length > 0) relay.kick();
    drill.heard();
    archive.heard(ingested);
    return ingested;
  };
  const inbox = createInbox(
    clock,
    (events) => {
      try {
        const { holds, replaced } = take('stream', events);
        if (holds || replaced) sight.catchUp();
      } catch (thrown) {
        sight.ledgerFailed(ledgerWords(thrown));
      }
    },
    (unfit) => logger.warn({ unfit }, 'something on the stream is no event'),
  );
  const anchor = createAnchor(ledger);
  const backfill = createBackfill({
    client,
    clock,
    ledger: createLogBook({ ledger, anchor, world, clock, ingest: take, onGap: () => state.touch('gaps') }),
    onUnfit: (why, row) => logger.warn({ why, row }, 'a row of the service is no event'),
  });
  /** The past is complete: what was missed is told now. */
  const caughtUp: Ledger['caughtUp'] = (at, filled) => {
    const open = ledger.gaps(GAPS_SHOWN);
    const closed = ledger.caughtUp(at, filled);
    unseeing.caughtUp();
    guard.run(() => alerts.caughtUp(open));
    if (sight.isStreaming()) anchor.whole();
    archive.sighted();
    return closed;
  };
  const sight: Sight = createSight({
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
      archive.unsighted();
    },
    onTrusted: () => {
      poll.now();
      relay.trusted();
    },
    onChanged: state.touch,
  });
  const poll = createPoll({
    client,
    guard,
    cadence,
    slowed: observed.slowed,
    regimeCadence: REGIME_CADENCE[profile.environment],
    rows,
    mayAsk: sight.mayAsk,
    onRound: (outcome, unfit) => {
      if (unfit > 0) logger.warn({ unfit }, 'rows of /snapshot could not be read');
      if (watch.refresh()) watchChanged();
      alerts.refresh();
      sight.roundTrip(outcome);
      rows.judge(
        staleSymbols({
          rows: rows.all(),
          worldNow: world.now(),
          speed: world.face().speed,
          now: clock.now(),
          cadence: cadence * observed.slowed(),
        }),
      );
      sight.fresh(freshLamp(rows.all()));
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
    door: ports.relay ?? null,
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
    mayAsk: sight.mayAsk,
    catchUp: sight.catchUp,
    ledgerFailed: sight.ledgerFailed,
    onChanged: (face) => tell('relay.changed', face),
  });
  const drill = createFireDrill({
    guard,
    ledger,
    sender: createDrillSender({
      client,
      profile,
      relay,
      world,
      mayAsk: sight.mayAsk,
      obstacle: () =>
        sight.face().stopped ?? sight.face().blind?.cause ?? 'The service did not answer yet. Try again in a moment.',
    }),
    rehearse: alerts.rehearse,
    kick: alerts.kick,
    symbols: () => drillSymbols(watch, rows),
    onChanged: (face) => tell('drill.changed', face),
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
    mayAsk: sight.mayAsk,
    onChanged: (face) => tell('archive.changed', face),
  });
  const watchChanged = (): void => {
    if (rows.keep(watch.symbols())) poll.now();
    state.touchRows(rows.takeChanged());
    state.touch('watchlists');
    state.touchAlerts(shownAlerts(ledger, watch.isWatched, null, rows.all()).map((alert) => alert.ledger_id));
  };

  keys?.onChange(() => {
    use(keys.inUse());
    state.touch('profile');
    sight.retry();
  });

  return {
    handlers: createHandlers({
      state,
      watch,
      onWatchChanged: watchChanged,
      readings: createReadingHandlers({
        client,
        mayAsk: sight.mayAsk,
        ledger,
        clock,
        worldNow: world.now,
        memory: archive.memory,
      }),
      relay: relay.handlers,
      keys: createKeyHandlers(keys ?? null),
      alerting: {
        ...alerts.handlers,
        'alerts.clicked': (input) => {
          drill.clicked(input.notification_id);
          return alerts.handlers['alerts.clicked'](input);
        },
        'alerts.note'(input) {
          const done = alerts.handlers['alerts.note'](input);
          archive.noted(input.ledger_id, input.note);
          return done;
        },
      },
      drill: drill.handlers,
      archive: archive.handlers,
      connection: createConnectionHandlers({
        sight,
        observed,
        way: ports.way,
        report: ports.report,
        polling: { events: POLL[profile.environment], signals: cadence },
        retry() {
          sight.retry();
          // What could not be read before may be readable now, and another program may have saved another key.
          if (keys !== undefined) guard.go(keys.load());
        },
      }),
      subscriptions: createSubscriptionHandlers({ client, mayAsk: sight.mayAsk, ownUrl: relay.ownUrl }),
    }),
    attach: audience.attach,
    async start() {
      rows.keep(watch.symbols());
      rows.recall(archive.memory.rows());
      recallStates(rows, ledger);
      admitQuarantine(ledger, logger);
      guard.run(drill.start);
      alerts.start();
      sight.start();
      poll.start();
      guard.go(relay.start());
    },
    async stop() {
      drill.stop();
      poll.stop();
      sight.stop();
      inbox.flush();
      await relay.stop(profile.baseUrl === null);
      client.close();
      await archive.stop();
      await backfill.idle();
      await alerts.stop();
      state.stop();
      ledger.close();
    },
    wake: sight.wake,
    glance: faces.glance,
    trayFace: faces.tray,
    onTrayFace: audience.onLook,
    about: ledger.tellings.eventsOf,
    worldNow: world.now,
    entries,
    relay,
  };
}

const GAPS_SHOWN = 200;

/** The ledger may know of later transitions than what was kept of the rows. */
function recallStates(rows: RowTable, ledger: Ledger): void {
  for (const row of ledger.entries.newestSignals(ALERTS_KEPT).reverse()) {
    const transition = transitionOf(row);
    if (transition !== null) rows.moved(transition, timestamp(row.received_ms));
  }
}

/** What a damaged ledger held is not known any more: that is a gap like any other. */
function admitQuarantine(ledger: Ledger, logger: Logger): void {
  if (ledger.quarantined === null) return;
  const { name: file, sightUntil } = ledger.quarantined;
  logger.error({ file }, 'the ledger was damaged and set aside');
  ledger.openGap('away', sightUntil, null, quarantineWords(ledger.quarantined));
}

/** The selected one first, then those that the service is known to have. */
function drillSymbols(watch: Watch, rows: RowTable): string[] {
  const watched = watch.symbols().filter(watch.isWatched);
  const first = (symbol: string): number => (symbol === watch.selected() ? 0 : 1);
  const covered = watched.filter((symbol) => rows.get(symbol)?.coverage === 'full');
  return (covered.length > 0 ? covered : watched).sort((a, b) => first(a) - first(b));
}
