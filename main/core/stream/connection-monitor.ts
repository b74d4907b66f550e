// Main, core: whether Barograph receives data. Holds stream, back-fill and round trips together: the connection is lost when neither brings anything,
// and it is back only when everything since has been fetched.

import type { z } from 'zod';
import type { Client } from '../../../client/client.ts';
import type { ServiceProblem } from '../../../client/problem.ts';
import type { StreamDetailsSchema } from '../../../shared/channels/connection.ts';
import type { Connection as ConnectionFace, HealthIndicator } from '../../../shared/channels/state.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { EVENT_NAMES } from '../../../shared/wire/events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Backfill } from '../backfill/backfill.ts';
import type { ArrivalSource } from '../compat/received-event.ts';
import type { Guard } from '../guard.ts';
import { baselineAt, setBaseline } from '../ledger/baseline.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Logger } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import type { WorldClock } from '../state/world-clock.ts';
import { createBreaks } from './breaks.ts';
import { createCatchUp } from './catch-up.ts';
import { openConnection, type StreamMessage } from './connection.ts';
import { createHealthChecks } from './health-checks.ts';
import { createIdentity } from './identity.ts';
import { createLag } from './lag.ts';
import { createSupervisor, type Phase } from './supervisor.ts';
import { createWatermark } from './watermark.ts';

export type WakeReason = 'resume' | 'unlock' | 'network' | 'clock';

const WAKE_MESSAGES: Readonly<Record<WakeReason, string>> = {
  resume: 'This computer slept.',
  unlock: 'This computer was locked.',
  network: 'The network changed.',
  clock: 'This computer slept, or its clock was set.',
};

export interface ConnectionMonitor {
  start(): void;
  stop(): void;
  wake(reason: WakeReason): void;
  retry(): void;
  /** Something is missing in what arrived, or could not be written: fetch it. */
  catchUp(): void;
  /** The ledger could not be written: nothing may be told, so nothing is seen. */
  ledgerFailed(message: string): void;
  /** A round trip outside of this room came back, or did not. */
  roundTrip(outcome: Result<{ readonly took: number }, ServiceProblem>): void;
  fresh(indicator: Pick<HealthIndicator, 'state' | 'detail'>): void;
  view(): ConnectionFace;
  /** The stream as the page of the connection shows it. */
  details(): z.infer<typeof StreamDetailsSchema>;
  /** False until the service said who it is, and while it must not be asked. */
  mayAsk(): boolean;
  /** The service replays past prices, as it last said. */
  isReplay(): boolean;
  /** The stream is open. */
  isStreaming(): boolean;
}

export interface ConnectionMonitorOptions {
  readonly guard: Guard;
  readonly random: () => number;
  readonly logger: Logger;
  readonly profile: Profile;
  readonly client: Client;
  readonly ledger: Pick<Ledger, 'cursor' | 'hasPending' | 'caughtUp' | 'openGap' | 'metadata' | 'quarantined'>;
  readonly backfill: Backfill;
  readonly world: WorldClock;
  readonly onMessage: (message: StreamMessage) => void;
  /** Called before back-fill looks at the cursor: what the stream brought is written first. */
  readonly settle: () => void;
  /** The service said who it is, and may be asked. */
  readonly onTrusted: () => void;
  /** The stream is not open any more. */
  readonly onBroken: () => void;
  /** What is listed does not join up with what is known. */
  readonly onUnjoined: () => void;
  readonly onChanged: (part: 'connection' | 'profile' | 'gaps') => void;
}

/** How often it is looked whether bytes come, ms. */
const BYTES_CHECK_INTERVAL = 1_000;
/** How often a round trip proves that the service answers while all is well, ms. */
const ROUND_TRIP = 30_000;
/** How often the events are asked for while there is no stream, ms. */
export const POLL = { sandbox: 5_000, production: 20_000 };
/** How often the log is compared while the stream is open: a stream may be alive and still leave something out, ms. */
const AUDIT = { sandbox: 30_000, production: 300_000 };
/** How often it is written down that all was seen, ms. */
const WATERMARK = 30_000;
/** A stream that was opened this lately may still bring what is missing, ms. */
const YOUNG = 10_000;
/** A second look this soon after the first tells how fast the world's clock runs, ms. */
const SECOND_CHECK_DELAY = 1_500;

