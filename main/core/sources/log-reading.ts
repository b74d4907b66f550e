// Main, core: reads the service's event log from the cursor to its end, page by page.
// This proves completeness. When the log is unreadable, transition-reading.ts reads the transitions.
import { problem, type ServiceProblem } from '../../../client/problem.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { message } from '../../../shared/text/message.ts';
import { isKnownName } from '../compat/event-names.ts';
import { DIGEST_ID } from '../compat/parse-event.ts';
import type { ArrivalSource } from '../compat/received-event.ts';
import type { IngestResult } from '../ledger/arrival.ts';
import type { BackfillLedger } from './backfill-ledger.ts';
import { createPager, type PagerDeps } from './pages.ts';

export interface BackfillResult {
  /** New events in this run. */
  readonly added: number;
  /** World time of the oldest new event, ms; null: none. */
  readonly oldest: number | null;
  /** False: the service lists no events or no numbers, so completeness cannot be proven. */
  readonly provable: boolean;
}

export interface LogDeps extends PagerDeps {
  readonly ledger: BackfillLedger;
}

const OTHER_LOG = message('gap.other_log');
/** Most pages of a run, which then ends with an error; the next run continues from the cursor. */
const MAX_PAGES = 10_000;
/** Consecutive pages without progress that count as a repetition. */
const MAX_IDLE_PAGES = 20;

/** What a run has read of the log so far. */
export interface LogRead {
  readonly events: number;
  /** World times of the first and of the last of them, ms. */
  readonly from: number;
  readonly to: number;
}

/** Reads /events from the cursor to the end. @param report is called after each page that another one follows */
export async function readLog(
  deps: LogDeps,
  source: ArrivalSource,
  report: (read: LogRead) => void = () => undefined,
): Promise<Result<BackfillResult, ServiceProblem>> {
  const { ledger } = deps;
  const readPage = createPager(deps, 'events');
  let added = 0;
  let oldest: number | null = null;
  let after = ledger.start();
  /** The event before the next page, if known. */
  let predecessor = after;
  const continueAfter = (event: string | null): void => {
    after = event;
    predecessor = event;
  };
  /** Pending events from before the request, which the whole list must contain. */
  const stranded = new Set(after === null ? ledger.pending() : []);
  const seen = new Set<string>();
  /** Ids of the previous page. */
  let lastIds = new Set<string>();
  let idle = 0;
  let resumedAt = after;
  /** The ledger's last event; once it is read, ledger and list are joined. */
  let known = ledger.cursor().eventId;
  let isMet = known === after;
  let listed = 0;
  let from: number | null = null;
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const answer = await readPage(after === null ? {} : { after });
    if (!answer.ok) {
      if (answer.error.status === 400 && after !== null) {
        // The service no longer knows the cursor's event, unless the cursor moved meanwhile: it has another
        // log, or removed the event.
        if (ledger.cursor().eventId === after) ledger.forgetCursor(OTHER_LOG);
        else if (ledger.start() === after) ledger.forgetStart();
        continueAfter(ledger.start());
        continue;
      }
      return answer;
    }
    const { rows, events } = answer.value;
    // The specification has no such list, so rows without any event prove nothing. Unreadable rows with an id
    // count as events when the log was read before, or when they have the name and the number of an event.
    const areEvents = events.some(
      ({ eventId, event, seq, assumptions }) =>
        !assumptions.includes('unreadable') ||
        (!eventId.startsWith(DIGEST_ID) && (known !== null || (seq !== null && isKnownName(event)))),
    );
    if (!areEvents && rows > 0) return err(problem('unreadable', 'The rows of /events are no events.', 200));
    // The ids would be made by the core, and the service cannot continue after an unknown id.
    if (events.length > 0 && events.every(({ assumptions }) => assumptions.includes('id')))
      return err(problem('unreadable', 'The rows of /events have no ids.', 200));
    const before = ledger.cursor().eventId;
    const ingested = ledger.ingest(source, events, predecessor);
    added += ingested.added.length;
    oldest = oldestOf(ingested, oldest);
    const isIdle = ingested.added.length === 0 && ledger.cursor().eventId === before;
    idle = isIdle ? idle + 1 : 0;
    listed += events.length;
    for (const { eventId } of events) stranded.delete(eventId);
    isMet ||= known === null || events.some(({ eventId }) => eventId === known);
    const next = answer.value.nextCursor ?? events.at(-1)?.eventId ?? null;
    // Some services name the cursor of the last page again; elsewhere a repeated cursor repeats the rows.
    const isTail = next === after && events.every(({ eventId }) => !lastIds.has(eventId));
    lastIds = new Set(events.map(({ eventId }) => eventId));
    if (!answer.value.hasMore || next === null || isTail) {
      const isJoined = isMet || ledger.cursor().eventId !== known;
      // Only contiguous numbers prove completeness: a service may not accept ids as cursors.
      const isNumbered = ledger.cursor().seq !== null;
      // An empty log proves nothing, because transitions may be listed elsewhere. An empty page after an
      // event proves that none followed.
      if (listed === 0) return ok({ added, oldest, provable: after !== null && isNumbered });
      if (isJoined && stranded.size === 0) return ok({ added, oldest, provable: isNumbered });
      // The log does not contain the ledger's last event: it is another log.
      stranded.clear();
      ledger.forgetCursor(OTHER_LOG);
      continueAfter(ledger.start());
      known = null;
      seen.clear();
      continue;
    }
    const last = events.at(-1)?.occurredAt;
    from ??= events[0]?.occurredAt ?? null;
    if (from !== null && last !== undefined) report({ events: listed, from, to: last });
    if (isIdle && before !== null && before !== resumedAt) {
      // The stream brought these events already: nothing is missing up to the cursor, so reading continues
      // there.
      resumedAt = before;
      continueAfter(before);
      continue;
    }
    if (seen.has(next) || idle > MAX_IDLE_PAGES)
      return err(problem('unreadable', 'The event log of the service repeats itself.', 200));
    seen.add(next);
    after = next;
    predecessor = events.at(-1)?.eventId ?? predecessor;
  }
  return err(problem('unreadable', `The event log of the service does not end after ${MAX_PAGES} pages.`, 200));
}

export const oldestOf = ({ added }: IngestResult, before: number | null): number | null =>
  added.reduce<number | null>((oldest, { event }) => Math.min(oldest ?? event.occurredAt, event.occurredAt), before);
