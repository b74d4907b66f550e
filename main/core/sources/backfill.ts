// Main, core: reads the service's event log from the cursor to its end, page by page.
// This proves completeness. Where the service has no log, the newest transitions are read with an overlap,
// and nothing is proven.

import type { Client, Page } from '../../../client/client.ts';
import { problem, type ServiceProblem } from '../../../client/problem.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { signalEvent } from '../../../shared/wire/events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { isFields, state } from '../compat/normalize.ts';
import { readEvent } from '../compat/read-event.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import { type IngestResult, ledgerErrorMessage } from '../ledger/ledger.ts';

export interface BackfillResult {
  /** New events in this run. */
  readonly added: number;
  /** World time of the oldest of them, ms; null: none. */
  readonly oldest: number | null;
  /** False: the service lists no events, so completeness cannot be proven. */
  readonly provable: boolean;
  /** Rows that could not be read. */
  readonly invalid: number;
}

export interface Backfill {
  /** One run at a time; a call during a run adds one run after it, which sees later events. */
  run(source: ArrivalSource): Promise<Result<BackfillResult, ServiceProblem>>;
  /** Resolves when no run is under way. */
  idle(): Promise<void>;
}

export interface BackfillOptions {
  readonly client: Pick<Client, 'page'>;
  readonly clock: Clock;
  readonly ledger: {
    cursor(): { readonly eventId: string | null };
    /** Events pending beyond a hole. */
    pending(): readonly string[];
    /** The event after which reading begins, at or before the cursor; null: at the oldest. */
    start(): string | null;
    /** The service does not know that event. */
    forgetStart(): void;
    forgetCursor(cause: string): void;
    ingest(source: ArrivalSource, events: ReceivedEvent[], after?: string | null): IngestResult;
    /** World time of the newest known transition, ms; null when there is none. */
    newestTransition(): number | null;
  };
  readonly onInvalid: (why: string, row: unknown) => void;
}

const PAGE = 100;
const OTHER_LOG = 'The service has another event log than before. It is read again from its oldest event.';
/** A run ends with an error beyond this; the next one continues from the cursor. */
const MOST_PAGES = 10_000;
/** This many pages in a row without progress are a circle. */
const MOST_IDLE_PAGES = 20;
/** Pages of a list without our cursor after which a run ends (docs/contract.md 10). */
const MOST_OVERLAP_PAGES = 1_000;
/** Overlap where completeness cannot be proven, ms (docs/contract.md, "Completeness"). */
const OVERLAP = 10 * 60_000;

