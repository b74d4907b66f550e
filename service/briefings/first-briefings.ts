// Service, briefings: publishes the briefings of the days with which a first log is filled.
import type { Environment } from '../../shared/wire/keys.ts';
import type { LogWriter } from '../log/log-writer.ts';
import type { Timetable } from '../market/timetable.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import type { Composer, Publication } from './composer.ts';
import type { BriefingContext, LiveSymbols } from './context.ts';
import { entriesOf } from './entries.ts';
import { hasClose } from './publisher.ts';
import { createQuota } from './quota.ts';

/** Larger worlds must start fast: their archive writes briefings when it is read, without an event. */
const MAX_SYMBOLS = 200;

export interface FirstBriefings {
  /**
   * Call it once per step, after everything up to `instant` is evaluated.
   * @throws what the store threw
   */
  publish(events: readonly LoggedEvent[], instant: number): void;
}

export interface FirstBriefingsDeps {
  readonly environment: Environment;
  readonly timetable: Timetable;
  readonly composer: Composer;
  readonly contextFor: (instant: number, live: LiveSymbols) => BriefingContext | null;
  readonly store: Pick<Store, 'briefings' | 'log'>;
  readonly writer: LogWriter;
  /** Number of symbols in the world. */
  readonly symbols: number;
}

export function createFirstBriefings(deps: FirstBriefingsDeps): FirstBriefings {
  const { environment, timetable, composer, contextFor, store, writer, symbols } = deps;
  const quota = createQuota();
  let publishedTo: number | null = null;
  const transitions = (events: readonly LoggedEvent[]): Publication[] =>
    entriesOf(events).flatMap(({ at, ordinal, entries }) => {
      const entered = new Set(entries.map(({ symbol }) => symbol));
      const context = quota.take(at, entries) ? contextFor(at, entered) : null;
      if (context === null) return [];
      const id = composer.transitionId(at, ordinal + 1, entries);
      return composer.publication(composer.transition(entries, id, at, context), at, ordinal + 1, store.log.lastId());
    });

  const scheduled = (instant: number): Publication[] => {
    const due = publishedTo === null ? [] : timetable.dueWithin(publishedTo, instant);
    publishedTo = instant;
    return due.flatMap((one) => {
      const context = contextFor(one.at, 'all');
      if (context === null || !hasClose(environment, context, one)) return [];
      return composer.publication(
        composer.scheduled(one, composer.scheduledId(one), one.at, context),
        one.at,
        0,
        store.log.lastId(),
      );
    });
  };

  return {
    publish(events, instant) {
      if (symbols > MAX_SYMBOLS) return;
      const made = [...transitions(events), ...scheduled(instant)];
      if (made.length === 0) return;
      const drafts = made.map(({ event }) => event);
      writer.commit(drafts, instant, () => {
        for (const { briefing, source } of made) store.briefings.add(briefing, source);
      });
    },
  };
}
