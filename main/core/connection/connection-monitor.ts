// Main, core: supervises the connection: stream, back-fill and round trips together.
// It is lost when neither stream nor polling brings data, and back when every event since was fetched.

import type { z } from 'zod';
import type { Client } from '../../../client/client.ts';
import type { ServiceProblem } from '../../../client/problem.ts';
import type { StreamDetailsSchema } from '../../../shared/channels/connection.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import { EVENT_NAMES } from '../../../shared/wire/events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ArrivalSource } from '../compat/received-event.ts';
import type { Followers } from '../events.ts';
import { baselineAt, setBaseline } from '../ledger/baseline.ts';
import { type Ledger, ledgerErrorMessage } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { Receive } from '../receive.ts';
import type { Anchor } from '../sources/anchor.ts';
import type { Backfill } from '../sources/backfill.ts';
import { openConnection } from '../sources/event-stream.ts';
import { freshIndicator } from '../sources/freshness.ts';
import { createInbox } from '../sources/inbox.ts';
import { createBreaks } from './breaks.ts';
import { createCatchUp } from './catch-up.ts';
import { createHealthChecks } from './health-checks.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createIdentity } from './identity.ts';
import { createLag } from './lag.ts';
import type { Phase } from './machine.ts';
import { type ConnectionStore, isStreaming } from './state.ts';
import { createSupervisor } from './supervisor.ts';
import { createWatermark } from './watermark.ts';

export type WakeReason = 'resume' | 'unlock' | 'network' | 'clock';

const WAKE_MESSAGES: Readonly<Record<WakeReason, string>> = {
  resume: 'This computer slept.',
  unlock: 'This computer was locked.',
  network: 'The network changed.',
  clock: 'This computer slept, or its clock was set.',
};

export interface ConnectionMonitor {
  readonly on: Followers;
  start(): void;
  /** Ends the stream and writes its pending messages. */
  stop(): void;
  /** Reconnects: an open connection may be dead. */
  wake(reason: WakeReason): void;
  /** The user requests a new connection. */
  retry(): void;
  /** An event is missing, or could not be written: fetches it. */
  catchUp(): void;
  /** The ledger could not be written: nothing is notified then, so it counts as an outage. */
  ledgerFailed(message: string): void;
  /** The stream as the connection page shows it. */
  details(): z.infer<typeof StreamDetailsSchema>;
}

export interface ConnectionMonitorDeps {
  readonly context: CoreContext;
  readonly store: ConnectionStore;
  readonly client: Client;
  readonly ledger: Ledger;
  readonly anchor: Anchor;
  readonly backfill: Backfill;
  readonly receive: Receive;
}

/** Interval of the checks whether bytes come, ms. */
const BYTES_CHECK_INTERVAL = 1_000;
/** Interval of the round trips while the connection is good, ms. */
const ROUND_TRIP = 30_000;
/** Interval of the polling of events without a stream, ms. */
export const POLL = { sandbox: 5_000, production: 20_000 };
/** Interval of the comparisons with the log, ms: an open stream may still leave events out. */
const AUDIT = { sandbox: 30_000, production: 300_000 };
/** Interval at which the watermark is saved, ms. */
const WATERMARK = 30_000;
/** A stream younger than this may still bring the missing events, ms. */
const YOUNG = 10_000;
/** Delay of the second check, which measures the speed of the world's clock, ms. */
const SECOND_CHECK_DELAY = 1_500;

