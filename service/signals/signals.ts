// Service, signals: the entry point; evaluates up to world time and serves the announced states.

import type { GRANULARITIES } from '../../shared/domain/regimes.ts';
import { MINUTE_MS } from '../../shared/lib/time.ts';
import type { Archetypes, Factors } from '../../shared/wire/factors.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import type { PriceHole, Signal } from '../../shared/wire/records.ts';
import { type ClusterPort, SINGLE_NODE } from '../cluster-port.ts';
import type { ServiceHost } from '../host.ts';
import type { LogFeed } from '../log/log-feed.ts';
import type { LogWriter } from '../log/log-writer.ts';
import { RETENTION_MS } from '../log/retention.ts';
import type { Instrument, MarketSource, PriceDecision } from '../market/types.ts';
import type { WorldClock } from '../market/world-clock.ts';
import type { EventDraft } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import { createAnnouncer } from './announcer.ts';
import { type DataHealth, hasEnded, healthOf, withSilence } from './data-health.ts';
import { createEvaluation, type Evaluation } from './evaluation.ts';
import { archetypesOf, type FactorDay, factorDays, factorsOf } from './factors.ts';
import { createModelVersions, type ModelVersions } from './model-versions.ts';
import { type DatedPoint, historyOf, holesOf, signalOf } from './records.ts';
import { RegimeHistory } from './regime-history.ts';
import type { StateDetector } from './state-detector.ts';
import { lastRow, type Track } from './track.ts';
import { createTriggers, type Triggers } from './triggers.ts';

/** Prices of one session day that lie this close together are finer than hourly ones; its last hour may be half of one. */
const FINER_THAN_HOURLY = 30 * MINUTE_MS;

export type Coverage = 'full' | 'regime_only' | 'none';

export interface SignalQueries {
  /** False while the source cannot read prices; the last prices are still served. */
  available(): boolean;
  /** World ms of every answer about the present: later prices have no state yet. */
  evaluatedAt(): number;
  coverage(symbol: string): Coverage;
  /** World ms of the newest known close. */
  lastClose(): number;
  signal(symbol: string): Signal | null;
  /** The signals of all wanted symbols in order of symbol, including symbols whose prices ended. */
  all(isWanted?: (instrument: Instrument) => boolean): Signal[];
  /** Records a decision about a price in question. @returns false if there is no such price */
  decide(decision: PriceDecision): boolean;
  history(symbol: string): DatedPoint[];
  /** Ranges of the history without prices that count, oldest first. */
  holes(symbol: string): PriceHole[];
  /** Two years of a symbol's regime, including regime-only symbols; null for a symbol without coverage. */
  regimes(symbol: string): RegimeHistory | null;
  /** Whether the prices of a symbol ended long ago. */
  ended(symbol: string): boolean;
  /** Age and faults of a covered symbol's prices at an instant, world ms. Default: now. */
  health(symbol: string, instant?: number): DataHealth;
  /** The finest step that the prices of the symbol have within (from, to], world ms. */
  finestStep(symbol: string, from: number, to: number): (typeof GRANULARITIES)[number];
  /** Date of the forming day; null without intraday prices. */
  formingDate(symbol: string): string | null;
  factors(symbol: string): Factors | null;
  archetypes(symbol: string): Archetypes | null;
  /** The past two years of a symbol's dimensions, oldest first. */
  factorDays(symbol: string): FactorDay[];
}

export interface Signals extends SignalQueries, Triggers, Evaluation {}

export interface SignalsDeps {
  readonly environment: Environment;
  readonly host: Pick<ServiceHost, 'clock' | 'logger' | 'metrics'>;
  readonly world: WorldClock;
  readonly market: MarketSource;
  readonly detector: StateDetector;
  readonly store: Store;
  readonly log: { readonly feed: LogFeed; readonly writer: LogWriter };
  /** Default: a single node. */
  readonly cluster?: ClusterPort;
}

export function createSignals(deps: SignalsDeps): Signals {
  const { detector, store, world, cluster = SINGLE_NODE } = deps;
  const diverged = (drafts: readonly EventDraft[]): void => {
    deps.host.logger.error(
      { events: drafts.map(({ event_id }) => event_id) },
      'the leader did not announce what this node would',
    );
    detector.adopt(store.currentStates.all());
  };
  const announcer = createAnnouncer({ ...deps.log, ...store, detector, cluster, diverged });
  const versions = createModelVersions(store, detector, cluster);
  const evaluation = createEvaluation({ ...deps, announcer, versions, cluster });
  const triggers = createTriggers({ world, log: store.log, detector, versions, evaluation, announcer, cluster });
  return { ...evaluation, ...triggers, ...createQueries(deps, versions, evaluation) };
}

