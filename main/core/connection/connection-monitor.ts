// Main, core: supervises the connection: stream, back-fill and round trips.
// The connection is lost when neither stream nor polling brings data, and restored when every event since
// then was fetched.
import type { Client } from '../../../client/client.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import type { Followers } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { Receive } from '../receive.ts';
import { createAnchor } from '../sources/anchor.ts';
import { createBackfill } from '../sources/backfill.ts';
import { createBackfillLedger } from '../sources/backfill-ledger.ts';
import { freshIndicator } from '../sources/freshness.ts';
import { createMessageBatcher } from '../sources/message-batcher.ts';
import { createBreaks } from './breaks.ts';
import { createCatchUp } from './catch-up.ts';
import { createHealthChecks } from './health-checks.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createLag } from './lag.ts';
import { createLogPolling } from './log-polling.ts';
import type { Phase, RefusalScope } from './machine.ts';
import { createRechecks } from './rechecks.ts';
import { createServiceIdentity } from './service-identity.ts';
import { type ServiceSource, startMessage } from './service-source.ts';
import { createStandstillWatch } from './standstill.ts';
import { type ConnectionStore, isStreaming } from './state.ts';
import { type StreamDetails, streamDetails } from './stream-details.ts';
import { createSupervisor } from './supervisor.ts';
import { createWatermark } from './watermark.ts';

export type WakeReason = 'resume' | 'unlock' | 'network' | 'clock' | 'held_up';

const WAKE_MESSAGES: Readonly<Record<WakeReason, Message>> = {
  resume: message('connection.slept'),
  held_up: message('connection.held_up'),
  unlock: message('connection.locked'),
  network: message('connection.network_changed'),
  clock: message('connection.clock_changed'),
};

export interface ConnectionMonitor {
  readonly on: Followers;
  start(): void;
  /** Ends the stream and writes its pending messages. */
  stop(): void;
  /** Reconnects: an open connection may be dead. */
  wake(reason: WakeReason): void;
  /** The service's clock may have been set: reads it now. */
  readClock(): Promise<void>;
  /** The user requests a new connection. */
  retry(): void;
  /** Fetches an event that is missing or could not be written. */
  catchUp(): void;
  /** Resolves when no reading of the log is running. */
  idle(): Promise<void>;
  /** The stream as the connection page shows it. */
  details(): StreamDetails;
}

export interface ConnectionMonitorDeps {
  readonly context: CoreContext;
  readonly source: ServiceSource;
  readonly store: ConnectionStore;
  readonly client: Client;
  readonly ledger: Ledger;
  readonly receive: Receive;
  readonly vocabulary: Vocabulary;
}

/** Interval of the checks whether bytes come and the service goes on, ms. */
const CHECK_INTERVAL = 1_000;
/** Interval at which the watermark is saved, ms. */
const WATERMARK = 30_000;

/** Creates the parts of the monitor, each after the parts that it uses. */
function createParts({ context, store, client, ledger, receive, vocabulary }: ConnectionMonitorDeps) {
  const { guard, events, world } = context;
  const { clock } = guard;
  const anchor = createAnchor(ledger);
  const logLedger = createBackfillLedger({ context, ledger, anchor, receive });
  const breaks = createBreaks(clock);
  const lag = createLag(world);
  const heartbeat = createHeartbeat();
  const healthChecks = createHealthChecks({ clock, store, heartbeat, lag, events });
  const watermark = createWatermark({ context, ledger, store, anchor, heartbeat });
  const batcher = createMessageBatcher(context, vocabulary, receive);
  const identity = createServiceIdentity({ context, client, store, ledger, healthChecks, watermark });
  const backfill = createBackfill({
    client,
    clock,
    ledger: logLedger,
    logger: context.ports.logger,
    vocabulary,
    checkService: identity.recheck,
    isKeyAccepted: () => isStreaming(store.current()) || store.current().isPolling,
  });
  const catchUp = createCatchUp({ context, ledger, backfill, anchor, watermark, healthChecks, store, batcher });
  const logPolling = createLogPolling({ context, store, catchUp, lag, healthChecks });
  const supervisor = createSupervisor({ context, store, heartbeat, client, ledger, identity, catchUp, batcher });
  const rechecks = createRechecks({ guard, store, world, identity, supervisor });
  const standstill = createStandstillWatch({ context, store, ledger, watermark, catchUp });
  return {
    anchor,
    breaks,
    lag,
    heartbeat,
    healthChecks,
    watermark,
    batcher,
    identity,
    catchUp,
    logPolling,
    supervisor,
    rechecks,
    standstill,
  };
}

type Parts = ReturnType<typeof createParts>;

