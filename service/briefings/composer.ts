// Service, briefings: composes briefings from a context: ids, texts and the events for them.
import type { BriefingType } from '../../shared/wire/briefings.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { DueBriefing, ScheduledType } from '../market/timetable.ts';
import { type EventIds, ordinalOf, timeOf } from '../signals/event-id.ts';
import type { Briefing } from '../store/briefings.ts';
import type { EventDraft } from '../store/event-log.ts';
import type { BriefingContext } from './context.ts';
import { deep, profile } from './deep.ts';
import type { Draft, Writer } from './draft.ts';
import { readingMinutes } from './format.ts';
import { daily, weekly } from './scheduled.ts';
import { type Entry, transition } from './transition.ts';

/** A briefing with its event; one transaction writes both. */
export interface Publication {
  readonly briefing: Briefing;
  readonly source: 'generated' | 'editorial';
  readonly event: EventDraft;
}

export const AUTHORS: Readonly<Record<BriefingType, string>> = {
  'pre-market': 'Macro desk',
  midday: 'Equity desk',
  'after-hours': 'Equity desk',
  weekly: 'Macro desk',
  transition: 'Equity desk',
  deep: 'Research desk',
};
const WRITERS: Readonly<Record<ScheduledType, Writer>> = {
  'pre-market': daily('pre-market'),
  midday: daily('midday'),
  'after-hours': daily('after-hours'),
  weekly,
  deep,
};

export interface Composer {
  scheduledId(due: Pick<DueBriefing, 'at' | 'type' | 'date'>): string;
  transitionId(at: number, ordinal: number, entries: readonly Entry[]): string;
  /** @param instant world ms at which the briefing is written */
  scheduled(due: Omit<DueBriefing, 'at'>, id: string, instant: number, context: BriefingContext): Briefing;
  transition(entries: readonly Entry[], id: string, instant: number, context: BriefingContext): Briefing;
  /** A profile of a symbol, or of the broad market; null without a signal to write about. */
  requested(symbol: string | null, ordinal: number, context: BriefingContext): Briefing | null;
  /** @param last id of the newest event in the log, after which this one has to sort */
  publication(
    briefing: Briefing,
    at: number,
    ordinal: number,
    last: string | null,
    source?: Publication['source'],
  ): Publication;
}

/** Ends every text of a sandbox. */
const SIMULATED = '*The market is simulated and open around the clock. Nothing in this text is real.*';

export function createComposer(ids: EventIds, environment: Environment): Composer {
  const idOf = (at: number, ordinal: number, ...content: readonly string[]): string =>
    ids.of(at, ordinal, 'briefing', ...content).replace('evt_', 'brf_');
  const briefing = (
    id: string,
    type: BriefingType,
    date: number,
    { title, summary, body: written, symbols }: Draft,
  ): Briefing => {
    const body = environment === 'sandbox' ? `${written}\n${SIMULATED}\n` : written;
    return {
      id,
      type,
      title,
      author: AUTHORS[type],
      date,
      summary,
      symbols,
      readingMinutes: readingMinutes(body),
      body,
    };
  };

  return {
    scheduledId: ({ at, type, date }) => idOf(at, 0, type, date),
    transitionId: (at, ordinal, [first]) => idOf(at, ordinal, 'transition', first?.symbol ?? ''),
    scheduled: ({ type, date }, id, instant, context) => briefing(id, type, instant, WRITERS[type](context, date)),
    transition: (entries, id, instant, context) => briefing(id, 'transition', instant, transition(context, entries)),
    requested(symbol, ordinal, context) {
      const subject = symbol === null ? context.lead : context.snapshots.find((one) => one.symbol === symbol);
      if (subject === undefined) return null;
      const id = idOf(context.at, ordinal, 'request', symbol ?? '');
      const draft = profile(context, subject);
      return briefing(id, 'deep', context.at, { ...draft, title: `Rehearsal: ${draft.title}` });
    },
    publication(made, at, ordinal, last, source = 'generated') {
      const own = ids.of(at, ordinal, 'briefing.published', made.id);
      return {
        briefing: made,
        source,
        event: {
          event_id:
            last === null || own > last
              ? own
              : ids.of(timeOf(last), ordinalOf(last) + 1, 'briefing.published', made.id),
          event: 'briefing.published',
          timestamp: timestamp(at),
          data: { id: made.id, type: made.type, title: made.title, author: made.author, date: timestamp(made.date) },
        },
      };
    },
  };
}
