// Main, core: reads the data of a symbol's chart: history, and all known transitions.

import type { Client, Page } from '../../../client/client.ts';
import type { Timeline, TimelineList } from '../../../shared/channels/queries.ts';
import { chunked } from '../../../shared/lib/chunked.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { HistoryPointSchema, PriceHoleSchema, type Transition } from '../../../shared/wire/records.ts';
import type { Memory } from '../archive/memory.ts';
import { normalizeHistoryPoint, normalizeHole } from '../compat/normalize.ts';
import { readEvent } from '../compat/read-event.ts';
import { rowEvent } from '../compat/record-fields.ts';
import { cannotShow, NotCoveredError } from '../compat/refusals.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import type { Ledger } from '../ledger/ledger.ts';

export interface TimelineOptions {
  readonly client: Pick<Client, 'page'>;
  /** False: no request may be sent; the ledger answers alone. */
  readonly mayAsk: () => boolean;
  readonly ledger: Pick<Ledger, 'entries'>;
  /** World time, ms. */
  readonly now: () => number;
  /** The cached points, shown when the service does not answer. */
  readonly memory: Pick<Memory, 'keepHistory' | 'history'>;
  readonly vocabulary: Vocabulary;
}

/** The reach of the service's history (docs/contract.md), ms. */
const DEPTH = 91 * DAY_MS;
const MAX_TRANSITIONS = 2_000;
const PAGE_ROWS = 100;

/** Symbols whose history is requested at once. */
const AT_ONCE = 5;

export interface TimelineReader {
  /** @throws RefusedError with the service's message when no point of the symbol is known */
  one(symbol: string): Promise<Timeline>;
  /** By one request: without transitions that the service alone knows. Else as `one`. */
  brief(symbol: string): Promise<Timeline>;
  /** Leaves out symbols of which no point is known. @throws RefusedError likewise, of the first, when all are */
  many(symbols: readonly string[]): Promise<TimelineList>;
}

export function createTimelineReader(options: TimelineOptions): TimelineReader {
  return {
    async one(symbol) {
      const since = options.now() - DEPTH;
      const [read, listed] = await Promise.all([
        readDays(options, symbol, since),
        readTransitions(options, symbol, since),
      ]);
      return timelineOf(options, read, listed, since);
    },
    async brief(symbol) {
      const since = options.now() - DEPTH;
      return timelineOf(options, await readDays(options, symbol, since), [], since);
    },
    async many(symbols) {
      const since = options.now() - DEPTH;
      const reading = readTransitions(options, undefined, since);
      const read: Days[] = [];
      let refused: unknown = null;
      // A service that answers none of several is not asked for the others: the archive may have them.
      let isDown = false;
      const asking = { ...options, mayAsk: () => !isDown && options.mayAsk() };
      for (const part of chunked(symbols, AT_ONCE)) {
        const answers = await Promise.allSettled(part.map((symbol) => readDays(asking, symbol, since)));
        for (const one of answers)
          if (one.status === 'fulfilled') read.push(one.value);
          else refused ??= one.reason;
        isDown ||= answers.every((one) => one.status === 'rejected' && !(one.reason instanceof NotCoveredError));
      }
      const listed = await reading;
      if (read.length === 0) throw refused;
      return { timelines: read.map((days) => timelineOf(options, days, listed, since)) };
    },
  };
}

type Days = Omit<Timeline, 'transitions'>;

/** @throws RefusedError: an empty chart would claim that the service has no history */
async function readDays(
  { client, mayAsk, memory, vocabulary }: TimelineOptions,
  symbol: string,
  since: number,
): Promise<Days> {
  const history = mayAsk() ? await client.page('history', { query: { symbol, limit: 100 } }) : null;
  const received = history?.ok === true ? history.value.rows.flatMap((row) => pointOf(vocabulary.row(row))) : null;
  if (received !== null) memory.keepHistory(symbol, received);
  const isUnknown =
    history?.ok === false && (history.error.kind === 'not_covered' || history.error.kind === 'not_found');
  const cached = received === null && !isUnknown ? memory.history(symbol, timestamp(since)) : null;
  const points = received ?? cached?.points;
  if (points === undefined)
    throw cannotShow(message('data.history', { symbol }), symbol, history?.ok === false ? history.error : null);
  return {
    symbol,
    points,
    ...(history?.ok === true ? holesOf(history.value.fields?.price_holes) : {}),
    ...(cached === null ? {} : { cached_at: cached.cachedAt }),
  };
}

