// Service, briefings: publishes due briefings and those about entries into High Risk.
import { DAY_MS, HOUR_MS } from '../../shared/lib/time.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import type { LogWriter } from '../log/log-writer.ts';
import type { DueBriefing, Timetable } from '../market/timetable.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import type { Archive } from './archive.ts';
import type { Composer, Publication } from './composer.ts';
import type { BriefingContext, LiveSymbols } from './context.ts';
import type { Editorials } from './editorial.ts';
import { entriesOf } from './entries.ts';
import { createQuota } from './quota.ts';

/** How long an after-hours briefing waits for its close, which price files may deliver late. */
const CLOSE_TIMEOUT_MS = 14 * HOUR_MS;

export interface Publisher {
  /**
   * Continues after an earlier run. Call it before `publish`.
   * @param publishedTo world ms up to which everything due was published
   * @param now world ms
   */
  open(publishedTo: number, now: number): void;
  /**
   * Publishes the briefings of the days with which a first log is filled. Call it once per step, after everything
   * up to `instant` is evaluated.
   * @throws what the store threw
   */
  publishFirst(events: readonly LoggedEvent[], instant: number): void;
  /**
   * Publishes the briefings that events cause, and the briefings due up to `instant`. If the store fails,
   * retries these publications first on the next call.
   * @throws what the store threw
   */
  publish(events: readonly LoggedEvent[], instant: number): void;
}

/** False for an after-hours briefing whose close has not arrived. */
const hasClose = (environment: Environment, { lead }: BriefingContext, { type, date }: DueBriefing): boolean =>
  environment === 'sandbox' || type !== 'after-hours' || (lead.days.at(-1)?.reading.date ?? '') >= date;

export interface PublisherDeps {
  readonly environment: Environment;
  readonly timetable: Timetable;
  readonly composer: Composer;
  readonly archive: Archive;
  readonly contextFor: (instant: number, live: LiveSymbols) => BriefingContext | null;
  readonly store: Store;
  readonly writer: LogWriter;
  readonly editorials: Editorials;
}

export function createPublisher(deps: PublisherDeps): Publisher {
  const { environment, timetable, composer, archive, contextFor, store, writer, editorials } = deps;
  const quota = createQuota();
  const knownEditorials = new Set<string>();
  let waiting: DueBriefing[] = [];
  let publishedTo = Number.POSITIVE_INFINITY;
  let unwritten: Publication[] = [];
  /** World ms up to which a first log has its briefings. */
  let firstTo: number | null = null;

  const commit = (made: readonly Publication[], instant: number): void => {
    const events = made.map(({ event }) => event);
    writer.commit(events, instant, () => {
      for (const { briefing, source } of made) store.briefings.add(briefing, source);
    });
  };

  const isNew = (due: DueBriefing): boolean =>
    !archive.covers(due.at) && !store.briefings.has(composer.scheduledId(due));

  const scheduled = (instant: number): Publication[] => {
    const due = [...waiting, ...timetable.dueWithin(publishedTo, instant)].filter(isNew);
    waiting = [];
    publishedTo = instant;
    const context = due.length === 0 ? null : contextFor(instant, 'all');
    if (context === null) return [];
    return due.flatMap((one) => {
      if (!hasClose(environment, context, one)) {
        if (instant - one.at < CLOSE_TIMEOUT_MS) waiting.push(one);
        return [];
      }
      const briefing = composer.scheduled(one, composer.scheduledId(one), instant, context);
      return composer.publication(briefing, instant, 0, store.log.lastId());
    });
  };

  const transitions = (events: readonly LoggedEvent[], since: number): Publication[] =>
    entriesOf(events).flatMap(({ at, ordinal, entries }) => {
      if (at < since || !quota.take(at, entries)) return [];
      const context = contextFor(at, new Set(entries.map(({ symbol }) => symbol)));
      if (context === null) return [];
      // The ordinal follows the events of the same millisecond that the briefing describes.
      const id = composer.transitionId(at, ordinal + 1, entries);
      // After a crash the event is processed again, possibly after other ids.
      if (store.briefings.has(id)) return [];
      const briefing = composer.transition(entries, id, at, context);
      return composer.publication(briefing, at, ordinal + 1, store.log.lastId());
    });

  /** Each as of the instant at which it was due. */
  const firstScheduled = (instant: number): Publication[] => {
    const due = firstTo === null ? [] : timetable.dueWithin(firstTo, instant);
    firstTo = instant;
    return due.flatMap((one) => {
      const context = contextFor(one.at, 'all');
      if (context === null || !hasClose(environment, context, one)) return [];
      const briefing = composer.scheduled(one, composer.scheduledId(one), one.at, context);
      return composer.publication(briefing, one.at, 0, store.log.lastId());
    });
  };

  const fromEditors = (instant: number): Publication[] =>
    editorials.due(instant).flatMap((one) => {
      if (knownEditorials.has(one.id)) return [];
      knownEditorials.add(one.id);
      if (store.briefings.has(one.id)) return [];
      return composer.publication(one, instant, 0, store.log.lastId(), 'editorial');
    });

  return {
    open(reached, now) {
      publishedTo = reached;
      waiting = timetable
        .dueWithin(reached - CLOSE_TIMEOUT_MS, reached)
        .filter((one) => environment === 'production' && one.type === 'after-hours' && isNew(one));
      for (const { at, symbols } of transitionsWithin(now - DAY_MS, now, deps)) quota.count(at, symbols);
    },
    publishFirst(events, instant) {
      const made = [...transitions(events, Number.NEGATIVE_INFINITY), ...firstScheduled(instant)];
      if (made.length > 0) commit(made, instant);
    },
    publish(events, instant) {
      unwritten.push(...transitions(events, archive.logFrom()), ...scheduled(instant), ...fromEditors(instant));
      if (unwritten.length === 0) return;
      commit(unwritten, instant);
      unwritten = [];
    },
  };
}

/** Planned and stored transition briefings, oldest first, because the quota keeps one day only. */
function transitionsWithin(
  from: number,
  to: number,
  { archive, store }: PublisherDeps,
): { at: number; symbols: readonly string[] }[] {
  const planned = archive
    .within(from, to)
    .filter(({ type }) => type === 'transition')
    .map(({ at, entries }) => ({ at, symbols: entries.map(({ symbol }) => symbol) }));
  const stored = store.briefings
    .list({ types: ['transition'], author: null, from, to: null }, null, 50)
    .map(({ date, symbols }) => ({ at: date, symbols }));
  return [...planned, ...stored].sort((a, b) => a.at - b.at);
}
