// Main, core: an event in the ledger's format, from any source and any spelling.
import type { Crossing } from '../../../shared/settings/price-conditions.ts';
import type { Message } from '../../../shared/text/message.ts';
import type { Transition } from '../../../shared/wire/records.ts';

/**
 * id: it had none, and its id is a hash of its content. time, class, from: it had no time, no class, no
 * previous state. size: it was too large, and its texts are shortened. unreadable: only its name and id are
 * known. reused: its id was another event's before. date: its date cannot be, and it has the time of its
 * arrival.
 */
export type Assumption = 'id' | 'time' | 'class' | 'from' | 'size' | 'unreadable' | 'reused' | 'date';

/** What rules and texts use of an event that is no transition. */
export interface EventAttributes {
  readonly confidence: number | null;
  /** The regime entered. */
  readonly regime: string | null;
  /** Of a model. */
  readonly version: string | null;
  /** Of a briefing: its type and title. */
  readonly type: string | null;
  readonly title: string | null;
}

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
  /** For every other event. */
  readonly attributes: EventAttributes | null;
  /** A price that met the condition of a rule: the core made this event. */
  readonly crossing?: Crossing;
  /** The original text. */
  readonly body: string;
  /** Values that the reader assumed. */
  readonly assumptions: readonly Assumption[];
  /** What is wrong with it, for the user: the ledger records it as a gap. */
  readonly problem?: Message;
}

export type ArrivalSource = 'stream' | 'backfill' | 'relay' | 'poll';
