// Main, core: whether what an event said still stands: what its symbol did after it, by the world's time and the log's order.
import type { EntryRow, EntryStore } from './entries.ts';

/** Changes after it that are read, at most; the first and the last of them are what matters. */
const MOST = 2_000;

/** Transitions of the same symbol after this one, oldest first. Empty: it stands. An event without a symbol always stands. */
export function laterChanges(
  { entries }: { readonly entries: Pick<EntryStore, 'signalsOf'> },
  row: EntryRow,
): EntryRow[] {
  if (row.symbol === null || row.to_state === null) return [];
  return entries.signalsOf(row.symbol, row.occurred_s, MOST).filter((other) => isLater(other, row));
}

/** So many are read at first: those of the same second, and the next. */
const FEW = 8;

/** The first of them: how it ended. Undefined: it stands. */
export function nextChange(
  { entries }: { readonly entries: Pick<EntryStore, 'signalsWithin'> },
  row: EntryRow,
): EntryRow | undefined {
  if (row.symbol === null || row.to_state === null) return undefined;
  for (const limit of [FEW, MOST]) {
    const read = entries.signalsWithin(row.symbol, row.occurred_s, Number.MAX_SAFE_INTEGER, limit);
    const next = read.find((other) => isLater(other, row));
    if (next !== undefined || read.length < limit) return next;
  }
  return undefined;
}

function isLater(a: EntryRow, b: EntryRow): boolean {
  // The service's numbers decide, also where its clock was set back meanwhile; where it has none, the times; within one second the order of arrival has to do.
  if (a.log === b.log && a.seq !== null && b.seq !== null) return a.seq > b.seq;
  return a.occurred_s === b.occurred_s ? a.ledger_id > b.ledger_id : a.occurred_s > b.occurred_s;
}
