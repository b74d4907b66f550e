// Main, core: chooses the event after which the service's list is read.
// While a stream is unbroken, its contiguous numbers advance the cursor. After a break, the service may have
// a new log whose numbers fit by chance, so reading begins at the last event with a proven position.
import type { Ledger } from '../ledger/ledger.ts';

export interface Anchor {
  /** The event after which the list is read; null: from its oldest. */
  from(): string | null;
  /** The list does not join the ledger: read everything. */
  doubt(): void;
  /** The service does not know the event: read everything. */
  forget(): void;
  /** The stream broke: its numbers no longer prove later events. */
  broken(): void;
  /** The list was read to its end over an open stream. */
  whole(): void;
}

export function createAnchor(ledger: Pick<Ledger, 'cursor' | 'cursorBefore' | 'metadata'>): Anchor {
  const { metadata } = ledger;
  let isWhole = false;
  const provenEvent = (): string | null => {
    const event = metadata.get('proven_event');
    if (event === null) return ledger.cursor().eventId;
    return event === '' ? null : event;
  };
  /**
   * Stores the last event but one, so that the last is listed again: its number reveals a log with new
   * numbers.
   */
  const keep = (): void => {
    const before = ledger.cursorBefore();
    if (before !== undefined) metadata.set('proven_event', before ?? '');
  };
  return {
    from: () => (isWhole ? ledger.cursor().eventId : provenEvent()),
    doubt() {
      isWhole = false;
      metadata.set('proven_event', '');
    },
    forget: () => metadata.set('proven_event', ''),
    broken() {
      if (isWhole) keep();
      isWhole = false;
    },
    whole() {
      isWhole = true;
      keep();
    },
  };
}
