// Main, core: the relay, the third source: webhooks that arrive on this computer go into the same ledger as stream and back-fill, and from there on to
// local programs. This puts its parts together.
import { randomBytes } from 'node:crypto';
import { isLoopback } from '../../../client/address.ts';
import type { Client } from '../../../client/client.ts';
import type { ServiceProblem } from '../../../client/problem.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Arrival, RejectedRequest, RelayChannels, RelayView } from '../../../shared/channels/relay.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { messageOf, type Result } from '../../../shared/lib/result.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/lib/time.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import type { Followers } from '../events.ts';
import type { Guard } from '../guard.ts';
import type { Cursor } from '../ledger/cursor.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { IngestResult } from '../ledger/ledger.ts';
import type { Ports } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import type { WorldClock } from '../world-clock.ts';
import { confirmDeadLetters } from './dead-letters.ts';
import { createForwarder, type Forwarder } from './forwarder.ts';
import { createRelayHandlers, refusal } from './handlers.ts';
import { CANNOT_LISTEN, createListener } from './listener.ts';
import { createReception, type Reception } from './reception.ts';
import { createRefusals } from './refusals.ts';
import { createRegistrar, type Redelivery } from './registrar.ts';
import { createReorderTimer } from './reorder-timer.ts';
import { createSecretStore } from './secrets.ts';
import { createSelfDelivery } from './self-delivery.ts';
import type { Receipt, RelayServer } from './server.ts';
import { createRelaySettings } from './settings.ts';
import { openRelayStore, type RelayStore } from './store.ts';
import { createViewReader } from './view.ts';

/** What happened at the relay, as it happens, for whoever prints it. */
export type RelayActivity =
  | { readonly kind: 'arrived'; readonly arrival: Arrival }
  | { readonly kind: 'refused'; readonly refused: RejectedRequest }
  | {
      readonly kind: 'sent';
      readonly url: string;
      readonly eventId: string;
      readonly status: number | null;
      readonly error: string | null;
    };

export interface Relay {
  /** Begins once; whoever calls again waits for the same. */
  start(): Promise<void>;
  /** Ends listening, writes what is batched. A service that ends with this program is asked to deliver no more. */
  stop(): Promise<void>;
  readonly on: Followers;
  view(): RelayView;
  /** The address that the service delivers to, secret path and all; null while there is none. Not for windows. */
  ownUrl(): string | null;
  watch(listener: (activity: RelayActivity) => void): Cancel;
  /** Ledger id up to which a terminal has shown the ledger; kept over restarts. */
  readonly printed: { get(): number; set(ledgerId: number): void };
  readonly handlers: Handlers<RelayChannels>;
  /** The service sends its newest event once more. Rejects, with a message for the user, where it does not deliver here. */
  repeat(): Promise<Result<Redelivery, ServiceProblem>>;
  /** A test event, signed with the secret that is kept here, on its way through the own port; null where nothing listens or there is no secret. */
  sendToItself(eventId: string, body: string): Promise<Receipt | null>;
}

export interface RelayOptions extends Pick<Ports, 'random' | 'logger' | 'vault' | 'settings' | 'folder'> {
  /** null: this program cannot listen; the relay stands still. */
  readonly server: RelayServer | null;
  readonly guard: Guard;
  readonly profile: Profile;
  readonly serviceUrl: string;
  readonly client: Pick<Client, 'read' | 'page'>;
  readonly ledger: {
    highest(): number;
    after(ledgerId: number, limit: number): EntryRow[];
    isKnown(eventId: string): boolean;
    cursor(): Cursor;
    /** Something is missing before what arrived. */
    hasPending(): boolean;
  };
  readonly world: WorldClock;
  readonly ingest: (events: readonly ReceivedEvent[]) => IngestResult;
  readonly mayAsk: () => boolean;
  readonly catchUp: () => void;
  readonly ledgerFailed: (message: string) => void;
  readonly onChanged: (view: RelayView) => void;
}

const SHOWN = 50;
/** How often the subscription is checked, ms. In production a call counts against the quota, and the other sources see meanwhile. */
const CHECK_INTERVAL = { sandbox: 10_000, production: 900_000 };
/** Between two rounds of asking for dead letters, ms; a call for each. */
const CONFIRM = { sandbox: 60_000, production: HOUR_MS };
/** What was settled is remembered this long: as long as ids are unique, ms. */
const RETENTION = 30 * DAY_MS;
/** The service is given this long to hear that it must deliver no more, ms: what the time for an end leaves beside the notifications under way. */
const WITHDRAW_LIMIT = 900;

