// Service, briefings: the entry point. Writes what is due while the evaluation runs, and the archive of the time before on request.

import { setImmediate as turn } from 'node:timers/promises';
import { DAY_MS, HOUR_MS } from '../../shared/lib/time.ts';
import type { BriefingType } from '../../shared/wire/briefings.ts';
import { type EventEnvelope, isSignalEvent } from '../../shared/wire/events.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { type DueBriefing, dueWithin, nextStop, type ScheduledType } from '../market/timetable.ts';
import type { EventIds } from '../signals/event-id.ts';
import type { StateDetector } from '../signals/state-detector.ts';
import type { Briefing, BriefingFilter, BriefingHead, BriefingPosition } from '../store/briefings.ts';
import type { EventDraft } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import { createArchive, type PlannedBriefing } from './archive.ts';
import { createChoice } from './choice.ts';
import { type BriefingContext, type Change, contextAt, type LiveSymbols } from './context.ts';
import { afterHours, midday, preMarket } from './daily.ts';
import { deep, profile } from './deep.ts';
import type { Draft, Writer } from './draft.ts';
import { type Editorials, NO_EDITORIALS } from './editorial.ts';
import { readingMinutes } from './format.ts';
import { createQuota } from './quota.ts';
import { type Entry, transition } from './transition.ts';
import { weekly } from './weekly.ts';

/** How long desk briefings are kept, world ms: as long as factors are served. */
const RETENTION_MS = 730 * DAY_MS;
/** Symbols of a world whose last days are looked at within the day at first start. */
const MAX_CAPTURED_SYMBOLS = 200;
/** Of the archive, between two looks at what else is asked: some 30 ms of work. */
const WRITTEN_AT_ONCE = 5;
/** How long the briefing after the close waits for the close itself, where files bring it late. */
const CLOSE_TIMEOUT_MS = 14 * HOUR_MS;

/** A briefing with the event that tells of it; both are written in one transaction. */
export interface Publication {
  readonly briefing: Briefing;
  readonly source: 'generated' | 'editorial';
  readonly event: EventDraft;
}

/** How the service came to where it stands. */
export interface Opening {
  /** World ms up to which an earlier run came; null at the first start. */
  readonly reached: number | null;
  /** World ms from which on events were, or will be, evaluated for the log. */
  readonly from: number;
  /** World ms. */
  readonly now: number;
}

export interface Briefings {
  /** Call once, when everything up to `from` (at the first start: up to `now`) is evaluated. */
  open(opening: Opening): void;
  /** Judging is to stop there next, world ms. */
  nextStop(after: number): number;
  /**
   * Captures what was evaluated up to `instant` before the service opened, so that the archive of these days can tell of prices within the day.
   * Nothing is published.
   */
  capture(instant: number, drafts: readonly EventDraft[]): void;
  /**
   * What is to be published now that everything up to `instant` is evaluated.
   * @param drafts what was evaluated since the last call, not yet in the log
   * @param ordinal first free position within the millisecond, for triggered ones
   */
  publish(instant: number, drafts: readonly EventDraft[], ordinal?: number): Publication[];
  /** A briefing on request (sandbox): about a symbol, or about the broad market. null where there is no signal to write about. */
  onRequest(symbol: string | null, at: number, ordinal: number): Publication | null;
  /** What of it nobody asked for before is written first, with turns for everybody else in between. */
  list(filter: BriefingFilter, below: BriefingPosition | null, limit: number): Promise<BriefingHead[]>;
  find(id: string): Briefing | null;
}

export interface BriefingsDeps {
  readonly environment: Environment;
  /** What draws belong to: the same world says the same. */
  readonly scope: string;
  readonly detector: StateDetector;
  readonly ids: EventIds;
  readonly store: Store;
  readonly editorials?: Editorials;
}