export function createConnectionMonitor(options: ConnectionMonitorOptions): ConnectionMonitor {
  const { guard, random, logger, profile, client, ledger, backfill, world, onChanged } = options;
  const { clock, go } = guard;
  const begun = clock.now();
  let isStopped = false;
  let cancelSecondCheck: Cancel = () => undefined;
  let cancels: Cancel[] = [];

  const changed = (): void => onChanged('connection');
  const breaks = createBreaks(clock);
  const lag = createLag(world);
  const healthChecks = createHealthChecks({ clock, supervisor: () => supervisor, lag, onChanged: changed });
  const watermark = createWatermark({
    clock,
    world,
    ledger,
    logger,
    lastByteAt: () => supervisor.vitals().lastByteAt,
    onChanged,
  });

  const identity = createIdentity({
    client,
    profile,
    clock,
    world,
    onTrusted(isFirst) {
      // The line lies at the start, not at the first answer: what happens while the service is still sought is told.
      setBaseline(ledger.metadata, ledger.quarantined?.connectedUntil ?? timestamp(world.at(begun)));
      if (isFirst) options.onTrusted();
    },
    onReplay: () => onChanged('profile'),
    onWorldMoved: changed,
  });
  const check = async (): Promise<Result<{ readonly fatal: string | null }, ServiceProblem>> => {
    const seen = await identity.ask();
    if (isStopped) return ok({ fatal: null });
    healthChecks.roundTrip(seen.ok ? seen.value.roundTrip : seen);
    if (!seen.ok && supervisor.phase().name !== 'open') watermark.lose(seen.error.message);
    return seen;
  };
  /** A round trip while all is well. A service that became another one is met again from the start. */
  const recheck = async (): Promise<void> => {
    const seen = await check();
    if (seen.ok && seen.value.fatal !== null) supervisor.wake();
  };

  const catchUp = createCatchUp({
    guard,
    random,
    logger,
    profile: profile.name,
    ledger,
    backfill,
    watermark,
    supervisor: () => supervisor,
    settle: options.settle,
    onFailed: (failure) => healthChecks.roundTrip(err(failure)),
    onUnjoined: options.onUnjoined,
    onProvable: changed,
  });
  /** The log beside an open stream: whether that brings everything, and in time. */
  const compare = async (source: ArrivalSource): Promise<void> => {
    const { phase } = supervisor;
    const opened = phase();
    const compared = await catchUp.run(source);
    // Only of a stream that was open all the while, and for long enough to have brought it.
    if (!compared.ok || opened.name !== 'open' || phase() !== opened || clock.now() - opened.since < YOUNG) return;
    lag.compared(compared.value.oldest);
    healthChecks.checkBytes();
  };
  const onPhase = (phase: Phase): void => {
    breaks.phase(phase);
    if (phase.name !== 'open') {
      watermark.broken();
      options.onBroken();
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
        // Where the service still answers, polling sees in the stream's stead; where it does not, this is the moment to say so.
        if (watermark.outage() === null) go(check().then((seen) => (seen.ok ? pollWithoutStream() : undefined)));
        break;
      case 'stopped':
        catchUp.cancelRetry();
        watermark.lose(phase.message);
        break;
      case 'connecting':
      case 'idle':
    }
    changed();
  };

  const supervisor = createSupervisor({
    guard,
    random,
    check,
    open: (hooks) =>
      openConnection(
        new URL('stream', client.baseUrl).href,
        // While the log is read for the first time, the stream brings the present only: what it repeated of the past would sound like news.
        baselineAt(ledger.metadata) === null ? ledger.cursor().eventId : null,
        (headers, signal) => client.openStream({ query: { events: [...EVENT_NAMES] } }, headers, signal),
        hooks,
      ),
    probe: () => catchUp.run('poll'),
    onPhase,
    onMessage: options.onMessage,
  });

  const pollWithoutStream = (): void => {
    const { name } = supervisor.phase();
    if (!identity.isTrusted()) return;
    if (name === 'waiting' || name === 'connecting') go(catchUp.run('poll'));
    else if (name === 'open' && lag.isBehind()) go(compare('poll'));
  };

  return {
    start() {
      const until = ledger.metadata.get('connected_until');
      // A disk that is full must not keep the program from listening: it is said when the first event cannot be written.
      guard.run(() => {
        if (until !== null && ledger.openGap('downtime', until, null, 'Barograph was not running.')) onChanged('gaps');
      });
      cancels = [
        every(clock, BYTES_CHECK_INTERVAL, healthChecks.checkBytes),
        every(clock, ROUND_TRIP, () => {
          if (supervisor.phase().name === 'open') go(recheck());
        }),
        every(clock, POLL[profile.environment], pollWithoutStream),
        every(clock, AUDIT[profile.environment], () => {
          if (supervisor.phase().name === 'open') go(compare('backfill'));
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
    },
    wake(reason) {
      watermark.openGap(WAKE_MESSAGES[reason]);
      // What was measured by a clock that was set says nothing any more.
      if (reason === 'clock') world.forget();
      breaks.expect(WAKE_MESSAGES[reason]);
      supervisor.wake();
    },
    retry() {
      breaks.expect('The user asked for a new connection.');
      supervisor.retry();
    },
    catchUp: () => go(catchUp.run('backfill')),
    ledgerFailed(message) {
      watermark.lose(message);
      catchUp.again(0);
    },
    roundTrip: healthChecks.roundTrip,
    fresh: healthChecks.fresh,
    view() {
      const phase = supervisor.phase();
      const outage = watermark.outage();
      const all = healthChecks.all();
      return {
        // What was heard a moment ago may still be young, but nothing vouches for it.
        indicators:
          outage === null ? all : { ...all, fresh: { state: 'down', since: outage.since, detail: 'not seen' } },
        outage,
        retry: phase.name === 'waiting' ? { attempt: phase.attempt, at: timestamp(phase.at) } : null,
        stopped: phase.name === 'stopped' ? phase.message : null,
        clock: world.view(),
        provable: catchUp.provable(),
      };
    },
    details() {
      const phase = supervisor.phase();
      const { limit, heartbeat, lastByteAt } = supervisor.vitals();
      const { eventId, seq } = ledger.cursor();
      return {
        url: new URL('stream', client.baseUrl).href,
        phase: phase.name,
        events: [...EVENT_NAMES],
        open_since: phase.name === 'open' ? timestamp(phase.since) : null,
        last_byte_at: lastByteAt === null ? null : timestamp(lastByteAt),
        heartbeat,
        limit,
        beats: supervisor.beats().map(({ at, gap }) => ({ at: timestamp(at), gap })),
        breaks: breaks.list(),
        cursor: { event_id: eventId, seq },
        contiguous_to: watermark.seenUntil(),
      };
    },
    mayAsk: () => identity.isTrusted() && supervisor.phase().name !== 'stopped',
    isReplay: identity.isReplay,
    isStreaming: () => supervisor.phase().name === 'open',
  };
}
