// Main, core: the type of an event in the ledger's format, from any source and any spelling.

import type { RecordedTransition } from '../../../shared/channels/state.ts';
import type { Breadth } from '../../../shared/settings/breadth-conditions.ts';
import type { ForeignAlert } from '../../../shared/settings/foreign-alerts.ts';
import type { Crossing } from '../../../shared/settings/price-conditions.ts';
import type { Message } from '../../../shared/text/message.ts';

/**
 * id: no id; a hash of its content is the id. time, class, from: no time, no class, no previous state. size:
 * too large; its texts are shortened. unreadable: only name and id are known. reused: its id belonged to
 * another event before. date: an impossible date; the time is that of its arrival. state: made from the state
 * of a signal, before its event was read, if the log has it. listed: made so because no event announced it.
 */
export type Assumption =
  | 'id'
  | 'time'
  | 'class'
  | 'from'
  | 'size'
  | 'unreadable'
  | 'reused'
  | 'date'
  | 'state'
  | 'listed';

/** Values of an event without a transition, for rules and texts. */
export interface EventAttributes {
  readonly confidence: number | null;
  /** The regime entered. */
  readonly regime: string | null;
  /** Version of a model. */
  readonly version: string | null;
  /** Type and title of a briefing. */
  readonly type: string | null;
  readonly title: string | null;
}

export interface ReceivedEvent {
  readonly eventId: string;
  /** Position in the service's log; null: the service does not number its events. */
  readonly seq: number | null;
  /** The service's name; an unknown name is data, not an error. */
  readonly event: string;
  /** World time, ms since the epoch. */
  readonly occurredAt: number;
  /** Null for events without a symbol. */
  readonly symbol: string | null;
  /** For signal.*: the complete change of state. */
  readonly transition: RecordedTransition | null;
  /** For every other event: its attributes. */
  readonly attributes: EventAttributes | null;
  /** Set for a price that met the condition of a rule: the core creates such events. */
  readonly crossing?: Crossing;
  /** Set for an alert of another program: the core creates such events. */
  readonly foreign?: ForeignAlert;
  /** Set for the share of a list that met the condition of a rule, or did no longer: the core creates such events. */
  readonly breadth?: Breadth;
  /** The original text. */
  readonly body: string;
  /** Values that the reader assumed. */
  readonly assumptions: readonly Assumption[];
  /** Problem of the event, for the user: the ledger records it as a gap. */
  readonly problem?: Message;
}

export type ArrivalSource = 'stream' | 'backfill' | 'relay' | 'poll' | 'foreign';