export function createBackfill({ client, clock, ledger, onInvalid }: BackfillOptions): Backfill {
  const read = (rows: readonly unknown[]): { events: ReceivedEvent[]; invalid: number } => {
    const events: ReceivedEvent[] = [];
    const receivedAt = clock.now();
    for (const row of rows) {
      const event = readEvent(row, { receivedAt });
      if (event.ok) events.push(event.value);
      else onInvalid(event.error, row);
    }
    return { events, invalid: rows.length - events.length };
  };

  /** Reads /events from the cursor to the end. */
  const followLog = async (source: ArrivalSource): Promise<Result<BackfillResult, ServiceProblem>> => {
    let added = 0;
    let oldest: number | null = null;
    let invalid = 0;
    let after = ledger.start();
    let predecessor = after;
    /** Pending events that the whole list must contain, because they were known before the request. */
    const stranded = new Set(after === null ? ledger.pending() : []);
    const seen = new Set<string>();
    let idle = 0;
    let resumedAt = after;
    /** The ledger's last event; after it was read, ledger and list are joined. */
    let known = ledger.cursor().eventId;
    let isMet = known === after;
    let listed = 0;
    for (let count = 0; count < MOST_PAGES; count += 1) {
      const answer = await client.page('events', { query: after === null ? { limit: PAGE } : { limit: PAGE, after } });
      if (!answer.ok) {
        if (answer.error.status === 400 && after !== null) {
          // Unless the cursor moved meanwhile, the service no longer knows its event: it has another log, or
          // forgot.
          if (ledger.cursor().eventId === after) ledger.forgetCursor(OTHER_LOG);
          else if (ledger.start() === after) ledger.forgetStart();
          after = ledger.start();
          predecessor = after;
          continue;
        }
        return answer;
      }
      const { events, invalid: bad } = read(answer.value.rows);
      invalid += bad;
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
      if (!answer.value.hasMore || next === null) {
        const isJoined = isMet || ledger.cursor().eventId !== known;
        if (listed === 0 || (isJoined && stranded.size === 0)) return ok({ added, oldest, provable: true, invalid });
        // Read to its end without the ledger's last event: nothing can be joined to that event.
        stranded.clear();
        ledger.forgetCursor(OTHER_LOG);
        after = ledger.start();
        predecessor = after;
        known = null;
        seen.clear();
        continue;
      }
      if (isIdle && before !== null && before !== resumedAt) {
        // The stream brought these events and more: nothing is missing up to the cursor, so reading continues
        // there.
        resumedAt = before;
        after = before;
        predecessor = before;
        continue;
      }
      if (seen.has(next) || idle > MOST_IDLE_PAGES)
        return err(problem('unreadable', 'The event log of the service goes in a circle.', 200));
      seen.add(next);
      after = next;
      predecessor = events.at(-1)?.eventId ?? predecessor;
    }
    return err(problem('unreadable', `The event log of the service does not end after ${MOST_PAGES} pages.`, 200));
  };

  /** Reads /alert-transitions, newest first, back to ten minutes before the newest known one. */
  const overlap = async (source: ArrivalSource): Promise<Result<BackfillResult, ServiceProblem>> => {
    const newest = ledger.newestTransition();
    const from = newest === null ? {} : { from: timestamp(newest - OVERLAP) };
    const collected: ReceivedEvent[] = [];
    let invalid = 0;
    let after: string | null = null;
    const seen = new Set<string>();
    for (let count = 0; count < MOST_OVERLAP_PAGES; count += 1) {
      const query: { limit: number; from?: string; after?: string } = {
        limit: PAGE,
        ...from,
        ...(after === null ? {} : { after }),
      };
      const answer: Result<Page, ServiceProblem> = await client.page('alertTransitions', { query });
      if (!answer.ok) return answer;
      const { events, invalid: bad } = read(answer.value.rows.map(asEvent));
      collected.push(...events);
      invalid += bad;
      after = answer.value.nextCursor;
      if (!answer.value.hasMore || after === null) break;
      if (seen.has(after)) return err(problem('unreadable', 'The list of transitions goes in a circle.', 200));
      seen.add(after);
    }
    const oldestFirst = collected.sort((a, b) => a.occurredAt - b.occurredAt);
    const ingested = ledger.ingest(source, oldestFirst);
    return ok({ added: ingested.added.length, oldest: oldestOf(ingested, null), provable: false, invalid });
  };

  const once = async (source: ArrivalSource): Promise<Result<BackfillResult, ServiceProblem>> => {
    try {
      const caughtUp = await followLog(source);
      if (caughtUp.ok || (caughtUp.error.kind !== 'not_found' && caughtUp.error.status !== 405)) return caughtUp;
      return await overlap(source);
    } catch (error) {
      return err(problem('not_stored', ledgerErrorMessage(error)));
    }
  };

  let inFlight: Promise<Result<BackfillResult, ServiceProblem>> | null = null;
  let following: Promise<Result<BackfillResult, ServiceProblem>> | null = null;
  const begin = (source: ArrivalSource): Promise<Result<BackfillResult, ServiceProblem>> => {
    inFlight = once(source).finally(() => {
      inFlight = null;
    });
    return inFlight;
  };
  return {
    run(source) {
      if (inFlight === null) return begin(source);
      following ??= inFlight.then(() => {
        following = null;
        return begin(source);
      });
      return following;
    },
    async idle() {
      while (inFlight !== null) await inFlight;
    },
  };
}

const oldestOf = ({ added }: IngestResult, before: number | null): number | null =>
  added.reduce<number | null>((oldest, { event }) => Math.min(oldest ?? event.occurredAt, event.occurredAt), before);

/** A row of /alert-transitions as the event that announced it. */
function asEvent(row: unknown): unknown {
  const entered = isFields(row) ? state(row.state_name, row.to_state, row.state) : null;
  return entered === null || !isFields(row)
    ? row
    : { event_id: row.event_id, event: signalEvent(entered), timestamp: row.occurred_at, data: row };
}