export function createConnectionMonitor(deps: ConnectionMonitorDeps): ConnectionMonitor {
  const { context, source, store, client, ledger } = deps;
  const { guard, world } = context;
  const { clock, go } = guard;
  const parts = createParts(deps);
  const { breaks, heartbeat, healthChecks, watermark, batcher } = parts;
  const { identity, catchUp, logPolling, supervisor, rechecks, standstill } = parts;
  let cancels: Cancel[] = [];
  let isBegun = false;
  /** Begins when the service is ready, and shows how far its start is until then. */
  const followStart = (): void => {
    const cause = startMessage(source);
    if (cause !== null) watermark.pending(cause);
    else if (!isBegun) {
      isBegun = true;
      cancels.push(...startParts(parts, context));
    }
  };
  const fetchMissing = (): void => {
    if (isBegun) go(catchUp.run('backfill'));
  };
  const retry = (): void => {
    if (!isBegun) {
      source.retry();
      return;
    }
    breaks.expect(message('connection.retried'));
    supervisor.retry();
  };

  return {
    on: {
      streamPhaseChanged: (phase) => followPhase(phase, parts, deps),
      keyRefused() {
        // A refused stream has its own, slower attempts.
        if (store.current().phase.name !== 'refused') supervisor.wake();
      },
      keyChanged: retry,
      ledgerFailed({ message: why }) {
        watermark.lose(why);
        if (isBegun) catchUp.again(0);
      },
      // Closes the gap.
      ledgerWritten: fetchMissing,
      recorded({ source, hasPending, replaced }) {
        if (source === 'stream' && (hasPending || replaced)) fetchMissing();
      },
      signalsPolled({ outcome, rows, overdueSince }) {
        healthChecks.roundTrip(outcome);
        healthChecks.fresh(freshIndicator(rows));
        standstill.overdue(overdueSince);
      },
      signalsAged({ rows, overdueSince }) {
        healthChecks.fresh(freshIndicator(rows));
        standstill.overdue(overdueSince);
      },
    },
    start() {
      // A full disk must not prevent the connection.
      guard.run(watermark.openDowntime);
      cancels = [source.onChange(() => guard.run(followStart))];
      followStart();
    },
    stop() {
      watermark.save();
      identity.stop();
      for (const cancel of cancels) cancel();
      rechecks.stop();
      logPolling.stop();
      catchUp.stop();
      supervisor.stop();
      batcher.flush();
    },
    wake(reason) {
      watermark.openGap(WAKE_MESSAGES[reason]);
      // The clock was set: its samples are invalid.
      if (reason === 'clock') world.forget();
      breaks.expect(WAKE_MESSAGES[reason]);
      supervisor.wake();
    },
    async readClock() {
      if (!isBegun) return;
      // Until it is read, events may be ahead of a clock that stood.
      world.lost();
      await identity.check();
    },
    retry,
    catchUp: fetchMissing,
    idle: catchUp.idle,
    details: () => streamDetails({ client, clock, phase: store.current().phase, heartbeat, breaks, ledger, watermark }),
  };
}

/** Begins to ask the service. @returns what ends the regular checks */
function startParts(parts: Parts, { guard }: CoreContext): Cancel[] {
  const { identity, standstill, healthChecks, watermark, rechecks, logPolling, supervisor } = parts;
  identity.begin();
  guard.run(standstill.start);
  const cancels = [
    every(guard.clock, CHECK_INTERVAL, () => {
      healthChecks.checkBytes();
      standstill.check();
    }),
    every(guard.clock, WATERMARK, watermark.save),
  ];
  rechecks.start();
  logPolling.start();
  supervisor.start();
  return cancels;
}

function followPhase(phase: Phase, parts: Parts, { context, store }: ConnectionMonitorDeps): void {
  const { anchor, breaks, lag, healthChecks, watermark, identity, catchUp, logPolling, rechecks } = parts;
  const { guard, events } = context;
  breaks.phase(phase);
  if (phase.name !== 'refused') store.set({ isPolling: false });
  if (phase.name !== 'open') {
    watermark.broken();
    identity.lost();
    guard.run(anchor.broken);
    events.signal('streamBroken');
  }
  healthChecks.phase(phase);
  switch (phase.name) {
    case 'open':
      lag.begin();
      rechecks.opened();
      guard.go(catchUp.run('backfill'));
      break;
    case 'waiting':
      watermark.openGap(phase.cause);
      // If the service still answers, polling replaces the stream; if not, the outage is shown now.
      if (store.current().outage === null)
        guard.go(identity.check().then((seen) => void (seen.ok && logPolling.poll())));
      break;
    case 'refused':
      catchUp.cancelRetry();
      if (mayReplace(phase.what, phase.attempt)) guard.go(replaceStream(phase, parts, { context, store }));
      else if (!store.current().isPolling) watermark.lose(phase.message);
      break;
  }
  events.signal('connectionChanged');
}

/** Polls REST until the stream opens again, unless REST refuses too. */
async function replaceStream(
  refusal: Phase & { readonly name: 'refused' },
  { catchUp, watermark }: Parts,
  { context, store }: Pick<ConnectionMonitorDeps, 'context' | 'store'>,
): Promise<void> {
  const { ok: answers } = await catchUp.run('poll');
  // The next attempt of the stream may have succeeded meanwhile.
  if (store.current().phase.name !== 'refused') return;
  store.set({ isPolling: answers });
  if (answers) context.events.signal('serviceTrusted');
  else watermark.lose(refusal.message);
  context.events.signal('connectionChanged');
}

/**
 * REST is tried with a refused key at the first refusal and at every fourth, so that the key is not locked
 * out.
 */
const RARE = 4;
const mayReplace = (what: RefusalScope, attempt: number): boolean =>
  what === 'stream' || (what === 'key' && (attempt === 1 || attempt % RARE === 0));
