// Service, briefings: the entry point; follows the event log, publishes briefings, serves them.

import { setImmediate as turn } from 'node:timers/promises';
import { chunked } from '../../shared/lib/chunked.ts';
import type { BriefingType } from '../../shared/wire/briefings.ts';
import type { EventEnvelope } from '../../shared/wire/events.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import type { ClusterPort } from '../cluster-port.ts';
import type { LogFeed, LogFollower, LogOpening, LogPosition } from '../log/log-feed.ts';
import type { LogWriter } from '../log/log-writer.ts';
import { createTimetable } from '../market/timetable.ts';
import { refusalOfStore } from '../refusal.ts';
import type { Schedule } from '../scheduled/schedule.ts';
import type { StateDetector } from '../signals/state-detector.ts';
import type { Briefing, BriefingFilter, BriefingHead, BriefingPosition } from '../store/briefings.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import { type Archive, createArchive, type PlannedBriefing } from './archive.ts';
import { AUTHORS, createComposer } from './composer.ts';
import { type BriefingContext, contextAt, type LiveSymbols } from './context.ts';
import { type Coverage, extendCoverage, NO_COVERAGE } from './coverage.ts';
import type { Editorials } from './editorial.ts';
import { createPublisher } from './publisher.ts';

/** Archive briefings written between two turns of the event loop: some 30 ms of work. */
const WRITTEN_AT_ONCE = 5;
const READ_ROWS = 500;
/** Larger worlds must start fast: their archive writes briefings when it is read, without an event. */
const MAX_SYMBOLS = 200;

export interface Briefings {
  /**
   * Publishes a briefing on request (sandbox), about a symbol or about the broad market. null without a
   * signal.
   */
  publishRequested(symbol: string | null, at: number): EventEnvelope[] | null;
  /**
   * First writes missing briefings of the list, yielding to the event loop in between. Like `find`, answers
   * even while the store cannot be written.
   */
  list(filter: BriefingFilter, below: BriefingPosition | null, limit: number): Promise<BriefingHead[]>;
  find(id: string): Briefing | null;
}

export interface BriefingsDeps {
  readonly environment: Environment;
  readonly detector: StateDetector;
  readonly store: Store;
  readonly log: { readonly feed: LogFeed; readonly writer: LogWriter };
  readonly editorials: Editorials;
  readonly schedule: Pick<Schedule, 'due'>;
  readonly cluster: Pick<ClusterPort, 'leads'>;
}

export function createBriefings(deps: BriefingsDeps): Briefings {
  const { environment, detector, store, editorials, schedule, cluster } = deps;
  const { feed, writer } = deps.log;
  const timetable = createTimetable(environment);
  const composer = createComposer(detector.ids, environment);
  const archive = createArchive({ timetable, detector, log: store.log, composer });
  const logFrom = (): number => Number(store.meta('log_from') ?? Number.POSITIVE_INFINITY);
  const contextFor = (instant: number, live: LiveSymbols): BriefingContext | null =>
    contextAt({ detector, log: store.log, logFrom: logFrom(), schedule }, instant, live);
  const publisher = createPublisher({
    ...{ environment, timetable, composer, archive, contextFor, store, writer, editorials },
  });

  const correctEditorials = (reached: number | null, now: number): void =>
    store.transaction(() => {
      for (const one of editorials.due(now))
        if (reached === null || store.briefings.has(one.id)) store.briefings.correct(one);
    });

  let covered: string | null = null;
  /** The leader may have extended the archive since this node opened it. */
  const followCoverage = (): void => {
    const text = store.meta('briefing_archive');
    if (text === covered) return;
    covered = text;
    archive.cover(text === null ? NO_COVERAGE : (JSON.parse(text) as Coverage));
  };

  feed.follow(
    followerOf(store, feed, cluster, {
      publishFirst: detector.tracks.size > MAX_SYMBOLS ? () => undefined : publisher.publishFirst,
      covers: archive.covers,
      publish: publisher.publish,
      open(opening, publishedTo) {
        archive.cover(extendCoverage(store, opening, cluster.leads()));
        publisher.open(publishedTo, opening.now);
        if (cluster.leads()) correctEditorials(opening.reached, opening.now);
      },
      lead: publisher.open,
      follow: followCoverage,
    }),
  );

  const { isMissing, writeMissing } = createMissing({ store, composer, contextFor });

  return {
    publishRequested(symbol, at) {
      const context = contextFor(at, 'all');
      const ordinal = store.log.countAt(at) + 1;
      const briefing = context === null ? null : composer.requested(symbol, ordinal, context);
      if (briefing === null) return null;
      const { event } = composer.publication(briefing, at, ordinal, store.log.lastId());
      const add = (): void => store.briefings.add(briefing, 'generated');
      return writer.commit([event], feed.end().worldTime, add).map(({ envelope }) => envelope);
    },
    async list(filter, below, limit) {
      const missing = matching(archive, filter, below).slice(0, limit).filter(isMissing);
      const unkept: Briefing[] = [];
      for (const some of chunked(missing, WRITTEN_AT_ONCE)) {
        unkept.push(...writeMissing(some, unkept.length === 0));
        await turn();
      }
      // Another request may have stored some of them meanwhile.
      const rest = unkept.filter(isMissing);
      const stored = store.briefings.list(filter, below, limit);
      return rest.length === 0 ? stored : [...stored, ...rest].sort(newestFirst).slice(0, limit);
    },
    find(id) {
      const planned = archive.newestFirst().find((one) => one.id === id);
      const [unkept = null] = planned === undefined ? [] : writeMissing([planned]);
      return unkept ?? store.briefings.find(id);
    },
  };
}

