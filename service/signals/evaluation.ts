// Service, signals: evaluates prices up to world time, step by step, and announces each step.
import { z } from 'zod';
import type { Cancel } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../shared/lib/time.ts';
import type { EventEnvelope } from '../../shared/wire/events.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import type { ClusterPort } from '../cluster-port.ts';
import type { ServiceHost } from '../host.ts';
import { createTimetable } from '../market/timetable.ts';
import type { MarketSource } from '../market/types.ts';
import type { WorldClock } from '../market/world-clock.ts';
import { NO_METRICS } from '../metrics/metrics.ts';
import type { Steps } from '../steps.ts';
import type { CurrentState } from '../store/current-states.ts';
import type { EventDraft } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import type { Announcer } from './announcer.ts';
import { presentEpisode } from './episodes.ts';
import type { ModelVersions } from './model-versions.ts';
import type { IntradayProgress, StateDetector } from './state-detector.ts';

/** Days of past events that a first start writes to the log. */
const FIRST_DAYS: Readonly<Record<Environment, number>> = { sandbox: 7, production: 90 };
const TICK_MS = 250;
const FAST_TICK_MS = 50;
/** Maximum world time evaluated between two turns of the event loop. */
const SLICE_MS = 6 * HOUR_MS;
/** Maximum number of times that start() catches up with a world that advances while it evaluates. */
const START_ROUNDS = 5;
/** Closed days that a rebuild reads between two turns of the event loop. */
const REBUILT_DAYS = 4;
const SAVE_EVERY_MS = 5_000;
/** Time without a finished turn after which the evaluation is overdue: longer than any turn. */
const OVERDUE_MS = 30_000;

export interface Evaluation {
  /** Reads all history, catches up, and follows world time. */
  startInSteps(): Steps<void>;
  /** Stops the evaluation and stores its world time. */
  stop(): void;
  ready(): boolean;
  /** World ms that were not evaluated, although the evaluation is long due; 0: it goes on. */
  overdueMs(): number;
  /** Evaluates up to world time, then adopts the leader's states and model version. */
  follow(announced: LeaderAnnouncement): void;
  /** Begins to announce as the leader. */
  lead(): void;
  /**
   * Writes how far this leader is, so that the others evaluate up to there before they read newer prices.
   * @throws the error of the store
   */
  save(): void;
  /** Evaluates up to world time, or `most` world ms of it. @returns whether more remains */
  catchUp(most?: number): boolean;
}

/** The leader's writes of one transaction. */
export interface LeaderAnnouncement {
  readonly states: readonly CurrentState[];
  readonly events: readonly EventEnvelope[];
}

export interface EvaluationDeps {
  readonly environment: Environment;
  readonly host: Pick<ServiceHost, 'clock' | 'logger' | 'metrics'>;
  readonly world: WorldClock;
  readonly market: Pick<MarketSource, 'comesLate' | 'isPolled'>;
  readonly detector: StateDetector;
  readonly announcer: Announcer;
  readonly versions: ModelVersions;
  readonly store: Store;
  readonly cluster: Pick<ClusterPort, 'leads'>;
}

export function createEvaluation(deps: EvaluationDeps): Evaluation {
  const { environment, host, world, market, detector, announcer, versions, store, cluster } = deps;
  const { clock, metrics = NO_METRICS } = host;
  const { stepEnd } = createTimetable(environment);
  let ready = false;
  let savedAt = 0;

  const catchUp = (most = Number.POSITIVE_INFINITY): boolean => {
    const now = world.now();
    // New prices at an instant that the leader has passed: it uses them at its next one, and so does this node.
    if (!cluster.leads() && now <= detector.evaluatedTo) return false;
    const end = Math.min(now, detector.evaluatedTo + most);
    const saveDue = clock.now() - savedAt >= SAVE_EVERY_MS;
    const isSliced = Number.isFinite(most);
    do {
      // Yields between slices of a rebuild; requests are answered from the previous results.
      if (isSliced && detector.rebuildSome(REBUILT_DAYS)) return true;
      const drafts = metrics.time('advance', () => detector.advance(Math.min(end, stepEnd(detector.evaluatedTo))));
      const to = detector.evaluatedTo;
      if (drafts.length > 0 || (saveDue && to === end)) announcer.announce(drafts, to);
      else announcer.pass(to);
      if (isSliced && detector.isRebuilding) return true;
    } while (detector.evaluatedTo < end || detector.isRebuilding);
    if (saveDue) savedAt = clock.now();
    return end < now;
  };

  const turns = createTurns({ host, world, market }, () => catchUp(SLICE_MS));

  return {
    *startInSteps() {
      const now = world.now();
      const stored = store.meta('world_time');
      const reached = stored === null ? null : Number(stored);
      // From the world's own start: the time that a fast world passed during the build must not move the
      // first event.
      const from = Math.max(
        reached ?? Number.NEGATIVE_INFINITY,
        (world.start ?? now) - FIRST_DAYS[environment] * DAY_MS,
      );
      const decided = reached === null ? null : storedProgress(store);
      const closes = yield* detector.resumeInSteps(from, store.currentStates.all(), decided);
      yield { what: 'beginning', done: 0, total: null };
      const late = [...versions.resume(from), ...closes];
      const isWhole = reached !== null && reached >= from;
      if (cluster.leads()) {
        beginLog(deps, { from, isWhole }, late);
        if (reached === null) recordFirstDays(deps, late, now);
        else announcer.announce(late, detector.evaluatedTo);
      }
      announcer.open({ reached, from, now });
      // At least once, even with a frozen clock: it evaluates late closes.
      for (let round = 0; round < START_ROUNDS && (round === 0 || detector.evaluatedTo < world.now()); round++)
        catchUp();
      versions.read();
      savedAt = clock.now();
      ready = true;
      turns.start();
    },
    stop() {
      turns.stop();
      if (ready) announcer.announce([], detector.evaluatedTo);
      ready = false;
    },
    ready: () => ready,
    overdueMs: () =>
      ready && world.speed > 0 && clock.now() - turns.finishedAt() > OVERDUE_MS
        ? Math.max(0, world.now() - detector.evaluatedTo)
        : 0,
    follow({ states, events }) {
      if (!ready) return;
      catchUp();
      detector.adopt(states);
      adoptVersions(events, deps);
    },
    save() {
      if (ready && Number(store.meta('world_time')) !== detector.evaluatedTo)
        announcer.announce([], detector.evaluatedTo);
    },
    lead() {
      announcer.announce(versions.resume(detector.evaluatedTo), detector.evaluatedTo);
    },
    catchUp,
  };
}

