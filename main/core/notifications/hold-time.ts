// Main, core: the time that a state must last before it is notified. Pure.
import type { EntryRow } from '../ledger/entries.ts';

export const holdBatch = (seconds: number, eventId: string): string => `hold:${seconds}:${eventId}`;

/** Parses "hold:SECONDS:EVENT": the time that the state must hold, ms; null for any other batch. */
export function holdTimeOf(batch: string): number | null {
  const [kind, seconds] = batch.split(':');
  return kind === 'hold' ? Number(seconds) * 1000 : null;
}

/**
 * True when the state of an event lasted long enough, by the times of the events: the state of a late event
 * may have held and ended. True when one of the times is assumed, because the duration is unknown.
 * @param later changes of its symbol after the event
 * @param least ms of the world's clock
 */
export function hasHeld(entry: EntryRow, later: readonly EntryRow[], least: number): boolean {
  const state = entry.to_state;
  if (state === null) return true;
  const from = entry.transition?.from_state ?? null;
  const back = later.find(
    ({ to_state: to }) => to !== null && (from !== null && from > state ? to > state : to < state),
  );
  if (back === undefined || isDateAssumed(entry) || isDateAssumed(back)) return true;
  return (back.occurred_s - entry.occurred_s) * 1000 >= least;
}

const isDateAssumed = ({ assumptions }: EntryRow): boolean =>
  assumptions?.split(',').some((assumption) => assumption === 'date' || assumption === 'time') === true;
