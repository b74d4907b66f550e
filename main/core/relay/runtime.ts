// Main, core: the relay while its file is open: reception, forwarder, and their background jobs.
import { randomBytes } from 'node:crypto';
import type { Client } from '../../../client/client.ts';
import type { RelayView } from '../../../shared/channels/relay.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/lib/time.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import type { Cursor } from '../ledger/cursor.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { IngestResult } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { ActivityLog } from './activity.ts';
import { confirmDeadLetters } from './dead-letters.ts';
import { createForwarder, type Forwarder } from './forwarder.ts';
import { createReception, type Reception } from './reception.ts';
import { createReorderTimer } from './reorder-timer.ts';
import type { SecretStore } from './secrets.ts';
import type { RelayServer } from './server.ts';
import { openRelayStore, type RelayStore } from './store.ts';

export interface RelayDeps {
  /** Without the port `relay` this program cannot listen, and the relay is idle. */
  readonly context: CoreContext;
  readonly service: {
    readonly url: string;
    readonly client: Pick<Client, 'read' | 'page'>;
    mayAsk(): boolean;
  };
  readonly ledger: {
    highest(): number;
    after(ledgerId: number, limit: number): EntryRow[];
    isKnown(eventId: string): boolean;
    cursor(): Cursor;
    /** An event is pending beyond a hole. */
    hasPending(): boolean;
  };
  /** The way of deliveries into the ledger. */
  readonly intake: {
    ingest(events: readonly ReceivedEvent[]): IngestResult;
    catchUp(): void;
    ledgerFailed(message: string): void;
  };
  readonly broadcast: (name: 'relay.changed', view: RelayView) => void;
}

export interface RelayRuntime {
  readonly store: RelayStore;
  readonly forwarder: Forwarder;
  readonly reception: Reception;
  start(): void;
  /** Starts no further job; received deliveries are still written. */
  stopJobs(): void;
  close(): void;
}

export interface RelayRuntimeDeps extends Pick<RelayDeps, 'context' | 'service' | 'ledger' | 'intake'> {
  readonly server: Pick<RelayServer, 'post'>;
  readonly secrets: SecretStore;
  readonly activity: ActivityLog;
  readonly changed: () => void;
}

/** Interval of the confirmation of dead letters, ms; a call for each. */
const CONFIRM = { sandbox: 60_000, production: HOUR_MS };
/** How long settled events are remembered, ms: as long as ids are unique. */
const RETENTION = 30 * DAY_MS;

/** @throws the errors of `openRelayStore` */
export function openRelayRuntime(deps: RelayRuntimeDeps): RelayRuntime {
  const { service, ledger, intake, server, secrets, activity, changed } = deps;
  const { ports, guard, profile, world } = deps.context;
  const { logger } = ports;
  const { clock } = guard;
  let cancels: Cancel[] = [];
  let isStopping = false;

  const store = openRelayStore(ports.folder, timestamp(clock.now()), (line) => logger.error({}, line));
  const name = store.getMetadata('name') ?? randomBytes(9).toString('base64url');
  store.setMetadata('name', name);
  const prune = (): void => store.prune(clock.now() - RETENTION);
  prune();
  // The ledger was lost and is filled again.
  if (Number(store.getMetadata('printed') ?? 0) > ledger.highest()) store.setMetadata('printed', null);

  const reorderTimer = createReorderTimer({ clock, ledger, catchUp: intake.catchUp });
  const ingest = (events: readonly ReceivedEvent[]): IngestResult => {
    const ingested = intake.ingest(events);
    if (ingested.replaced) intake.catchUp();
    else if (ingested.hasPending && !isStopping) reorderTimer.arm();
    return ingested;
  };
  const forwarder = createForwarder({
    store,
    server,
    guard,
    random: ports.random,
    ledger,
    world: world.now,
    name,
    onSent: activity.sent,
    onChanged: changed,
  });
  const reception: Reception = createReception({
    clock,
    secrets,
    refusals: activity.refusals,
    store,
    name,
    world: () => (world.isKnown() ? { now: world.now(), speed: world.view().speed } : null),
    isKnown: ledger.isKnown,
    ingest,
    onLedgerFailed: intake.ledgerFailed,
    onArrival: activity.arrived,
    onDeadLetter() {
      intake.catchUp();
      guard.go(confirm());
    },
    onFault: (problem) => logger.error({ problem }, 'the relay could not take a delivery in'),
  });
  const confirm = async (): Promise<void> => {
    if (isStopping || !service.mayAsk() || store.countDeadLetters() === 0) return;
    const { client } = service;
    const settled = await confirmDeadLetters({ store, read: reception.read, client, isKnown: ledger.isKnown, ingest });
    if (settled > 0) changed();
  };

  return {
    store,
    forwarder,
    reception,
    start() {
      forwarder.start();
      cancels = [every(clock, CONFIRM[profile.environment], () => guard.go(confirm())), every(clock, DAY_MS, prune)];
    },
    stopJobs() {
      isStopping = true;
      for (const cancel of cancels) cancel();
      reorderTimer.stop();
    },
    close() {
      forwarder.stop();
      store.close();
    },
  };
}
