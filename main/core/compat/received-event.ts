// Main, core: an event in the ledger's format, from any source and any spelling.
import type { Transition } from '../../../shared/wire/records.ts';

/**
 * id: it had none, and its id is a hash of its content. time, class, from: it had no time, no class, no
 * previous state.
 */
export type Assumption = 'id' | 'time' | 'class' | 'from';

export interface ReceivedEvent {
  readonly eventId: string;
  /** Position in the service's log; null where the service does not number. */
  readonly seq: number | null;
  /** The service's name for it; an unknown name is data, not an error. */
  readonly event: string;
  /** World time, ms since the epoch. */
  readonly occurredAt: number;
  /** Null for events without a symbol. */
  readonly symbol: string | null;
  /** For signal.*: the complete change of state. */
  readonly transition: Transition | null;
  /** The original text. */
  readonly body: string;
  /** Values that the reader assumed. */
  readonly assumptions: readonly Assumption[];
}

export type ArrivalSource = 'stream' | 'backfill' | 'relay' | 'poll';