function createQueries(
  { detector, market, store, world, cluster = SINGLE_NODE }: SignalsDeps,
  versions: ModelVersions,
  { overdueMs }: Pick<Evaluation, 'overdueMs'>,
): SignalQueries {
  const { tracks } = detector;
  /** World time, including the time without an evaluating leader. */
  const present = (): number => world.now() + cluster.unevaluatedMs();
  /** The service evaluates nothing, or does not know what is announced: no price counts as current. */
  const unevaluatedMs = (): number => Math.max(cluster.unevaluatedMs(), overdueMs());
  const evaluatedAt = (): number => Math.min(world.now(), detector.evaluatedTo);
  const inOrder = [...tracks.values()].sort((a, b) => (a.instrument.symbol < b.instrument.symbol ? -1 : 1));
  const signalled = inOrder.filter((track) => !track.instrument.regimeOnly);
  const ended = (track: Track, now: number): boolean => hasEnded(market, track, healthOf(market, track, now), now);
  const rangeOf = (track: Track): { readonly since: number; readonly now: number } => {
    const now = evaluatedAt();
    // If prices ended, serves their last days instead of an empty range.
    return { since: (ended(track, now) ? Math.min(now, track.decidedAt) : now) - RETENTION_MS, now };
  };
  return {
    available: () => market.available?.() ?? true,
    evaluatedAt,
    coverage(symbol) {
      const track = tracks.get(symbol);
      if (track === undefined || track.recent.length === 0) return 'none';
      return track.instrument.regimeOnly ? 'regime_only' : 'full';
    },
    lastClose: () => inOrder.reduce((newest, track) => Math.max(newest, lastRow(track)?.closedAt ?? 0), 0),
    signal(symbol) {
      const track = tracks.get(symbol);
      const signal = track === undefined ? null : signalOf(detector, market, track, evaluatedAt(), present());
      return signal === null ? null : withSilence(signal, unevaluatedMs());
    },
    all(isWanted = () => true) {
      const [now, at] = [evaluatedAt(), present()];
      return signalled.flatMap((track) => {
        if (!isWanted(track.instrument)) return [];
        const signal = signalOf(detector, market, track, now, at);
        return signal === null ? [] : withSilence(signal, unevaluatedMs());
      });
    },
    decide(decision) {
      const { symbol, date } = decision;
      if (detector.question(symbol, world.now(), date) === null || market.decide === undefined) return false;
      market.decide(decision);
      return true;
    },
    history(symbol) {
      const track = tracks.get(symbol);
      if (track === undefined) return [];
      const { since, now } = rangeOf(track);
      const from = Math.max(Number(store.meta('log_from') ?? now), since);
      const logged = { steps: store.log.steps(symbol), from, current: track.current?.state ?? 0 };
      return historyOf(detector, market, track, { since, now, logged, flips: store.log.flips(symbol) });
    },
    holes(symbol) {
      const track = tracks.get(symbol);
      return track === undefined ? [] : holesOf(market, symbol, rangeOf(track));
    },
    regimes(symbol) {
      const track = tracks.get(symbol);
      if (track === undefined || track.recent.length === 0) return null;
      return new RegimeHistory(track, store.log.flips(symbol), evaluatedAt(), {
        volatilityStates: detector.volatilityStates,
        modelVersion: versions.at,
        price: (instant) => market.forming(symbol, instant),
        lastBar: (instant) => market.lastBar?.(symbol, instant) ?? null,
      });
    },
    ended(symbol) {
      const track = tracks.get(symbol);
      return track !== undefined && ended(track, present());
    },
    health(symbol, instant = present()) {
      const track = tracks.get(symbol);
      if (track === undefined) throw new Error(`${symbol} is not covered`);
      return withSilence(healthOf(market, track, instant), unevaluatedMs());
    },
    finestStep: (symbol, from, to) => finestStepOf(market.decisions(symbol, from, to)),
    formingDate: (symbol) => market.forming(symbol, evaluatedAt())?.date ?? null,
    factors(symbol) {
      const track = tracks.get(symbol);
      return track === undefined ? null : factorsOf(detector, track, evaluatedAt());
    },
    archetypes(symbol) {
      const track = tracks.get(symbol);
      return track === undefined ? null : archetypesOf(detector, track, evaluatedAt());
    },
    factorDays(symbol) {
      const track = tracks.get(symbol);
      return track === undefined ? [] : factorDays(detector, track, evaluatedAt());
    },
  };
}

/** @param instants of prices, ascending, world ms */
function finestStepOf(instants: Iterable<number>): (typeof GRANULARITIES)[number] {
  let before: number | null = null;
  for (const at of instants) {
    if (before !== null && at - before < FINER_THAN_HOURLY) return 'minute';
    before = at;
  }
  return before === null ? 'day' : 'hour';
}