export function createConnectionMonitor(deps: ConnectionMonitorDeps): ConnectionMonitor {
  const { context, store, client, ledger, anchor, backfill } = deps;
  const { guard, events, profile, world } = context;
  const { random, logger } = context.ports;
  const { clock, go } = guard;
  const begun = clock.now();
  let isStopped = false;
  let cancelSecondCheck: Cancel = () => undefined;
  let cancels: Cancel[] = [];

  const breaks = createBreaks(clock);
  const lag = createLag(world);
  const heartbeat = createHeartbeat();
  const healthChecks = createHealthChecks({ clock, store, heartbeat, lag, events });
  const watermark = createWatermark({ clock, world, ledger, logger, store, anchor, heartbeat, events });
  const inbox = createInbox(
    clock,
    (batch) => {
      try {
        deps.receive('stream', batch);
      } catch (error) {
        ledgerFailed(ledgerErrorMessage(error));
      }
    },
    (invalid) => logger.warn({ invalid }, 'something on the stream is no event'),
  );
  const catchUp = createCatchUp({ context, ledger, backfill, anchor, watermark, healthChecks, store, inbox }, () =>
    supervisor.wake(),
  );
  const ledgerFailed = (message: string): void => {
    watermark.lose(message);
    catchUp.again(0);
  };

  const identity = createIdentity({
    context,
    client,
    store,
    onTrusted(isFirst) {
      // The baseline is the start, not the first answer: events before the service is found are notified.
      setBaseline(ledger.metadata, ledger.quarantined?.connectedUntil ?? timestamp(world.at(begun)));
      if (isFirst) events.signal('serviceTrusted');
    },
  });
  const check = async (): Promise<Result<{ readonly fatal: string | null }, ServiceProblem>> => {
    const seen = await identity.ask();
    if (isStopped) return ok({ fatal: null });
    healthChecks.roundTrip(seen.ok ? seen.value.roundTrip : seen);
    if (!seen.ok && !isStreaming(store.current())) watermark.lose(seen.error.message);
    return seen;
  };
  /** A round trip while the connection is good. A service with another identity is checked from the start. */
  const recheck = async (): Promise<void> => {
    const seen = await check();
    if (seen.ok && seen.value.fatal !== null) supervisor.wake();
  };

  /** Compares the log with an open stream: whether the stream brings every event in time. */
  const compare = async (source: ArrivalSource): Promise<void> => {
    const opened = store.current().phase;
    const compared = await catchUp.run(source);
    // Only when the same stream was open throughout, and for long enough to have brought the event.
    if (!compared.ok || opened.name !== 'open' || store.current().phase !== opened) return;
    if (clock.now() - opened.since < YOUNG) return;
    lag.compared(compared.value.oldest);
    healthChecks.checkBytes();
  };
  const pollWithoutStream = (): void => {
    const { isTrusted, phase } = store.current();
    if (!isTrusted) return;
    if (phase.name === 'waiting' || phase.name === 'connecting') go(catchUp.run('poll'));
    else if (phase.name === 'open' && lag.isBehind()) go(compare('poll'));
  };
  const onPhase = (phase: Phase): void => {
    breaks.phase(phase);
    if (phase.name !== 'open') {
      watermark.broken();
      guard.run(anchor.broken);
      events.signal('streamBroken');
    }
    healthChecks.phase(phase);
    switch (phase.name) {
      case 'open':
        lag.begin();
        cancelSecondCheck();
        cancelSecondCheck = clock.after(SECOND_CHECK_DELAY, () => go(recheck()));
        go(catchUp.run('backfill'));
        break;
      case 'waiting':
        watermark.openGap(phase.cause.message);
        // If the service still answers, polling replaces the stream; if not, the outage is shown now.
        if (store.current().outage === null) go(check().then((seen) => (seen.ok ? pollWithoutStream() : undefined)));
        break;
      case 'stopped':
        catchUp.cancelRetry();
        watermark.lose(phase.message);
        break;
      case 'connecting':
      case 'idle':
    }
    events.signal('connectionChanged');
  };

  const supervisor = createSupervisor({
    guard,
    random,
    store,
    heartbeat,
    check,
    open: (hooks) =>
      openConnection(
        new URL('stream', client.baseUrl).href,
        // During the first reading of the log, the stream brings only new events: a repeated old one would be
        // notified.
        baselineAt(ledger.metadata) === null ? ledger.cursor().eventId : null,
        (headers, signal) => client.openStream({ query: { events: [...EVENT_NAMES] } }, headers, signal),
        hooks,
      ),
    probe: () => catchUp.run('poll'),
    follow: { phase: onPhase, message: inbox.take },
  });
  const retry = (): void => {
    breaks.expect('The user asked for a new connection.');
    supervisor.retry();
  };

  return {
    on: {
      recorded({ source, hasPending, replaced }) {
        if (source === 'stream' && (hasPending || replaced)) go(catchUp.run('backfill'));
      },
      signalsPolled({ outcome, rows }) {
        healthChecks.roundTrip(outcome);
        healthChecks.fresh(freshIndicator(rows));
      },
      keyChanged: retry,
    },
    start() {
      const until = ledger.metadata.get('connected_until');
      // A full disk must not prevent the connection: the error is shown when the first event cannot be
      // written.
      guard.run(() => {
        if (until !== null && ledger.openGap('downtime', until, null, 'Barograph was not running.'))
          events.signal('gapsChanged');
      });
      cancels = [
        every(clock, BYTES_CHECK_INTERVAL, healthChecks.checkBytes),
        every(clock, ROUND_TRIP, () => {
          if (isStreaming(store.current())) go(recheck());
        }),
        every(clock, POLL[profile.environment], pollWithoutStream),
        every(clock, AUDIT[profile.environment], () => {
          if (isStreaming(store.current())) go(compare('backfill'));
        }),
        every(clock, WATERMARK, watermark.save),
      ];
      supervisor.start();
    },
    stop() {
      watermark.save();
      isStopped = true;
      for (const cancel of cancels) cancel();
      catchUp.stop();
      cancelSecondCheck();
      supervisor.stop();
      inbox.flush();
    },
    wake(reason) {
      watermark.openGap(WAKE_MESSAGES[reason]);
      // The clock was set: its samples are invalid.
      if (reason === 'clock') world.forget();
      breaks.expect(WAKE_MESSAGES[reason]);
      supervisor.wake();
    },
    retry,
    catchUp: () => go(catchUp.run('backfill')),
    ledgerFailed,
    details() {
      const { phase } = store.current();
      const lastByteAt = heartbeat.lastByteAt();
      const { eventId, seq } = ledger.cursor();
      return {
        url: new URL('stream', client.baseUrl).href,
        phase: phase.name,
        events: [...EVENT_NAMES],
        open_since: phase.name === 'open' ? timestamp(phase.since) : null,
        last_byte_at: lastByteAt === null ? null : timestamp(lastByteAt),
        heartbeat: heartbeat.interval(),
        limit: heartbeat.limit(),
        beats: heartbeat.beats(clock.now()).map(({ at, gap }) => ({ at: timestamp(at), gap })),
        breaks: breaks.list(),
        cursor: { event_id: eventId, seq },
        contiguous_to: watermark.seenUntil(),
      };
    },
  };
}