/** The days with the transitions of their symbol, those of the ledger first. */
function timelineOf({ ledger }: TimelineOptions, days: Days, listed: readonly Transition[], since: number): Timeline {
  const { symbol } = days;
  const own = ledger.entries
    .signalsOf(symbol, Math.floor(since / 1000), MAX_TRANSITIONS)
    .flatMap((row) => row.transition ?? []);
  return {
    ...days,
    transitions: mergeTransitions(
      own,
      listed.filter((one) => one.symbol === symbol),
    ),
  };
}

/**
 * Reads newest first, page by page. A page that fails ends the list.
 * @param symbol undefined: of all symbols
 */
async function readTransitions(
  { client, mayAsk, now, vocabulary }: TimelineOptions,
  symbol: string | undefined,
  since: number,
): Promise<Transition[]> {
  const rows: unknown[] = [];
  const first = { ...(symbol === undefined ? {} : { symbol }), limit: PAGE_ROWS, from: timestamp(since) };
  for (let after: string | null = null; mayAsk() && rows.length < MAX_TRANSITIONS; ) {
    const answer = await client.page('alertTransitions', {
      query: after === null ? first : { ...first, after },
    });
    if (!answer.ok) break;
    const page: Page = answer.value;
    rows.push(...page.rows);
    after = page.nextCursor;
    if (!page.hasMore || after === null || page.rows.length === 0) break;
  }
  return rows.flatMap((row) => {
    const read = readEvent(rowEvent(row), { receivedAt: now(), vocabulary });
    // Without its time, it has no place on the axis.
    return read.ok && read.value.transition !== null && !read.value.assumptions.includes('time')
      ? [read.value.transition]
      : [];
  });
}

/** A row of the history; empty if it is none. */
export function pointOf(row: unknown): Timeline['points'] {
  const point = HistoryPointSchema.safeParse(normalizeHistoryPoint(row)).data;
  if (point === undefined) return [];
  const { timestamp: at, price, state, regime, confidence, open, high, low, volume } = point;
  const { confidence_of, base_rate, breach_level, breach_progress } = point;
  const claim = { confidence_of, base_rate, breach_level, breach_progress };
  const range = open === undefined || high === undefined || low === undefined ? {} : { open, high, low };
  return [{ at, price, state, regime, confidence, ...claim, ...range, ...(volume !== undefined && { volume }) }];
}

function holesOf(rows: unknown): Pick<Timeline, 'holes'> {
  const holes = (Array.isArray(rows) ? rows : []).flatMap(
    (row: unknown) => PriceHoleSchema.safeParse(normalizeHole(row)).data ?? [],
  );
  return holes.length === 0 ? {} : { holes: holes.map(({ from, to, reason }) => ({ from, to, reason })) };
}

/** Merges transitions by id, else by the second key (docs/contract.md, "Identity"). Oldest first. */
function mergeTransitions(own: readonly Transition[], listed: readonly Transition[]): Transition[] {
  const merged = new Map<string, Transition>();
  const ids = new Set(own.map((one) => one.event_id));
  const secondKey = (one: Transition): string => `${one.to_state} ${one.occurred_at.slice(0, 19)}`;
  for (const one of listed) if (!ids.has(one.event_id)) merged.set(secondKey(one), one);
  for (const one of own) merged.delete(secondKey(one));
  return [...merged.values(), ...own].sort((a, b) => a.occurred_at.localeCompare(b.occurred_at));
}
