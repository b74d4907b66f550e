// Service, signals: the entry point. Evaluates prices up to world time, and answers with the current states.

import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { DAY_MS, HOUR_MS } from '../../shared/lib/time.ts';
import type { EventEnvelope, EventName } from '../../shared/wire/events.ts';
import type { Archetypes, Factors } from '../../shared/wire/factors.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import type { Signal } from '../../shared/wire/records.ts';
import type { Briefings } from '../briefings/briefings.ts';
import type { Engine } from '../engine/types.ts';
import type { Logger } from '../logger.ts';
import type { MarketSource } from '../market/types.ts';
import type { WorldClock } from '../market/world-clock.ts';
import type { EventDraft, ModelChange } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import type { Hub } from '../stream/hub.ts';
import { createAnnouncer } from './announcer.ts';
import { presentEpisode } from './episodes.ts';
import type { EventIds } from './event-id.ts';
import { archetypesOf, type FactorDay, factorDays, factorsOf } from './factors.ts';
import { forceFlip, forceModelVersion, forceState, repeatSignal, stateOfEvent, type TriggerContext } from './force.ts';
import { isOf, modelVersionDraft } from './model-version.ts';
import { type DatedPoint, historyOf, signalOf } from './records.ts';
import { RegimeHistory } from './regime-history.ts';
import type { StateDetector } from './state-detector.ts';
import { lastRow, type Track } from './track.ts';

/** What the log holds at a first start: what the present world would have announced in that time. */
const FIRST_DAYS: Readonly<Record<Environment, number>> = { sandbox: 7, production: 90 };
/** How far back transitions and history are served (CONTRACT 18), and how long the log keeps its rows. */
export const RETENTION_MS = 90 * DAY_MS;
const TICK_MS = 250;
const FAST_TICK_MS = 50;
/** So much world time is evaluated between two turns of the event loop, when the world runs ahead. */
const SLICE_MS = 6 * HOUR_MS;
/** How often start() checks again for a world that ran on while it read history. */
const START_ROUNDS = 5;
const SAVE_EVERY_MS = 5_000;
const PRUNE_BATCH = 5_000;

export type Coverage = 'full' | 'regime_only' | 'none';
export type TriggerResult = { readonly refused: string } | { readonly events: EventEnvelope[] };

export interface Signals {
  /** Reads all history, catches up, and goes on with world time. */
  start(): void;
  /** Ends the evaluation and stores how far it came. */
  stop(): void;
  ready(): boolean;
  coverage(symbol: string): Coverage;
  /** World ms of the newest close that was taken in. */
  lastClose(): number;
  signal(symbol: string): Signal | null;
  /** All signals, in order of symbol. */
  all(): Signal[];
  history(symbol: string): DatedPoint[];
  /** The past two years of a symbol's regime, also of one that has nothing else; null for a symbol that is not covered. */
  regimes(symbol: string): RegimeHistory | null;
  /** Date of the session day in progress, null where there are no prices within the day. */
  formingDate(symbol: string): string | null;
  factors(symbol: string): Factors | null;
  archetypes(symbol: string): Archetypes | null;
  /** The past two years of a symbol's dimensions, oldest first. */
  factorDays(symbol: string): FactorDay[];
  /** Makes an event happen now (sandbox). `symbol` is covered, or null. */
  trigger(event: EventName | 'signal.created', symbol: string | null): TriggerResult;
  /** Moves the next symbol of the round into its next state, `count` times (load tests). */
  churn(count: number): void;
}

export interface SignalsDeps {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly world: WorldClock;
  readonly market: MarketSource;
  readonly engine: Engine;
  readonly ids: EventIds;
  readonly detector: StateDetector;
  readonly briefings: Pick<Briefings, 'open' | 'capture' | 'nextStop' | 'publish' | 'onRequest'>;
  readonly store: Store;
  readonly hub: Hub;
  readonly logger: Logger;
}

