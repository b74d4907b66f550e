// Main, core: from where the service's list has to be read again.
// While a stream is whole, its contiguous numbers carry the cursor on. Once it broke, the log behind it may be another
// one with numbers that happen to fit, so reading begins at the last event that was surely in place.
import type { Ledger } from '../ledger/ledger.ts';

export interface Anchor {
  /** The event after which the list is to be read; null: from its oldest. */
  from(): string | null;
  /** What is known and what is listed do not join up: everything has to be read. */
  doubt(): void;
  /** The service does not know that event: everything has to be read. */
  forget(): void;
  /** The stream broke: what comes from now on is not proven by its numbers. */
  broken(): void;
  /** The list was read to its end over a stream that is open. */
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
  /** One before the last: the last is then listed again, with its number, and a log that numbers again gives itself away. */
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
