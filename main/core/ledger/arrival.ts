// Main, core: types of an arrival of events, of the decision about each, and of the ingest result.
import type { Message } from '../../../shared/text/message.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import type { NewNotification } from './notifications.ts';

/** The decision of the rules about a new event. */
export interface Decision {
  /** Code of the decision: "matched:high-risk". null: the event has no state, and no rule selects it. */
  readonly reason: string | null;
  /** Explanation for the trace; null: the code is enough. */
  readonly why: Message | null;
  readonly notification: NewNotification | null;
  /** Mutes that the event ends. */
  readonly ends: readonly { readonly id: number; readonly why: string }[];
}
export type Evaluator = (event: ReceivedEvent, source: ArrivalSource) => Decision;

export interface Arrival {
  readonly source: ArrivalSource;
  readonly events: readonly ReceivedEvent[];
  /** This computer's clock, ms. */
  readonly receivedAt: number;
  readonly evaluate: Evaluator;
  /** Returns a corrected event where the date is impossible. */
  readonly checkDate?: (event: ReceivedEvent) => ReceivedEvent;
  /** Proof of authenticity, as text: "signature verified". */
  readonly proof?: string;
  /**
   * Set for a page of the service's list: id of the event directly before the page; null: the page begins
   * with the oldest event.
   */
  readonly after?: string | null;
}

export interface IngestResult {
  readonly added: readonly { readonly ledgerId: number; readonly event: ReceivedEvent }[];
  /** Ledger ids of known events that a further source repeated. */
  readonly merged: readonly number[];
  /** An event is pending beyond a hole: back-fill is due. */
  readonly hasPending: boolean;
  /** The events contradict the known log: the service has a new one. */
  readonly replaced: boolean;
  /** A gap row was written. */
  readonly gaps: boolean;
  /** A notification waits for its group, or a mute ended, which may release some. */
  readonly waits: boolean;
}
