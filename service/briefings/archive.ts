// Service, briefings: plans the briefings of the past from timetable, log and closes.
// A request writes them.
import type { BriefingType } from '../../shared/wire/briefings.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { Timetable } from '../market/timetable.ts';
import type { ClosedRow } from '../signals/closed-row.ts';
import { percent } from '../signals/drafts.ts';
import { noteOf } from '../signals/notes.ts';
import type { StateDetector } from '../signals/state-detector.ts';
import type { EventLog } from '../store/event-log.ts';
import type { Composer } from './composer.ts';
import { FUNDS } from './context.ts';
import { type Coverage, NO_COVERAGE } from './coverage.ts';
import { createQuota } from './quota.ts';
import type { Entry } from './transition.ts';

export interface PlannedBriefing {
  readonly id: string;
  readonly type: BriefingType;
  /** World ms. */
  readonly at: number;
  /** Session day. */
  readonly date: string;
  /** The entries of a transition briefing; else empty. */
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
  /** Whether the archive plans the briefings of that time. */
  covers(at: number): boolean;
  /** World ms from which the log has no gap. */
  logFrom(): number;
  newestFirst(): readonly PlannedBriefing[];
  /** (from, to], newest first. */
  within(from: number, to: number): PlannedBriefing[];
}

export function createArchive({ timetable, detector, log, composer }: ArchiveDeps): Archive {
  let { logFrom, regions } = NO_COVERAGE;
  let plan: readonly PlannedBriefing[] | null = null;

  /** The session dates with a close, and the first close. */
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
    // A market without an index or a fund has no close that a briefing could describe.
    if (first > to) return [];
    return timetable
      .dueWithin(Math.max(from, first), to)
      .filter(({ type, date }) => type !== 'after-hours' || dates.has(date))
      .map((due) => ({ id: composer.scheduledId(due), type: due.type, at: due.at, date: due.date, entries: [] }));
  };

  /** Entries into High Risk: from the log as far back as it reaches, from the closes before that. */
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
          confidence_of: reading.claim,
          regime: reading.regime,
          note: noteOf({ ...track, days: days.slice(0, index + 1) }, reading, true),
          occurred_at: timestamp(closedAt),
        });
      }
    }
    const rank = ({ occurred_at, symbol }: Entry): string => `${occurred_at} ${symbol}`;
    return entries.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  };

  const transitions = (from: number, to: number): PlannedBriefing[] => {
    const quota = createQuota();
    const groups = Map.groupBy(entriesWithin(from, to), ({ occurred_at }) => occurred_at);
    return [...groups].flatMap(([occurredAt, given]): PlannedBriefing[] => {
      const at = Date.parse(occurredAt);
      // In the order of `entriesOf`, because the first entry names the briefing.
      const entries = given.toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));
      if (!quota.take(at, entries)) return [];
      const id = composer.transitionId(at, 1, entries);
      return [{ id, type: 'transition', at, date: occurredAt.slice(0, 10), entries }];
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
