// Main, core: entries of the ledger as the windows see them.
import { type Alert, AlertSchema } from '../../../shared/channels/state.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import { readEvent } from '../dialect/read-event.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Told } from '../ledger/tellings.ts';

const InletsSchema = AlertSchema.shape.inlets;

/** The transition of a signal.* entry, read again from the text as it came; null when it is none. */
export function transitionOf(row: EntryRow): Transition | null {
  const event = readEvent(JSON.parse(row.body), { name: row.event, id: row.event_id, receivedAt: row.received_ms });
  if (!event.ok || event.value.transition === null) return null;
  return { ...event.value.transition, event_id: row.event_id };
}

export function alertOf(
  row: EntryRow,
  ledger: Pick<Ledger, 'tellings' | 'marks'>,
  isWatched: (symbol: string) => boolean,
): Alert | null {
  const transition = transitionOf(row);
  if (transition === null) return null;
  const { ackedAt, note } = ledger.marks.of(row.ledger_id);
  const tellings = ledger.tellings.of(row.ledger_id);
  return {
    transition,
    ledger_id: row.ledger_id,
    inlets: InletsSchema.parse(row.inlets.split(',')),
    received_at: timestamp(row.received_ms),
    watched: isWatched(transition.symbol),
    // Most entries were never told of.
    handover: tellings.length === 0 ? null : ledger.tellings.handover(row.ledger_id),
    ...standingOf(tellings),
    decision: row.decision,
    acked_at: ackedAt === null ? null : timestamp(ackedAt),
    note,
  };
}

const TOLD = ['intent', 'failed', 'shown', 'in_app', 'digest'];

/** On the desktop, alone or by name in a digest. */
export const wasTold = (own: readonly Told[]): boolean =>
  own.some(({ outlet, outcome }) => outlet === 'desktop' && TOLD.includes(outcome));

function standingOf(own: readonly Told[]): Pick<Alert, 'telling' | 'reason'> {
  if (wasTold(own)) return { telling: 'told', reason: '' };
  const last = own.findLast(({ outlet }) => outlet === 'desktop');
  if (last === undefined) return { telling: 'none', reason: '' };
  return { telling: last.outcome === 'dropped' ? 'dropped' : 'waiting', reason: last.reason };
}