const AUTHORS: Readonly<Record<BriefingType, string>> = {
  'pre-market': 'Macro desk',
  midday: 'Equity desk',
  'after-hours': 'Equity desk',
  weekly: 'Macro desk',
  transition: 'Equity desk',
  deep: 'Research desk',
};
const WRITERS: Readonly<Record<ScheduledType, Writer>> = {
  'pre-market': preMarket,
  midday,
  'after-hours': afterHours,
  weekly,
  deep,
};

export function createBriefings({
  environment,
  scope,
  detector,
  ids,
  store,
  editorials = NO_EDITORIALS,
}: BriefingsDeps): Briefings {
  const quota = createQuota();
  const captureQuota = createQuota();
  const knownEditorials = new Set<string>();
  /** Contexts captured before the service opened, by the id of the briefing that uses them. */
  const captured = new Map<string, BriefingContext>();
  let waiting: DueBriefing[] = [];
  let publishedTo = Number.POSITIVE_INFINITY;
  let stop = { after: Number.NaN, at: Number.NaN };
  let logFrom = Number.POSITIVE_INFINITY;

  const idOf = (at: number, ordinal: number, ...content: readonly string[]): string =>
    ids.of(at, ordinal, 'briefing', ...content).replace('evt_', 'brf_');

  /** Changes of state that the log and the drafts behind it know. */
  const logged =
    (drafts: readonly EventDraft[]) =>
    (from: number, to: number): Change[] | null => {
      if (from < logFrom) return null;
      const fresh = drafts.flatMap((draft) => {
        const event = { ...draft, seq: 1 } as EventEnvelope;
        if (!isSignalEvent(event)) return [];
        const { symbol, from_state, to_state, occurred_at } = event.data;
        return [{ symbol, from: from_state, to: to_state, at: Date.parse(occurred_at) }];
      });
      return [...store.log.changes(from, to), ...fresh.filter(({ at }) => at > from && at <= to)];
    };
  const contextFor = (instant: number, live: LiveSymbols, drafts: readonly EventDraft[] = []): BriefingContext | null =>
    contextAt({ detector, logged: logged(drafts) }, instant, live);

  const written = (
    id: string,
    type: BriefingType,
    date: number,
    { title, summary, body, symbols }: Draft,
  ): Briefing => ({
    id,
    type,
    title,
    author: AUTHORS[type],
    date,
    summary,
    symbols,
    readingMinutes: readingMinutes(body),
    body,
  });
  const publication = (
    briefing: Briefing,
    at: number,
    ordinal: number,
    source: Publication['source'] = 'generated',
  ): Publication => ({
    briefing,
    source,
    event: {
      event_id: ids.of(at, ordinal, 'briefing.published', briefing.id),
      event: 'briefing.published',
      timestamp: timestamp(at),
      data: {
        id: briefing.id,
        type: briefing.type,
        title: briefing.title,
        author: briefing.author,
        date: timestamp(briefing.date),
      },
    },
  });

  const scheduledId = ({ at, type, date }: DueBriefing): string => idOf(at, 0, type, date);
  const transitionId = (at: number, ordinal: number, [first]: readonly Entry[]): string =>
    idOf(at, ordinal, 'transition', first?.symbol ?? '');

  const scheduled = (due: DueBriefing, instant: number, context: BriefingContext): Briefing => {
    const id = scheduledId(due);
    return written(id, due.type, instant, WRITERS[due.type](context, createChoice(scope, id), due.date));
  };

  /** Whether the day's own close is in, which a briefing after the close is about. */
  const closeIsIn = ({ lead }: BriefingContext, { date }: DueBriefing): boolean =>
    environment === 'sandbox' || (lead.days.at(-1)?.reading.date ?? '') >= date;

  const publishDue = (instant: number, drafts: readonly EventDraft[]): Publication[] => {
    // Most calls come between two things that are due.
    const nothing = waiting.length === 0 && publishedTo >= stop.after && instant < stop.at;
    const due = nothing ? [] : [...waiting, ...dueWithin(environment, publishedTo, instant)];
    waiting = [];
    publishedTo = instant;
    if (due.length === 0) return [];
    const context = contextFor(instant, 'all', drafts);
    if (context === null) return [];
    return due.flatMap((one) => {
      if (store.briefings.has(scheduledId(one))) return [];
      if (one.type === 'after-hours' && !closeIsIn(context, one)) {
        if (instant - one.at < CLOSE_TIMEOUT_MS) waiting.push(one);
        return [];
      }
      return publication(scheduled(one, instant, context), instant, 0);
    });
  };

  const publishTransitions = (drafts: readonly EventDraft[], ordinal: number): Publication[] =>
    [...entriesOf(drafts)].flatMap(([at, entries]) => {
      if (at < logFrom || !quota.take(at, entries)) return [];
      const context = contextFor(at, new Set(entries.map(({ symbol }) => symbol)), drafts);
      if (context === null) return [];
      const id = transitionId(at, ordinal, entries);
      return publication(
        written(id, 'transition', at, transition(context, createChoice(scope, id), entries)),
        at,
        ordinal,
      );
    });

  const publishEditorials = (instant: number): Publication[] =>
    editorials.due(instant).flatMap((one) => {
      if (knownEditorials.has(one.id)) return [];
      knownEditorials.add(one.id);
      return store.briefings.has(one.id) ? [] : publication(one, instant, 0, 'editorial');
    });

  const archive = createArchive({
    environment,
    detector,
    log: store.log,
    logFrom: () => logFrom,
    scheduledId,
    transitionId: (at, entries) => transitionId(at, 1, entries),
  });
  const authored = ({ author }: BriefingFilter, type: BriefingType): boolean =>
    author === null || author.toLowerCase() === AUTHORS[type].toLowerCase();

  const write = ({ id, type, at, date, entries }: PlannedBriefing): Briefing | null => {
    const context = captured.get(id) ?? contextFor(at, 'none');
    if (context === null) return null;
    const choose = createChoice(scope, id);
    return written(
      id,
      type,
      at,
      type === 'transition' ? transition(context, choose, entries) : WRITERS[type](context, choose, date),
    );
  };
  const isMissing = ({ id }: PlannedBriefing): boolean => !store.briefings.has(id);
  const writeMissing = (planned: readonly PlannedBriefing[]): void => {
    const missing = planned.filter(isMissing).flatMap((one) => write(one) ?? []);
    if (missing.length > 0)
      store.transaction(() => missing.forEach((one) => void store.briefings.add(one, 'generated')));
  };

  return {
    open({ reached, from, now }) {
      const stored = readCoverage(store.meta('briefing_archive'));
      const begins = reached === null ? { logFrom: from, regions: [[now - 90 * DAY_MS, now] as const] } : stored;
      const gap = reached !== null && reached < from;
      const coverage = gap ? { logFrom: from, regions: [...begins.regions, [reached, from] as const] } : begins;
      store.setMeta('briefing_archive', JSON.stringify(coverage));
      logFrom = coverage.logFrom;
      archive.cover(coverage.regions);
      publishedTo = reached === null ? now : from;
      waiting = dueWithin(environment, publishedTo - CLOSE_TIMEOUT_MS, publishedTo).filter(
        (one) =>
          reached !== null &&
          environment === 'production' &&
          one.type === 'after-hours' &&
          !store.briefings.has(scheduledId(one)),
      );
      const noBounds = { types: ['transition'], author: null, from: now - DAY_MS, to: null };
      const published = [
        ...archive.within(noBounds.from, now),
        ...store.briefings.list(noBounds, null, 50).map((one) => ({ ...one, at: one.date, entries: null })),
      ];
      for (const one of published)
        if (one.type === 'transition')
          quota.count(one.at, one.entries?.map(({ symbol }) => symbol) ?? ('symbols' in one ? one.symbols : []));
      store.transaction(() => {
        for (const one of editorials.due(now))
          if (reached === null || store.briefings.has(one.id)) store.briefings.correct(one);
      });
    },
    capture(instant, drafts) {
      // Where prices are closes alone, the closes tell all; and a world for load tests is not to start slowly for its archive.
      if (environment !== 'sandbox' || detector.tracks.size > MAX_CAPTURED_SYMBOLS) return;
      const due = dueWithin(environment, Number.isFinite(publishedTo) ? publishedTo : instant - 1, instant);
      publishedTo = instant;
      const context = due.length === 0 ? null : contextFor(instant, 'all');
      if (context !== null) for (const one of due) captured.set(scheduledId(one), context);
      for (const [at, entries] of entriesOf(drafts)) {
        if (!captureQuota.take(at, entries)) continue;
        const capturedContext = contextFor(at, new Set(entries.map(({ symbol }) => symbol)));
        if (capturedContext !== null) captured.set(transitionId(at, 1, entries), capturedContext);
      }
    },
    nextStop(after) {
      if (!(after >= stop.after && after < stop.at)) stop = { after, at: nextStop(environment, after) };
      return stop.at;
    },
    publish(instant, drafts, ordinal = 1) {
      const publications = [
        ...publishTransitions(drafts, ordinal),
        ...publishDue(instant, drafts),
        ...publishEditorials(instant),
      ];
      if (publications.length > 0) store.briefings.prune(instant - RETENTION_MS);
      return publications;
    },
    onRequest(symbol, at, ordinal) {
      const context = contextFor(at, 'all');
      if (context === null || (symbol !== null && !context.snapshots.some((snapshot) => snapshot.symbol === symbol)))
        return null;
      const id = idOf(at, ordinal, 'request', symbol ?? '');
      const draft = profile(context, createChoice(scope, id), symbol ?? context.lead.symbol);
      return publication(written(id, 'deep', at, { ...draft, title: `Rehearsal: ${draft.title}` }), at, ordinal);
    },
    async list(filter, below, limit) {
      const matching = archive
        .newestFirst()
        .filter(
          ({ id, type, at }) =>
            (filter.types === null || filter.types.includes(type)) &&
            authored(filter, type) &&
            (filter.from === null || at >= filter.from) &&
            (filter.to === null || at <= filter.to) &&
            (below === null || at < below.date || (at === below.date && id < below.id)),
        );
      const missing = matching.slice(0, limit).filter(isMissing);
      for (let written = 0; written < missing.length; written += WRITTEN_AT_ONCE) {
        writeMissing(missing.slice(written, written + WRITTEN_AT_ONCE));
        await turn();
      }
      return store.briefings.list(filter, below, limit);
    },
    find(id) {
      const planned = archive.newestFirst().find((one) => one.id === id);
      if (planned !== undefined) writeMissing([planned]);
      return store.briefings.find(id);
    },
  };
}

/** Funds and indices that went into High Risk, by world ms. */
function entriesOf(drafts: readonly EventDraft[]): Map<number, Entry[]> {
  const groups = new Map<number, Entry[]>();
  for (const draft of drafts) {
    if (draft.event !== 'signal.high_risk' || !['etf', 'index'].includes(draft.data.asset_class)) continue;
    const at = Date.parse(draft.timestamp);
    groups.set(at, [...(groups.get(at) ?? []), draft.data]);
  }
  return groups;
}

interface ArchiveCoverage {
  /** World ms from which on the log is without a hole. */
  readonly logFrom: number;
  /** Times whose briefings are written when they are asked for, world ms. */
  readonly regions: readonly (readonly [from: number, to: number])[];
}

const readCoverage = (text: string | null): ArchiveCoverage =>
  text === null ? { logFrom: Number.POSITIVE_INFINITY, regions: [] } : (JSON.parse(text) as ArchiveCoverage);
