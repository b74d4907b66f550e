// Main, core: reads the transition from a ledger entry. Pure.
import type { Transition } from '../../../shared/wire/records.ts';
import { readEvent } from '../compat/read-event.ts';
import type { EntryRow } from './entries.ts';

/** The transition of a signal.* entry, read from its original text; null for any other entry. */
export function transitionOf(row: EntryRow): Transition | null {
  const event = readEvent(JSON.parse(row.body), { name: row.event, id: row.event_id, receivedAt: row.received_ms });
  if (!event.ok || event.value.transition === null) return null;
  return { ...event.value.transition, event_id: row.event_id };
}