export function createSignals(deps: SignalsDeps): Signals {
  const { environment, world, market, engine, store, hub, logger, clock, ids, detector, briefings } = deps;
  const announcer = createAnnouncer({ store, hub, detector });
  const tracks = [...detector.tracks.values()].sort((a, b) => (a.instrument.symbol < b.instrument.symbol ? -1 : 1));
  const signalled = tracks.filter((track) => !track.instrument.regimeOnly);
  let ready = false;
  let ticking: Cancel = () => undefined;
  let savedAt = 0;
  let next = 0;
  /** Changes of the model, oldest first. */
  let versions: ModelChange[] = [];
  let failing = '';

  const forcing = (): TriggerContext => {
    const at = world.now();
    return { detector, ids, at, ordinal: store.log.countAt(at) + 1 };
  };

  /** Evaluates up to world time, or `most` world ms of it. @returns whether more is left */
  const catchUp = (most = Number.POSITIVE_INFINITY): boolean => {
    const now = world.now();
    const end = Math.min(now, detector.evaluatedTo + most);
    const saveDue = clock.now() - savedAt >= SAVE_EVERY_MS;
    do {
      // What is due at an instant is written by what was known then.
      const to = Math.min(end, briefings.nextStop(detector.evaluatedTo));
      const drafts = detector.advance(to);
      const publications = briefings.publish(to, drafts);
      if (drafts.length > 0 || publications.length > 0 || (saveDue && to === end))
        announcer.announce(drafts, to, publications);
    } while (detector.evaluatedTo < end);
    if (saveDue) {
      savedAt = clock.now();
      store.log.prune(now - RETENTION_MS, PRUNE_BATCH);
      store.episodes.prune(now - RETENTION_MS);
    }
    return end < now;
  };

  /** Continues with the version announced last; where the engine has another one since, that is to be announced as of `instant`. */
  const knownVersion = (instant: number): EventDraft[] => {
    const announced = store.meta('model_version') ?? engine.modelVersion;
    const same = isOf(announced, engine.modelVersion);
    detector.modelVersion = same ? announced : engine.modelVersion;
    store.setMeta('model_version', announced);
    return same ? [] : [modelVersionDraft(ids, { at: instant, ordinal: 0 }, engine.modelVersion, announced)];
  };
  /** The version at an instant of the past, as far as the log reaches. */
  const versionAt = (instant: number): string =>
    versions.find(({ at }) => at > instant)?.previous ?? detector.modelVersion;

  /** A symbol out of Normal when the evaluation begins is in an episode, also if nothing was logged of it. */
  const beginEpisodes = (instant: number, late: readonly EventDraft[]): void => {
    const announced = new Set(late.map(({ data }) => ('symbol' in data ? data.symbol : '')));
    for (const track of signalled) {
      const episode = announced.has(track.instrument.symbol) ? null : presentEpisode(detector, ids, track, instant);
      if (episode !== null) store.episodes.begin(episode);
    }
  };

  /** All of a first log or none of it; in pieces, because the drafts of a week of 500 symbols would be the most of what a start holds. */
  const recordFirstDays = (late: readonly EventDraft[], now: number): void =>
    store.transaction(() => {
      announcer.record(late, detector.evaluatedTo);
      while (detector.evaluatedTo < now) {
        const drafts = detector.advance(Math.min(now, briefings.nextStop(detector.evaluatedTo)));
        briefings.capture(detector.evaluatedTo, drafts);
        announcer.record(drafts, detector.evaluatedTo);
      }
    });

  const tick = (behind = false): void => {
    const pause = world.speed > TICK_MS / FAST_TICK_MS ? FAST_TICK_MS : TICK_MS;
    ticking = clock.after(behind ? 0 : pause, () => {
      let more = false;
      try {
        more = catchUp(SLICE_MS);
        failing = '';
      } catch (failure) {
        // The same error is said once: a full disk lasts.
        const error = messageOf(failure);
        if (error !== failing)
          logger.error(
            { error },
            'what was judged cannot be written; nothing is told until it can, and it is tried again',
          );
        failing = error;
      }
      tick(more);
    });
  };

  const drafted = (
    event: Exclude<EventName, 'briefing.published'> | 'signal.created',
    track: Track | undefined,
  ): EventDraft[] | string => {
    const state = stateOfEvent(event);
    if (event === 'model.version') {
      versions.push({ at: world.now(), previous: detector.modelVersion });
      return [forceModelVersion(forcing())];
    }
    if (track === undefined) return 'symbol: is required for this event';
    if (event === 'regime.flip') {
      const flip = forceFlip(forcing(), track);
      return flip === null ? 'symbol: has no regime yet' : [flip];
    }
    if (state !== null) return forceState(forcing(), track, state);
    const said = repeatSignal(forcing(), track);
    return said === null ? 'symbol: has no signal yet' : [said];
  };

  return {
    start() {
      const now = world.now();
      const reached = store.meta('world_time');
      const from = Math.max(
        reached === null ? Number.NEGATIVE_INFINITY : Number(reached),
        now - FIRST_DAYS[environment] * DAY_MS,
      );
      const late = [...knownVersion(from), ...detector.resume(from, store.currentStates.all())];
      beginEpisodes(from, late);
      if (reached === null) recordFirstDays(late, now);
      else announcer.announce(late, detector.evaluatedTo);
      briefings.open({ reached: reached === null ? null : Number(reached), from, now });
      for (let round = 0; round < START_ROUNDS && detector.evaluatedTo < world.now(); round++) catchUp();
      versions = store.log.modelVersions();
      savedAt = clock.now();
      ready = true;
      if (world.speed > 0) tick();
    },
    stop() {
      ticking();
      if (ready) announcer.announce([], detector.evaluatedTo);
      ready = false;
    },
    ready: () => ready,
    coverage(symbol) {
      const track = detector.tracks.get(symbol);
      if (track === undefined || track.days.length === 0) return 'none';
      return track.instrument.regimeOnly ? 'regime_only' : 'full';
    },
    lastClose: () => tracks.reduce((newest, track) => Math.max(newest, lastRow(track)?.closedAt ?? 0), 0),
    signal(symbol) {
      const track = detector.tracks.get(symbol);
      return track === undefined ? null : signalOf(detector, market, detector.modelVersion, track, world.now());
    },
    all() {
      const now = world.now();
      return signalled
        .map((track) => signalOf(detector, market, detector.modelVersion, track, now))
        .filter((signal) => signal !== null);
    },
    history(symbol) {
      const track = detector.tracks.get(symbol);
      const now = world.now();
      return track === undefined ? [] : historyOf(detector, track, now - RETENTION_MS, now);
    },
    regimes(symbol) {
      const track = detector.tracks.get(symbol);
      if (track === undefined || track.days.length === 0) return null;
      const price = (instant: number): number | null => market.forming(symbol, instant)?.close ?? null;
      return new RegimeHistory(track, store.log.flips(symbol), world.now(), { modelVersion: versionAt, price });
    },
    formingDate: (symbol) => market.forming(symbol, world.now())?.date ?? null,
    factors(symbol) {
      const track = detector.tracks.get(symbol);
      return track === undefined ? null : factorsOf(detector, track, world.now());
    },
    archetypes(symbol) {
      const track = detector.tracks.get(symbol);
      return track === undefined ? null : archetypesOf(detector, track, world.now());
    },
    factorDays(symbol) {
      const track = detector.tracks.get(symbol);
      return track === undefined ? [] : factorDays(detector, track, world.now());
    },
    trigger(event, symbol) {
      catchUp();
      const { at, ordinal } = forcing();
      if (event === 'briefing.published') {
        const publication = briefings.onRequest(symbol, at, ordinal);
        if (publication === null) return { refused: 'symbol: has no signal to write about' };
        return { events: announcer.announce([], detector.evaluatedTo, [publication]).map(({ envelope }) => envelope) };
      }
      const drafts = drafted(event, symbol === null ? undefined : detector.tracks.get(symbol));
      if (typeof drafts === 'string') return { refused: drafts };
      const logged = announcer.announce(
        drafts,
        detector.evaluatedTo,
        briefings.publish(at, drafts, ordinal + drafts.length),
      );
      return { events: logged.slice(0, drafts.length).map(({ envelope }) => envelope) };
    },
    churn(count) {
      catchUp();
      const base = forcing();
      const drafts: EventDraft[] = [];
      for (let done = 0; done < count; done++) {
        const track = signalled[next++ % signalled.length];
        if (track === undefined) return;
        const to = track.current?.state === 0 ? 1 : track.current?.state === 1 ? 2 : 0;
        drafts.push(...forceState({ ...base, ordinal: base.ordinal + drafts.length }, track, to));
      }
      announcer.announce(drafts, detector.evaluatedTo);
    },
  };
}