interface MissingDeps {
  readonly store: Store;
  readonly composer: ReturnType<typeof createComposer>;
  readonly contextFor: (instant: number, live: LiveSymbols) => BriefingContext | null;
}

/** Writes planned briefings that the store does not have. */
function createMissing({ store, composer, contextFor }: MissingDeps) {
  const write = ({ id, type, at, date, entries }: PlannedBriefing): Briefing | null => {
    const context = contextFor(at, 'none');
    if (context === null) return null;
    return type === 'transition'
      ? composer.transition(entries, id, at, context)
      : composer.scheduled({ type, date }, id, at, context);
  };
  const isMissing = ({ id }: Pick<PlannedBriefing, 'id'>): boolean => !store.briefings.has(id);
  /**
   * Composes the briefings that the store lacks, and stores them.
   * @param keeps false: composes only
   * @returns the briefings that are not stored, so that reads work while the store cannot be written
   */
  const writeMissing = (planned: readonly PlannedBriefing[], keeps = true): Briefing[] => {
    const missing = planned.filter(isMissing).flatMap((one) => write(one) ?? []);
    if (missing.length === 0 || !keeps) return missing;
    try {
      store.transaction(() => missing.forEach((one) => void store.briefings.add(one, 'generated')));
      return [];
    } catch (error) {
      if (refusalOfStore(error) === null) throw error;
      return missing;
    }
  };
  return { isMissing, writeMissing };
}

const newestFirst = (a: BriefingHead, b: BriefingHead): number => b.date - a.date || (a.id < b.id ? 1 : -1);

interface FollowerActions {
  /** Whether the archive covers a time, world ms. */
  covers(at: number): boolean;
  /** Publishes the briefings of a first log, while it is filled. */
  publishFirst(events: readonly LoggedEvent[], instant: number): void;
  open(opening: LogOpening, publishedTo: number): void;
  /** Begins to lead; the former leader has published up to `publishedTo`. Both world ms. */
  lead(publishedTo: number, now: number): void;
  publish(events: readonly LoggedEvent[], instant: number): void;
  /** Another node leads, and may have written. */
  follow(): void;
}

/**
 * Follows the log from the stored position. A run killed between an event and its briefing stored a position
 * before that event. Late closes are logged between creation and opening, and get no briefing.
 */
function followerOf(
  store: Store,
  feed: LogFeed,
  { leads }: Pick<ClusterPort, 'leads'>,
  { covers, publishFirst, open, lead, publish, follow }: FollowerActions,
): LogFollower {
  const reached = store.meta('world_time');
  let handled = storedPosition(store, { seq: feed.end().seq, worldTime: Number(reached ?? Number.NEGATIVE_INFINITY) });
  let backlog = read(feed, handled.seq);
  let cursor = feed.end().seq;
  let opened = false;
  let leading = leads();
  return {
    stored: { name: 'briefings', position: () => handled },
    advanced(end) {
      if (!leads()) {
        leading = false;
        cursor = end.seq;
        follow();
        return;
      }
      if (opened && !leading) {
        handled = storedPosition(store, handled);
        backlog = read(feed, handled.seq).filter(({ envelope }) => envelope.seq <= cursor);
        lead(handled.worldTime, end.worldTime);
      }
      leading = true;
      if (opened) publish([...backlog, ...read(feed, cursor)], end.worldTime);
      else if (reached === null) publishFirst(read(feed, cursor), end.worldTime);
      if (opened || reached === null) handled = end;
      if (opened) backlog = [];
      cursor = end.seq;
    },
    opened(opening) {
      open(opening, handled.worldTime);
      backlog = backlog.filter(({ envelope }) => !covers(Date.parse(envelope.timestamp)));
      opened = true;
    },
  };
}

/** A store of an earlier version has no position, and all its events were processed. */
function storedPosition(store: Store, fallback: LogPosition): LogPosition {
  const stored = store.meta('follower:briefings');
  return stored === null ? fallback : (JSON.parse(stored) as LogPosition);
}

function read(feed: LogFeed, position: number): LoggedEvent[] {
  const events: LoggedEvent[] = [];
  for (;;) {
    const rows = feed.after(events.at(-1)?.envelope.seq ?? position, READ_ROWS);
    if (rows.length === 0) return events;
    events.push(...rows);
  }
}

/** Planned briefings that match a filter, below a position, newest first. */
function matching(archive: Archive, filter: BriefingFilter, below: BriefingPosition | null): PlannedBriefing[] {
  const authored = (type: BriefingType): boolean =>
    filter.author === null || filter.author.toLowerCase() === AUTHORS[type].toLowerCase();
  return archive
    .newestFirst()
    .filter(
      ({ id, type, at }) =>
        (filter.types === null || filter.types.includes(type)) &&
        authored(type) &&
        (filter.from === null || at >= filter.from) &&
        (filter.to === null || at <= filter.to) &&
        (below === null || at < below.date || (at === below.date && id < below.id)),
    );
}
