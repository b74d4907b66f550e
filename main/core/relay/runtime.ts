// Main, core: the relay while its file is open: listener, registration, reception, forwarding.
import { type Cancel, type Clock, every } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { DEFAULT_MAPPING } from '../../../shared/settings/foreign-alerts.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { CoreModule } from '../module.ts';
import { createDeadLetters } from './dead-letters.ts';
import type { RelayDeps } from './deps.ts';
import { RETENTION } from './forward-queue.ts';
import { createForwarder, type Forwarder } from './forwarder.ts';
import { createInbound, type LastBody } from './inbound.ts';
import { createListener, type Listener } from './listener.ts';
import { createDeliveryBatch, createReception } from './reception.ts';
import { createRegistrar, type Registrar } from './registrar.ts';
import type { RelayServer } from './server.ts';
import { openRelayStore, type RelayStore, retryDelay } from './store.ts';
import type { ForwarderDeps } from './target-queue.ts';
import type { RelayParts, RelayStatus } from './view.ts';

interface ReorderTimer {
  /** An event is pending beyond a hole: starts the wait unless it runs. */
  arm(): void;
  /** Later calls of `arm` do nothing. */
  stop(): void;
}

/** Longest wait for a reordered delivery, ms: it usually follows at once. */
const WAIT = 100;

