// Main, core: reads the data of a symbol's chart: history, and all known transitions.

import type { Client, Page } from '../../../client/client.ts';
import type { Timeline } from '../../../shared/channels/queries.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { HistoryPointSchema, PriceHoleSchema, type Transition } from '../../../shared/wire/records.ts';
import type { Memory } from '../archive/memory.ts';
import { normalizeHistoryPoint, normalizeHole } from '../compat/normalize.ts';
import { readEvent } from '../compat/read-event.ts';
import { rowEvent } from '../compat/record-fields.ts';
import { cannotShow } from '../compat/refusals.ts';
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

/** @returns the reader; it refuses with the service's message when no point of the symbol is known */
export function createTimelineReader({
  client,
  mayAsk,
  ledger,
  now,
  memory,
  vocabulary,
}: TimelineOptions): (symbol: string) => Promise<Timeline> {
  return async (symbol) => {
    const since = now() - DEPTH;
    const own = ledger.entries
      .signalsOf(symbol, Math.floor(since / 1000), MAX_TRANSITIONS)
      .flatMap((row) => row.transition ?? []);
    const [history, transitions] = mayAsk()
      ? await Promise.all([
          client.page('history', { query: { symbol, limit: 100 } }),
          readTransitions(client, symbol, since),
        ])
      : [null, []];
    const received = history?.ok === true ? history.value.rows.flatMap((row) => pointOf(vocabulary.row(row))) : null;
    if (received !== null) memory.keepHistory(symbol, received);
    const isUnknown =
      history?.ok === false && (history.error.kind === 'not_covered' || history.error.kind === 'not_found');
    const cached = received === null && !isUnknown ? memory.history(symbol, timestamp(since)) : null;
    const points = received ?? cached?.points;
    // An empty chart would claim that the service has no history.
    if (points === undefined)
      throw cannotShow(message('data.history', { symbol }), symbol, history?.ok === false ? history.error : null);
    const listed = transitions.flatMap((row) => {
      const read = readEvent(rowEvent(row), { receivedAt: now(), vocabulary });
      // Without its time, it has no place on the axis.
      return read.ok && read.value.transition !== null && !read.value.assumptions.includes('time')
        ? [read.value.transition]
        : [];
    });
    return {
      symbol,
      points,
      transitions: mergeTransitions(
        own,
        listed.filter((one) => one.symbol === symbol),
      ),
      ...(history?.ok === true ? holesOf(history.value.fields?.price_holes) : {}),
      ...(cached === null ? {} : { cached_at: cached.cachedAt }),
    };
  };
}

/** Reads newest first, page by page. A page that fails ends the list. */
async function readTransitions(client: Pick<Client, 'page'>, symbol: string, since: number): Promise<unknown[]> {
  const rows: unknown[] = [];
  const first = { symbol, limit: PAGE_ROWS, from: timestamp(since) };
  for (let after: string | null = null; rows.length < MAX_TRANSITIONS; ) {
    const answer = await client.page('alertTransitions', {
      query: after === null ? first : { ...first, after },
    });
    if (!answer.ok) break;
    const page: Page = answer.value;
    rows.push(...page.rows);
    after = page.nextCursor;
    if (!page.hasMore || after === null || page.rows.length === 0) break;
  }
  return rows;
}

function pointOf(row: unknown): Timeline['points'] {
  const point = HistoryPointSchema.safeParse(normalizeHistoryPoint(row)).data;
  if (point === undefined) return [];
  const { timestamp: at, price, state, regime, confidence, open, high, low, volume } = point;
  const range = open === undefined || high === undefined || low === undefined ? {} : { open, high, low };
  return [{ at, price, state, regime, confidence, ...range, ...(volume !== undefined && { volume }) }];
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