export function createRelay(options: RelayOptions): Relay {
  const { server, guard, random, logger, profile, client, ledger, world, folder } = options;
  const { clock } = guard;
  const reachable = isLoopback(URL.parse(options.serviceUrl)?.hostname ?? '');
  const settings = createRelaySettings(options.settings, profile, reachable);
  const secrets = createSecretStore(options.vault, profile.name, (problem) =>
    logger.info({ problem }, 'the secret of the relay lasts for this run only'),
  );
  const subscribers = new Set<(activity: RelayActivity) => void>();
  const refusals = createRefusals(clock);
  let arrivals: Arrival[] = [];
  let runtime: { store: RelayStore; forwarder: Forwarder; reception: Reception } | null = null;
  let failure: string | null = server === null ? CANNOT_LISTEN : null;
  let cancels: Cancel[] = [];
  let isStopped = false;

  const view = createViewReader({
    clock,
    settings,
    secrets,
    refusals,
    reachable,
    now: () => ({
      listening: listener.listening(),
      problem: failure,
      registration: registrar.view(),
      arrivals,
      quarantined: runtime?.store.countDeadLetters() ?? 0,
      targets: runtime?.forwarder.targets() ?? [],
    }),
    onChanged: options.onChanged,
  });
  const announce = (activity: RelayActivity): void => {
    for (const subscriber of subscribers) guard.run(() => subscriber(activity));
    view.changed();
  };
  const noted = {
    ...refusals,
    note: (...note: Parameters<typeof refusals.note>) => {
      const refused = refusals.note(...note);
      announce({ kind: 'refused', refused });
      return refused;
    },
  };

  const listener = createListener({
    server,
    settings,
    secrets,
    logger,
    reachable,
    onRefused: noted.note,
  });
  const registrar = createRegistrar({
    client,
    guard,
    random,
    cadence: CHECK_INTERVAL[profile.environment],
    secrets,
    store: {
      getMetadata: (name) => runtime?.store.getMetadata(name) ?? null,
      setMetadata: (name, value) => runtime?.store.setMetadata(name, value),
    },
    url: listener.url,
    isOn: () => listener.listening() !== null,
    isEnabled: () => settings.read().on,
    mayAsk: options.mayAsk,
    onChanged: view.changed,
  });
  const reorderTimer = createReorderTimer({ clock, ledger, catchUp: options.catchUp });
  const ingest = (events: readonly ReceivedEvent[]): IngestResult => {
    const ingested = options.ingest(events);
    if (ingested.replaced) options.catchUp();
    else if (ingested.hasPending && !isStopped) reorderTimer.arm();
    return ingested;
  };
  const confirm = async (): Promise<void> => {
    if (runtime === null || !options.mayAsk() || runtime.store.countDeadLetters() === 0) return;
    const settled = await confirmDeadLetters({
      store: runtime.store,
      read: runtime.reception.read,
      client,
      isKnown: ledger.isKnown,
      ingest,
    });
    if (settled > 0) view.changed();
  };

  const open = (outwards: Pick<RelayServer, 'post'>): NonNullable<typeof runtime> => {
    const store = openRelayStore(folder, timestamp(clock.now()), (line) => logger.error({}, line));
    const name = store.getMetadata('name') ?? randomBytes(9).toString('base64url');
    store.setMetadata('name', name);
    store.prune(clock.now() - RETENTION);
    // The ledger was lost and is filled again.
    if (Number(store.getMetadata('printed') ?? 0) > ledger.highest()) store.setMetadata('printed', null);
    const forwarder = createForwarder({
      store,
      server: outwards,
      guard,
      random,
      ledger,
      world: world.now,
      name,
      onSent: (sent) => announce({ kind: 'sent', ...sent }),
      onChanged: view.changed,
    });
    const reception = createReception({
      clock,
      secrets,
      refusals: noted,
      store,
      name,
      world: () => (world.isKnown() ? { now: world.now(), speed: world.view().speed } : null),
      isKnown: ledger.isKnown,
      ingest,
      onLedgerFailed: options.ledgerFailed,
      onArrival(arrival) {
        arrivals = [arrival, ...arrivals].slice(0, SHOWN);
        announce({ kind: 'arrived', arrival });
      },
      onDeadLetter() {
        options.catchUp();
        guard.go(confirm());
      },
      onFault: (problem) => logger.error({ problem }, 'the relay could not take a delivery in'),
    });
    return { store, forwarder, reception };
  };

  const ready = (): NonNullable<typeof runtime> => {
    if (runtime === null) throw refusal(failure ?? 'The relay is not ready yet.');
    return runtime;
  };
  const listen = async (): Promise<void> => {
    if (runtime === null || listener.listening() !== null) return;
    failure = await listener.open(runtime.reception.receive);
    registrar.check();
    view.changed();
  };
  const close = async (): Promise<void> => {
    await listener.close();
    runtime?.reception.flush();
  };

  let beginning: Promise<void> | null = null;
  const begin = async (): Promise<void> => {
    if (server === null) return;
    try {
      runtime = open(server);
      await secrets.load();
    } catch (error) {
      failure = `The relay cannot keep what it needs: ${messageOf(error)}`;
      logger.error({}, failure);
    }
    if (runtime === null || isStopped) return;
    const { forwarder } = runtime;
    forwarder.start();
    cancels = [
      every(clock, CONFIRM[profile.environment], () => guard.go(confirm())),
      every(clock, DAY_MS, () => runtime?.store.prune(clock.now() - RETENTION)),
    ];
    if (settings.read().on) await listen();
    else registrar.check();
  };

  return {
    start() {
      beginning ??= begin();
      return beginning;
    },
    async stop() {
      isStopped = true;
      registrar.stop();
      for (const cancel of cancels) cancel();
      view.stop();
      reorderTimer.stop();
      if ((profile.baseUrl === null || !settings.isPersisted()) && listener.listening() !== null) {
        const limit = new Promise<void>((resolve) => clock.after(WITHDRAW_LIMIT, resolve));
        await Promise.race([registrar.withdraw().catch(() => undefined), limit]);
      }
      await close();
      runtime?.forwarder.stop();
      runtime?.store.close();
      runtime = null;
    },
    on: {
      recorded({ added }) {
        if (added.length > 0) runtime?.forwarder.wake();
      },
      serviceTrusted() {
        if (runtime !== null) registrar.check();
      },
    },
    view: view.read,
    ownUrl: listener.url,
    watch(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    printed: {
      get: () => Number(runtime?.store.getMetadata('printed') ?? 0),
      set: (ledgerId) => runtime?.store.setMetadata('printed', String(ledgerId)),
    },
    handlers: createRelayHandlers({
      clock,
      settings,
      secrets,
      refusals,
      registrar,
      listener,
      view,
      ready,
      listen,
      close,
    }),
    repeat: registrar.test,
    sendToItself: createSelfDelivery({ clock, server, listener, secrets }),
  };
}
