// Main, core: a briefing for reading: text, states of its symbols at publication, related events.
import type { BriefingDetail } from '../../../shared/channels/archive.ts';
import { BODY_TYPES } from '../../../shared/channels/archive.ts';
import type { Row } from '../../../shared/channels/state.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { StoredBriefing } from './briefings.ts';
import type { RelatedBriefings } from './related-briefings.ts';

/** Transitions this close to its publication are related, seconds. */
const AROUND = 2 * 86_400;
const MAX_ROWS = 2_000;
const MAX_LINKED = 12;
const MAX_RELATED = 6;

type Entries = Pick<Ledger['entries'], 'signalsBetween' | 'signalBefore'>;

/**
 * @param briefing with its text
 * @param rows reads the rows as they were last received
 */
export function briefingDetailOf(
  { head, text, unread, starred, later }: StoredBriefing & { readonly text: NonNullable<StoredBriefing['text']> },
  entries: Entries,
  rows: () => readonly Row[],
  related: RelatedBriefings,
): BriefingDetail {
  const at = Date.parse(head.date);
  const seconds = Math.floor(at / 1000);
  const symbols = new Set(head.symbols);
  const around = symbols.size === 0 ? [] : entries.signalsBetween(seconds - AROUND, seconds + AROUND, MAX_ROWS);
  const about = around.filter((row) => row.symbol !== null && symbols.has(row.symbol));
  return {
    ...head,
    body: text.body,
    content_type: BODY_TYPES.find((type) => type === text.contentType) ?? 'text/plain; charset=utf-8',
    unread,
    starred,
    later,
    states_then: head.symbols.map((symbol) => ({
      symbol,
      state: stateThen(entries, about, symbol, seconds) ?? stateSince(rows(), symbol, at),
    })),
    linked: {
      transitions: about
        .toSorted(
          (a, b) => Math.abs(a.occurred_s - seconds) - Math.abs(b.occurred_s - seconds) || a.ledger_id - b.ledger_id,
        )
        .slice(0, MAX_LINKED)
        .flatMap(linkOf),
      briefings: symbols.size === 0 ? [] : related(head.symbols, at, head.id, MAX_RELATED),
    },
  };
}

/**
 * The last state entered before that instant; where the ledger begins later, the state that the next
 * transition left.
 */
function stateThen(entries: Entries, about: readonly EntryRow[], symbol: string, seconds: number): 0 | 1 | 2 | null {
  const before = entries.signalBefore(symbol, seconds);
  if (before?.transition != null) return before.transition.to_state;
  const next = about.find((row) => row.symbol === symbol && row.occurred_s > seconds);
  return next?.transition?.from_state ?? null;
}

/** The present state, where it began before that instant; a quiet symbol may have no transition in the ledger. */
function stateSince(rows: readonly Row[], symbol: string, at: number): 0 | 1 | 2 | null {
  const signal = rows.find((row) => row.symbol === symbol)?.signal ?? null;
  return signal !== null && Date.parse(signal.since ?? '') <= at ? signal.state : null;
}

function linkOf(row: EntryRow): BriefingDetail['linked']['transitions'] {
  const { transition } = row;
  if (transition === null) return [];
  return [
    { ledger_id: row.ledger_id, symbol: transition.symbol, to_state: transition.to_state, at: transition.occurred_at },
  ];
}