function createReorderTimer(
  clock: Clock,
  ledger: Pick<RelayDeps['ledger'], 'cursor' | 'hasPending'>,
  catchUp: () => void,
): ReorderTimer {
  let cancel: Cancel | null = null;
  let isStopped = false;
  const arm = (): void => {
    if (cancel !== null || isStopped) return;
    const { eventId } = ledger.cursor();
    cancel = clock.after(WAIT, () => {
      cancel = null;
      if (!ledger.hasPending()) return;
      if (ledger.cursor().eventId === eventId) catchUp();
      else arm();
    });
  };
  return {
    arm,
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
}

export interface RelayRuntime {
  readonly store: RelayStore;
  readonly forwarder: Forwarder;
  readonly registrar: Registrar;
  readonly listener: Listener;
  readonly on: Required<Pick<NonNullable<CoreModule['on']>, 'recorded' | 'ledgerWritten' | 'serviceTrusted'>>;
  status(): RelayStatus;
  /** The last body at the inbound address; null: none came. */
  lastInbound(): LastBody | null;
  /** Begins to listen if the user enabled it, to register, and to forward. */
  start(): Promise<void>;
  listen(): Promise<void>;
  /** Stops listening and writes the batch. */
  close(): Promise<void>;
  /** Ends the jobs, stops listening, writes the batch. @param isWithdrawn deletes the subscription first */
  stop(isWithdrawn: boolean): Promise<void>;
}

/**
 * Longest wait for the service to delete the subscription, ms: the time that the exit leaves beside running
 * notifications.
 */
const WITHDRAW_LIMIT = 900;

/** @throws the errors of `openRelayStore` */
export function openRelayRuntime(deps: RelayDeps, server: RelayServer, parts: RelayParts): RelayRuntime {
  const { context, service, ledger, catchUp } = deps;
  const { settings, secrets, activity, reachable, changed } = parts;
  const { logger } = context.ports;
  const { clock } = context.guard;

  const store = openRelayStore(context.folder, timestamp(clock.now()), (line) => logger.error({}, line));
  const listener = createListener({ server, settings, secrets, activity, logger, reachable });
  const registrar = createRegistrar({ context, service, settings, secrets, store, listener, changed });
  const forwarder = followLedger(store, { context, store, server, ledger, activity });
  const receiving = createReceiving(deps, parts, store, listener);
  const reorderTimer = createReorderTimer(clock, ledger, catchUp);
  let cancelPrune: Cancel = () => undefined;
  const forwarding = createForwarding(context, store, forwarder);
  let isStopped = false;

  const listen = async (): Promise<void> => {
    if (listener.listening() !== null) return;
    await receiving.open();
    if (isStopped) return;
    void registrar.check();
    changed();
  };
  const { close, lastInbound } = receiving;
  return {
    store,
    forwarder,
    registrar,
    listener,
    on: {
      recorded({ source, added, replaced, hasPending }) {
        if (added.length > 0) forwarding.wake();
        if (source !== 'relay') return;
        if (replaced) catchUp();
        else if (hasPending) reorderTimer.arm();
      },
      ledgerWritten({ isRenumbered }) {
        forwarder.ledgerWritten(isRenumbered);
        // Events of the meantime could not be enqueued if the relay's file is on the same disk.
        forwarding.wake();
      },
      serviceTrusted: registrar.serviceTrusted,
    },
    status: () => ({
      listening: listener.listening(),
      problem: listener.problem(),
      registration: registrar.view(),
      quarantined: store.deadLetters.count(),
      targets: forwarder.targets(),
      inboundAt: lastInbound()?.at ?? null,
    }),
    lastInbound,
    async start() {
      receiving.start();
      cancelPrune = every(clock, DAY_MS, forwarding.prune);
      // Listens before steps that wait for a file that another program has locked.
      const listening = settings.read().on ? listen() : registrar.check();
      forwarding.wake();
      await listening;
    },
    listen,
    close,
    async stop(isWithdrawn) {
      isStopped = true;
      registrar.stop();
      receiving.stop();
      reorderTimer.stop();
      cancelPrune();
      forwarding.stop();
      if (isWithdrawn && listener.listening() !== null) {
        const limit = new Promise<void>((resolve) => clock.after(WITHDRAW_LIMIT, resolve));
        await Promise.race([registrar.withdraw().catch(() => undefined), limit]);
      }
      await close();
      forwarder.stop();
      store.close();
    },
  };
}

/** What is done with deliveries, and with bodies at the inbound address, while the listener is open. */
function createReceiving(deps: RelayDeps, parts: RelayParts, store: RelayStore, listener: Listener) {
  const { context, ledger, vocabulary } = deps;
  const { settings, secrets, activity, changed } = parts;
  const deadLetters = createDeadLetters({ ...deps, store: store.deadLetters, changed });
  const batch = createDeliveryBatch(deps);
  const receive = createReception({ context, vocabulary, secrets, activity, store, ledger, batch, deadLetters });
  const inbound = createInbound({
    context,
    ledger,
    receive: deps.receive,
    activity,
    mapping: () => settings.read().mapping ?? DEFAULT_MAPPING,
    remember(last) {
      store.setMetadata('inbound_last', JSON.stringify(last));
      changed();
    },
  });
  return {
    start: deadLetters.start,
    stop: deadLetters.stop,
    open: () => listener.open(receive, inbound),
    async close(): Promise<void> {
      await listener.close();
      batch.flush();
    },
    lastInbound(): LastBody | null {
      const found = store.getMetadata('inbound_last');
      return found === null ? null : (JSON.parse(found) as LastBody);
    },
  };
}

/** @throws when the ledger was lost and the positions in it cannot be written; the store is closed then */
function followLedger(store: RelayStore, deps: ForwarderDeps): Forwarder {
  try {
    // The ledger was lost and is filled again.
    if (Number(store.getMetadata('printed') ?? 0) > deps.ledger.count()) store.setMetadata('printed', null);
    return createForwarder(deps);
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Forwards the new events of the ledger, and gives up events that were pending for a month. */
function createForwarding(
  { guard, ports, profile, world }: RelayDeps['context'],
  store: Pick<RelayStore, 'prune'>,
  forwarder: Pick<Forwarder, 'wake'>,
) {
  let isPruned = false;
  let attempts = 0;
  let cancel: Cancel = () => undefined;
  /** A clock that runs ahead would give up every pending event: a service in real time must confirm it. */
  const isClockConfirmed = (): boolean => {
    if (!world.isKnown()) return false;
    const { offset, speed } = world.view();
    return profile.environment === 'sandbox' || speed !== 1 || Math.abs(offset) < DAY_MS;
  };
  const prune = (): void => {
    if (!isClockConfirmed()) return;
    store.prune(guard.clock.now() - RETENTION);
    isPruned = true;
  };
  const wake = (): void => {
    cancel();
    try {
      forwarder.wake();
      // After enqueuing, because `prune` deletes the trails of events without a row.
      if (!isPruned) prune();
    } catch (error) {
      ports.logger.warn({ problem: messageOf(error) }, 'the file of the relay cannot be written');
      cancel = guard.clock.after(retryDelay(attempts, ports.random), wake);
      attempts += 1;
    }
  };
  return { prune, wake, stop: () => cancel() };
}
