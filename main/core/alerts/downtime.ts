// Main, core: keeps the summary of a downtime, or of a time without an open window.
// A downtime lasts until every event was fetched. A further absence extends a summary that nobody has seen.

import type { Downtime } from '../../../shared/channels/alerting.ts';
import type { Gap } from '../../../shared/channels/state.ts';
import type { State } from '../../../shared/domain/states.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import type { IngestResult } from '../ledger/arrival.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { messageColumn, readMessageColumn } from '../ledger/message-column.ts';

export interface DowntimeSummary {
  /**
   * Call once every event was fetched. @param gaps those that were open until then. @param until world time,
   * ISO.
   * @returns whether there is a summary now
   */
  ended(gaps: readonly Gap[], until: string): boolean;
  /** Adds a time without an open window in which alerts came and went, ms of the world's clock. */
  absent(from: number, until: number): void;
  acknowledge(): void;
  /** Events were recorded: late ones may change the summary. */
  added(events: IngestResult['added']): void;
  /** The events have new ledger ids. */
  renumbered(): void;
  read(): Downtime | null;
}

/** A shorter downtime has no summary, ms of the world's clock. */
const SHORTEST = 60_000;
const MOST = 20_000;
const MAX_IDS_PER_SYMBOL = 50;

type SymbolChange = Downtime['symbols'][number];

/** World time, whole seconds; the end is not included. */
type Interval = readonly [number, number];

export function createDowntimeSummary(
  ledger: Pick<Ledger, 'metadata' | 'entries' | 'transaction'>,
  isWatched: (symbol: string) => boolean,
): DowntimeSummary {
  const { metadata } = ledger;
  /** The last summary: windows request it with every change of the queue, and only late events change it. */
  let cached: {
    readonly from: string;
    readonly until: string;
    readonly interval: Interval;
    readonly symbols: readonly SymbolChange[];
  } | null = null;
  const summarize = (from: string, until: string): NonNullable<typeof cached> => {
    const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);
    const interval: Interval = [seconds(from), seconds(until) + 1];
    return { from, until, interval, symbols: symbolsWithin(ledger.entries, interval) };
  };
  const write = (from: string, until: string, cause: Message): void => {
    const before = metadata.get('downtime_from');
    const isUnread = before !== null && before !== '';
    ledger.transaction(() => {
      metadata.set('downtime_from', isUnread && before < from ? before : from);
      metadata.set('downtime_until', until);
      // A time without data is a graver cause than one without a window.
      if (!isUnread || cause.code !== 'downtime.no_window') metadata.set('downtime_cause', messageColumn(cause));
    });
  };
  return {
    ended(gaps, until) {
      const [longest] = gaps
        .filter(({ from, closed }) => !closed && Date.parse(until) - Date.parse(from) >= SHORTEST)
        .sort((a, b) => a.from.localeCompare(b.from));
      if (longest === undefined) return false;
      write(longest.from, until, longest.cause);
      return true;
    },
    absent: (from, until) => write(timestamp(from), timestamp(until), message('downtime.no_window')),
    acknowledge: () => metadata.set('downtime_from', ''),
    added(events) {
      if (cached === null) return;
      const [from, to] = cached.interval;
      if (events.some(({ event: { occurredAt } }) => occurredAt >= from * 1000 && occurredAt < to * 1000))
        cached = null;
    },
    renumbered() {
      cached = null;
    },
    read() {
      const [from, until, cause] = [
        metadata.get('downtime_from'),
        metadata.get('downtime_until'),
        metadata.get('downtime_cause'),
      ];
      if (from === null || from === '' || until === null) return null;
      if (cached?.from !== from || cached.until !== until) cached = summarize(from, until);
      const symbols = cached.symbols.filter(({ symbol }) => isWatched(symbol));
      return { from, until, cause: readMessageColumn(cause ?? ''), symbols };
    },
  };
}

/** Summarises each symbol's transitions in the interval, the gravest symbol first. */
function symbolsWithin(entries: Pick<Ledger['entries'], 'signalsBetween'>, [from, to]: Interval): SymbolChange[] {
  const bySymbol = new Map<string, { readonly id: number; readonly transition: Transition }[]>();
  for (const row of entries.signalsBetween(from, to, MOST)) {
    const { transition } = row;
    if (transition === null) continue;
    const own = bySymbol.get(transition.symbol) ?? [];
    own.push({ id: row.ledger_id, transition });
    bySymbol.set(transition.symbol, own);
  }
  return [...bySymbol]
    .flatMap(([symbol, changes]): SymbolChange[] => {
      const [first, last] = [changes[0], changes.at(-1)];
      if (first === undefined || last === undefined) return [];
      const states = changes.map(({ transition }) => transition.to_state);
      return [
        {
          symbol,
          from_state: first.transition.from_state,
          to_state: last.transition.to_state,
          peak_state: Math.max(first.transition.from_state, ...states) as State,
          changes: changes.length,
          ledger_ids: changes.slice(-MAX_IDS_PER_SYMBOL).map(({ id }) => id),
        },
      ];
    })
    .sort((a, b) => b.peak_state - a.peak_state || b.to_state - a.to_state || a.symbol.localeCompare(b.symbol));
}
