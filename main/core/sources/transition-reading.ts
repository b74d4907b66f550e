// Main, core: reads /alert-transitions when the event log is unreadable.
// It relies neither on the order of the list nor on filters, limits and cursors.
import { problem, type ServiceProblem } from '../../../client/problem.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import { rowEvent } from '../compat/record-fields.ts';
import { type BackfillResult, type LogDeps, oldestOf } from './log-reading.ts';
import { createPager, type EventPage } from './pages.ts';

/** Pages after which a reading ends (docs/contract.md 10). */
const MAX_PAGES = 1_000;
/** Consecutive pages without a new row that count as a repetition. */
const MAX_IDLE_PAGES = 20;
/**
 * Overlap with known transitions, because completeness cannot be proven, ms (docs/contract.md,
 * "Completeness").
 */
const OVERLAP = 10 * 60_000;

export type TransitionReading = (source: ArrivalSource) => Promise<Result<BackfillResult, ServiceProblem>>;

export function createTransitionReading(deps: LogDeps): TransitionReading {
  const { ledger } = deps;
  const readPage = createPager(deps, 'alertTransitions', rowEvent);
  /** Cursor of the last page of a list that begins with its oldest row and ignores `from`; null: none. */
  let resumeAfter: string | null = null;

  const read = async (source: ArrivalSource, first: string | null): ReturnType<TransitionReading> => {
    const newest = ledger.newestTransition();
    const from = newest === null ? null : newest - OVERLAP;
    const filter = from === null || first !== null ? {} : { from: timestamp(from) };
    const listed: ReceivedEvent[] = [];
    const cursors = new Set<string>();
    const ids = new Set<string>();
    let after = first;
    let isWhole = false;
    let idle = 0;
    for (let count = 0; count < MAX_PAGES && !isWhole; count += 1) {
      const answer: Result<EventPage, ServiceProblem> = await readPage({
        ...filter,
        ...(after === null ? {} : { after }),
      });
      if (!answer.ok) return answer;
      const { rows, events, hasMore, nextCursor } = answer.value;
      // A list without a readable row may omit anything.
      if (rows > 0 && events.every(({ assumptions }) => assumptions.includes('unreadable')))
        return err(problem('unreadable', 'The rows of /alert-transitions are no transitions.', 200));
      listed.push(...events);
      // Some services name the cursor of the last page again; elsewhere a repeated cursor repeats the rows.
      const hasOthers = events.some(({ eventId }) => !ids.has(eventId));
      const isTail = nextCursor === after && (events.length === 0 || hasOthers);
      idle = hasOthers ? 0 : idle + 1;
      isWhole = !hasMore || nextCursor === null || isTail || reachesBack(events, listed, from, ledger.isListed);
      if (isWhole || nextCursor === null || cursors.has(nextCursor) || idle > MAX_IDLE_PAGES) break;
      for (const { eventId } of events) ids.add(eventId);
      cursors.add(nextCursor);
      after = nextCursor;
    }
    const order = orderOf(listed);
    const [oldest] = listed;
    const isFromIgnored = from !== null && oldest !== undefined && oldest.occurredAt < from;
    resumeAfter = order > 0 && (first !== null || isFromIgnored) ? after : null;
    const isJoined = isWhole || (order < 0 && listed.some(({ eventId }) => ledger.isListed(eventId)));
    // Stores the rows also when the reading is incomplete.
    const ingested = ledger.ingest(source, oldestFirst(listed, order > 0));
    if (!isJoined) return err(problem('unreadable', 'The list of transitions repeats itself.', 200));
    return ok({ added: ingested.added.length, oldest: oldestOf(ingested, null), provable: false });
  };
  return async (source) => {
    const resumed = resumeAfter === null ? null : await read(source, resumeAfter);
    if (resumed?.ok === true || (resumed !== null && resumed.error.status !== 400)) return resumed;
    resumeAfter = null;
    return read(source, null);
  };
}

const isDated = ({ assumptions }: ReceivedEvent): boolean => !assumptions.includes('time');

/** 1: oldest row first; -1: newest row first; 0: unknown. */
function orderOf(events: readonly ReceivedEvent[]): number {
  const dated = events.filter(isDated);
  const [first, last] = [dated[0] ?? events[0], dated.at(-1) ?? events.at(-1)];
  if (first === undefined || last === undefined) return 0;
  if (dated.length > 1 && first.occurredAt !== last.occurredAt) return Math.sign(last.occurredAt - first.occurredAt);
  const haveIds = ![first, last].some(({ assumptions }) => assumptions.includes('id'));
  return haveIds ? Math.sign(last.eventId.localeCompare(first.eventId, 'en', { numeric: true })) : 0;
}

/** Sorts by time; rows of the same instant stay in the order of the list. */
const oldestFirst = (events: readonly ReceivedEvent[], ascends: boolean): ReceivedEvent[] =>
  (ascends ? [...events] : events.toReversed()).sort((a, b) => a.occurredAt - b.occurredAt);

/**
 * True when only rows older than `from` follow the page: a service may ignore `from`. False unless the newest
 * rows come first.
 */
function reachesBack(
  page: readonly ReceivedEvent[],
  all: readonly ReceivedEvent[],
  from: number | null,
  isListed: (eventId: string) => boolean,
): boolean {
  const last = page.at(-1);
  if (last === undefined || from === null || orderOf(all) >= 0) return false;
  return isDated(last) ? last.occurredAt < from : isListed(last.eventId);
}
