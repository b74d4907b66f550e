// Main, core: reads pages of the service's lists as events, and an oversized page in parts.
import { BODY_LIMIT } from '../../../client/body.ts';
import { type Client, readList } from '../../../client/client.ts';
import type { ServiceProblem } from '../../../client/problem.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { parseBeginning, parseEvent } from '../compat/parse-event.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import type { Logger } from '../ports.ts';

export interface PagerDeps {
  readonly client: Pick<Client, 'page'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly vocabulary: Vocabulary;
  /** The beginnings of rows that were logged. */
  readonly warned: Set<string>;
}

/** Characters of an unreadable row in the log, and number of rows that are remembered. */
const MAX_LOGGED = 200;
const MAX_WARNED = 100;

export interface EventPage {
  /** Number of rows, also of rows that are no events. */
  readonly rows: number;
  readonly events: ReceivedEvent[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

export interface PageQuery {
  readonly after?: string;
  readonly from?: string;
}

const PAGE = 100;
/** A page that is too large is requested again with this part of its rows. */
const PART = 10;
/** Consecutive pages after which the number of rows grows again. */
const ANSWERS_BEFORE_GROWTH = 5;

/**
 * @param asEvent converts a row to an event
 * @returns the reader of one list, from page to page
 */
export function createPager(
  { client, clock, logger, vocabulary, warned }: PagerDeps,
  list: 'events' | 'alertTransitions',
  asEvent: (row: unknown) => unknown = (row) => row,
): (query: PageQuery) => Promise<Result<EventPage, ServiceProblem>> {
  let limit = PAGE;
  let answered = 0;
  /** The list may be read every two seconds, with the same row in it. */
  const warnOnce = (row: unknown): void => {
    const text = JSON.stringify(row)?.slice(0, MAX_LOGGED) ?? 'undefined';
    if (warned.has(text)) return;
    if (warned.size >= MAX_WARNED) warned.clear();
    warned.add(text);
    logger.warn({ row: text }, 'a row of the service is no event');
  };

  /** Parses rows; logs and omits rows that are no events. */
  const readRows = (rows: readonly unknown[]): ReceivedEvent[] => {
    const receivedAt = clock.now();
    return rows.flatMap((row) => {
      const event = parseEvent(asEvent(row), { receivedAt, vocabulary });
      if (event === null) warnOnce(row);
      return event ?? [];
    });
  };
  /** Parses the beginning of a page that is too large even with one row. */
  const readLarge = (beginning: string): EventPage | null => {
    const [row] = readList(parseBeginning(beginning), list)?.rows ?? [];
    const hints = { receivedAt: clock.now(), body: beginning, size: BODY_LIMIT, vocabulary };
    const event = row === undefined ? null : parseEvent(asEvent(row), hints);
    // Without its id, the list cannot be continued after it.
    if (event === null || event.assumptions.includes('id')) return null;
    return { rows: 1, events: [event], hasMore: true, nextCursor: event.eventId };
  };

  return async (query) => {
    for (;;) {
      const answer = await client.page(list, { query: { limit, ...query } });
      if (answer.ok) {
        answered += 1;
        if (answered >= ANSWERS_BEFORE_GROWTH) limit = Math.min(PAGE, limit * PART);
        const { rows, hasMore, nextCursor } = answer.value;
        return ok({ rows: rows.length, events: readRows(rows), hasMore, nextCursor });
      }
      if (answer.error.kind !== 'too_large') return answer;
      answered = 0;
      if (limit > 1) {
        limit /= PART;
        continue;
      }
      const large = list === 'events' ? readLarge(answer.error.beginning ?? '') : null;
      return large === null ? err(answer.error) : ok(large);
    }
  };
}
