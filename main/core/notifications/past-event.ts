// Main, core: rebuilds the rules' context of a past event in the ledger.
import { sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import { signalEvent } from '../../../shared/wire/events.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import { readEvent } from '../compat/read-event.ts';
import type { EntryRow } from '../ledger/entries.ts';
import { attributesOf } from './event-attributes.ts';
import type { RuleContext } from './rules.ts';

export interface WatchedSymbols {
  isWatched(symbol: string): boolean;
  /** Ids of the watchlists that have the symbol. */
  listsOf(symbol: string): readonly string[];
}

export interface PastEventOptions {
  readonly environment: 'sandbox' | 'production';
  readonly watch: WatchedSymbols;
}

export interface PastEvent {
  readonly context: RuleContext;
  readonly transition: Transition | null;
}

/** @returns null where the entry is unreadable; uses the current watchlists */
export function pastEventOf(row: EntryRow, { environment, watch }: PastEventOptions): PastEvent | null {
  const read = readEvent(JSON.parse(row.body), { name: row.event, id: row.event_id, receivedAt: row.received_ms });
  if (!read.ok) return null;
  const { transition } = read.value;
  const at = row.occurred_s * 1000;
  return {
    transition,
    context: {
      event: transition === null ? row.event : signalEvent(transition.to_state),
      symbol: row.symbol,
      toState: transition?.to_state ?? null,
      ...attributesOf(read.value),
      at,
      now: at,
      calendar: sessionCalendarOf(transition?.asset_class ?? 'etf', environment),
      watched: row.symbol !== null && watch.isWatched(row.symbol),
      lists: row.symbol === null ? [] : watch.listsOf(row.symbol),
    },
  };
}
