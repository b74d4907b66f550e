// Main, core: what the ledger records in one transaction, and what it answers.
import type { Message } from '../../../shared/text/message.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import type { NewNotification } from './notifications.ts';

/** The decision of the rules about a new event. */
export interface Decision {
  /** Code of the decision: "matched:high-risk". null for an event without a state that no rule selects. */
  readonly reason: string | null;
  /** Explanation, kept in the trace; null: the code is enough. */
  readonly why: Message | null;
  readonly notification: NewNotification | null;
  /** Rules with a channel besides the desktop; used when the notification is dispatched at once. */
  readonly channels: readonly string[];
  /** Mutes that it ends. */
  readonly ends: readonly { readonly id: number; readonly why: string }[];
}
export type Evaluator = (event: ReceivedEvent, source: ArrivalSource) => Decision;

export interface Arrival {
  readonly source: ArrivalSource;
  readonly events: readonly ReceivedEvent[];
  /** This computer's clock, ms. */
  readonly receivedAt: number;
  readonly evaluate: Evaluator;
  /** Returns another event where the date cannot be. */
  readonly checkDate?: (event: ReceivedEvent) => ReceivedEvent;
  /** Proof of authenticity, as text: "signature verified". */
  readonly proof?: string;
  /**
   * Set for a page of the service's list: the event that the page follows directly; null: it begins with the
   * oldest.
   */
  readonly after?: string | null;
}

export interface IngestResult {
  readonly added: readonly { readonly ledgerId: number; readonly event: ReceivedEvent }[];
  /** Ledger ids of known events that a further source repeated. */
  readonly merged: readonly number[];
  /** An event arrived beyond a hole: back-fill is due. */
  readonly hasPending: boolean;
  /** The log contradicts what is known of it: it is another log now. */
  readonly replaced: boolean;
  /** A gap row was written. */
  readonly gaps: boolean;
  /** Notifications to dispatch now. */
  readonly dispatchCount: number;
  /** Notifications that are queued, or were and may be dispatched now. */
  readonly waits: boolean;
}
