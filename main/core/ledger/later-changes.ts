// Main, core: finds the transitions after an event, which show whether its state is still current.
import { BREADTH_ENDED } from '../../../shared/settings/core-events.ts';
import type { EntryRow, EntryStore } from './entries.ts';

/** Most later transitions that are read; only the first and the last matter. */
const MOST = 2_000;

/**
 * Transitions of the same symbol after this one, oldest first; of the share of a list, what its condition did next.
 * Empty: the state is current, as always for any other event.
 */
export function laterChanges(
  { entries }: { readonly entries: Pick<EntryStore, 'signalsOf' | 'nextBreadth'> },
  row: EntryRow,
): EntryRow[] {
  if (row.breadth !== undefined) return [entries.nextBreadth(row) ?? []].flat();
  if (row.symbol === null || row.to_state === null) return [];
  return entries.signalsOf(row.symbol, row.occurred_s, MOST).filter((other) => isLater(other, row));
}

/** Rows read at first: usually enough for the same second and the next transition. */
const FEW = 8;

/** The first later transition. Undefined: the state is current. */
export function nextChange(
  { entries }: { readonly entries: Pick<EntryStore, 'signalsWithin' | 'nextBreadth'> },
  row: EntryRow,
): EntryRow | undefined {
  if (row.breadth !== undefined) return entries.nextBreadth(row);
  if (row.symbol === null || row.to_state === null) return undefined;
  for (const limit of [FEW, MOST]) {
    const read = entries.signalsWithin(row.symbol, row.occurred_s, Number.MAX_SAFE_INTEGER, limit);
    const next = read.find((other) => isLater(other, row));
    if (next !== undefined || read.length < limit) return next;
  }
  return undefined;
}

/** True for an event with which an alert is over. */
export const isEnd = ({ event, transition, to_state = transition?.to_state }: EndingEvent): boolean =>
  to_state === 0 || event === BREADTH_ENDED;
interface EndingEvent extends Pick<EntryRow, 'event'> {
  readonly transition: { readonly to_state: number } | null;
  readonly to_state?: number | null;
}

function isLater(a: EntryRow, b: EntryRow): boolean {
  // The service's numbers decide, even when its clock was set back; without numbers the times decide, and
  // within one second the order of arrival.
  if (a.log === b.log && a.seq !== null && b.seq !== null) return a.seq > b.seq;
  return a.occurred_s === b.occurred_s ? a.ledger_id > b.ledger_id : a.occurred_s > b.occurred_s;
}
