// Main, core: an event as the ledger takes it, whoever brought it and however it was spelt.
import type { Transition } from '../../../shared/wire/records.ts';

/** id: it came without one, and its id is a hash of its content. time, class, from: it did not say when, of which class, from which state. */
export type Assumption = 'id' | 'time' | 'class' | 'from';

export interface ReceivedEvent {
  readonly eventId: string;
  /** Position in the service's log; null where the service numbers nothing. */
  readonly seq: number | null;
  /** Name as the service gave it; a name we do not know is data, not an error. */
  readonly event: string;
  /** World time, ms since the epoch. */
  readonly occurredAt: number;
  /** What it is about, null for events without a symbol. */
  readonly symbol: string | null;
  /** For signal.*: the change of state, complete. */
  readonly transition: Transition | null;
  /** The text as it came. */
  readonly body: string;
  /** What had to be assumed while reading it. */
  readonly assumptions: readonly Assumption[];
}

export type ArrivalSource = 'stream' | 'backfill' | 'relay' | 'poll';