interface Turns {
  /** Does nothing in a world that stands still. */
  start(): void;
  stop(): void;
  /** Wall ms of the last turn that finished, or of the start. */
  finishedAt(): number;
}

/** Follows world time in turns. A turn that fails is followed by the next one like any other. */
function createTurns(
  { host, world, market }: Pick<EvaluationDeps, 'host' | 'world' | 'market'>,
  evaluate: () => boolean,
): Turns {
  const { clock, logger } = host;
  let cancel: Cancel = () => undefined;
  let finishedAt = 0;
  let failing = '';
  const pauseMs = (): number => {
    if (world.speed > TICK_MS / FAST_TICK_MS) return FAST_TICK_MS;
    if (market.comesLate === true && market.isPolled !== true) return TICK_MS;
    // Its prices are there at once or are polled, and it decides at whole seconds: just after each is soon enough.
    return Math.min(SECOND_MS, (SECOND_MS - (world.now() % SECOND_MS)) / world.speed) + 1;
  };
  const next = (isBehind: boolean): void => {
    cancel = clock.after(isBehind ? 0 : pauseMs(), () => {
      let more = false;
      try {
        more = evaluate();
        finishedAt = clock.now();
        failing = '';
      } catch (failure) {
        // Logs a repeated error once: a full disk stays full for a while.
        const error = messageOf(failure);
        if (error !== failing)
          logger.error({ error }, 'events cannot be written; none is announced until a retry succeeds');
        failing = error;
      }
      next(more);
    });
  };
  return {
    start() {
      finishedAt = clock.now();
      if (world.speed > 0) next(false);
    },
    stop: () => cancel(),
    finishedAt: () => finishedAt,
  };
}

/** Takes the versions of the model that the leader announced. */
function adoptVersions(events: readonly EventEnvelope[], { versions, detector }: EvaluationDeps): void {
  for (const envelope of events) {
    if (envelope.event !== 'model.version') continue;
    versions.changed(Date.parse(envelope.timestamp), detector.modelVersion);
    detector.modelVersion = envelope.data.version;
  }
}

const IntradayProgressSchema = z.record(z.string(), z.number());

/**
 * Empty for a store of an earlier version: then all prices since the last closes are evaluated again,
 * harmlessly.
 */
const storedProgress = (store: Store): IntradayProgress =>
  IntradayProgressSchema.parse(JSON.parse(store.meta('decided_within') ?? '{}'));

/** Writes a first log in one transaction; in steps, to limit the memory of drafts. */
function recordFirstDays(
  { environment, store, announcer, detector }: EvaluationDeps,
  late: readonly EventDraft[],
  now: number,
): void {
  const { stepEnd } = createTimetable(environment);
  store.transaction(() => {
    announcer.announce(late, detector.evaluatedTo);
    while (detector.evaluatedTo < now) {
      const drafts = detector.advance(Math.min(now, stepEnd(detector.evaluatedTo)));
      // Announces each instant separately, so that followers of the log write their own events in order of
      // time.
      for (const [instant, group] of Map.groupBy(drafts, ({ timestamp }) => Date.parse(timestamp)))
        if (instant < detector.evaluatedTo) announcer.announce(group, instant);
      announcer.announce(
        drafts.filter(({ timestamp }) => Date.parse(timestamp) === detector.evaluatedTo),
        detector.evaluatedTo,
      );
    }
  }, false);
}

/** @param isWhole whether the log is complete up to `from` */
function beginLog(
  deps: EvaluationDeps,
  { from, isWhole }: { readonly from: number; readonly isWhole: boolean },
  late: readonly EventDraft[],
): void {
  const { store } = deps;
  const begin = isWhole ? (store.meta('log_from') ?? String(store.log.oldest() ?? from)) : String(from);
  store.transaction(() => {
    beginEpisodes(deps, from, late);
    store.setMeta('log_from', begin);
  });
}

/**
 * Begins an episode for each symbol out of Normal at the start of the evaluation, even without an event in
 * the log.
 */
function beginEpisodes(
  { detector, store }: Pick<EvaluationDeps, 'detector' | 'store'>,
  instant: number,
  late: readonly EventDraft[],
): void {
  const announced = new Set(late.map(({ data }) => ('symbol' in data ? data.symbol : '')));
  for (const track of detector.tracks.values()) {
    const { symbol, regimeOnly } = track.instrument;
    const episode = regimeOnly || announced.has(symbol) ? null : presentEpisode(detector, detector.ids, track, instant);
    if (episode !== null) store.episodes.begin(episode);
  }
}
