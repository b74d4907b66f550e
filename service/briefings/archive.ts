// Service, briefings: what was published in a time in which nobody wrote: planned from the schedule, the log and the closes, written when asked for.
import type { BriefingType } from '../../shared/wire/briefings.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { Timetable } from '../market/timetable.ts';
import type { ClosedRow } from '../signals/closed-row.ts';
import { percent } from '../signals/drafts.ts';
import { noteOf } from '../signals/notes.ts';
import type { StateDetector } from '../signals/state-detector.ts';
import type { EventLog } from '../store/event-log.ts';
import type { Composer } from './composer.ts';
import { type Coverage, NO_COVERAGE } from './coverage.ts';
import { FUNDS } from './entries.ts';
import { createQuota } from './quota.ts';
import type { Entry } from './transition.ts';

export interface PlannedBriefing {
  readonly id: string;
  readonly type: BriefingType;
  /** World ms. */
  readonly at: number;
  /** Session day. */
  readonly date: string;
  /** Of a transition; else empty. */
  readonly entries: readonly Entry[];
}

export interface ArchiveDeps {
  readonly timetable: Timetable;
  readonly detector: StateDetector;
  readonly log: EventLog;
  readonly composer: Pick<Composer, 'scheduledId' | 'transitionId'>;
}

export interface Archive {
  cover(coverage: Coverage): void;
  /** Whether briefings of that time are written here, when they are asked for. */
  covers(at: number): boolean;
  /** World ms from which on the log is without a hole. */
  logFrom(): number;
  newestFirst(): readonly PlannedBriefing[];
  /** (from, to], newest first. */
  within(from: number, to: number): PlannedBriefing[];
}

export function createArchive({ timetable, detector, log, composer }: ArchiveDeps): Archive {
  let { logFrom, regions } = NO_COVERAGE;
  let plan: readonly PlannedBriefing[] | null = null;

  /** Session dates that the market closed, and when it first did. */
  const closes = (): { dates: ReadonlySet<string>; first: number } => {
    const rows = [...detector.tracks.values()]
      .filter(({ instrument }) => FUNDS.includes(instrument.assetClass))
      .map(({ days }) => days);
    const longest = rows.reduce<readonly ClosedRow[]>((best, one) => (one.length > best.length ? one : best), []);
    return {
      dates: new Set(longest.map(({ reading }) => reading.date)),
      first: longest[0]?.closedAt ?? Number.POSITIVE_INFINITY,
    };
  };

  const scheduled = (from: number, to: number): PlannedBriefing[] => {
    const { dates, first } = closes();
    return timetable
      .dueWithin(Math.max(from, first), to)
      .filter(({ type, date }) => type !== 'after-hours' || dates.has(date))
      .map((due) => ({ id: composer.scheduledId(due), type: due.type, at: due.at, date: due.date, entries: [] }));
  };

  /** Who went into High Risk when: by the log as far as it reaches back, before that by the closes. */
  const entriesWithin = (from: number, to: number): Entry[] => {
    const begin = logFrom;
    const filter = { symbols: null, states: [2], regimes: null, classes: FUNDS, from: Math.max(from + 1, begin), to };
    const logged =
      begin > to ? [] : log.transitions(filter, null, Number.MAX_SAFE_INTEGER).map(({ transition }) => transition);
    return [...entriesAtCloses(from, Math.min(to, begin - 1)), ...logged.reverse()];
  };

  const entriesAtCloses = (from: number, to: number): Entry[] => {
    const entries: Entry[] = [];
    for (const track of detector.tracks.values()) {
      const { instrument, days } = track;
      if (instrument.regimeOnly || !FUNDS.includes(instrument.assetClass)) continue;
      for (const [index, { closedAt, reading }] of days.entries()) {
        const before = days[index - 1]?.reading.state;
        if (before === undefined || before === 2 || reading.state !== 2 || closedAt <= from || closedAt > to) continue;
        entries.push({
          symbol: instrument.symbol,
          from_state: before,
          confidence: percent(reading.confidence),
          regime: reading.regime,
          note: noteOf({ ...track, days: days.slice(0, index + 1) }, reading, true),
          occurred_at: timestamp(closedAt),
        });
      }
    }
    return entries.sort((a, b) =>
      a.occurred_at === b.occurred_at ? (a.symbol < b.symbol ? -1 : 1) : a.occurred_at < b.occurred_at ? -1 : 1,
    );
  };

  const transitions = (from: number, to: number): PlannedBriefing[] => {
    const quota = createQuota();
    const groups = new Map<string, Entry[]>();
    for (const entry of entriesWithin(from, to))
      groups.set(entry.occurred_at, [...(groups.get(entry.occurred_at) ?? []), entry]);
    return [...groups].flatMap(([occurredAt, entries]) => {
      const at = Date.parse(occurredAt);
      return quota.take(at, entries)
        ? [
            {
              id: composer.transitionId(at, 1, entries),
              type: 'transition' as const,
              at,
              date: occurredAt.slice(0, 10),
              entries,
            },
          ]
        : [];
    });
  };

  const archive: Archive = {
    cover(coverage) {
      ({ logFrom, regions } = coverage);
      plan = null;
    },
    covers: (at) => regions.some(([from, to]) => at > from && at <= to),
    logFrom: () => logFrom,
    newestFirst() {
      plan ??= regions
        .flatMap(([from, to]) => [...scheduled(from, to), ...transitions(from, to)])
        .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
      return plan;
    },
    within: (from, to) => archive.newestFirst().filter(({ at }) => at > from && at <= to),
  };
  return archive;
}
