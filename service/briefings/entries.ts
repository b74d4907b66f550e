// Service, briefings: groups the funds and indices that entered High Risk together.
import { ordinalOf } from '../signals/event-id.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import { FUNDS } from './context.ts';
import type { Entry } from './transition.ts';

export interface EntryGroup {
  /** World ms. */
  readonly at: number;
  /** Ordinal of the last event within its millisecond. */
  readonly ordinal: number;
  readonly entries: readonly Entry[];
}

/** By world ms, in the order of the events. */
export function entriesOf(events: readonly LoggedEvent[]): EntryGroup[] {
  const groups = new Map<number, EntryGroup>();
  for (const { envelope } of events) {
    if (envelope.event !== 'signal.high_risk' || !FUNDS.includes(envelope.data.asset_class)) continue;
    const at = Date.parse(envelope.timestamp);
    const entries = [...(groups.get(at)?.entries ?? []), envelope.data].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
    groups.set(at, { at, ordinal: ordinalOf(envelope.event_id), entries });
  }
  return [...groups.values()];
}
