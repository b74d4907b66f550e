// Main, core: the one flow of events: recorded with the decision, notified, shown, then emitted.
// Before it, sources/ and relay/ read received data by compat/read-event.ts. After it, in order:
// ledger/ledger.ts, alerts/ and notifications/, views/views.ts, views/state.ts, views/broadcaster.ts.
import type { Clock } from '../../shared/lib/clock.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { ArrivalSource, ReceivedEvent } from './compat/received-event.ts';
import type { EventBus } from './events.ts';
import { baselineAt } from './ledger/baseline.ts';
import type { Cursor } from './ledger/cursor.ts';
import type { Evaluator, IngestResult, Ledger } from './ledger/ledger.ts';
import type { Views } from './views/views.ts';

/**
 * Records the events of one source, dispatches notifications, updates rows and lists.
 * @param after set for a page of the service's list: the event that it follows
 * @param proof of authenticity, as text: "signature verified"
 * @throws when the ledger cannot be written; nothing was notified then
 */
export type Receive = (
  source: ArrivalSource,
  batch: readonly ReceivedEvent[],
  after?: string | null,
  proof?: string,
) => IngestResult;

export interface ReceiveDeps {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly notifications: {
    /** Decides by the rules; called within the transaction. */
    readonly evaluate: Evaluator;
    /** Dispatches the recorded intents, and sets the timers of queued notifications. */
    dispatch(result: IngestResult): void;
  };
  readonly views: Pick<Views, 'apply'>;
  readonly events: Pick<EventBus, 'emit' | 'signal'>;
}

export function createReceive({ clock, ledger, notifications, views, events }: ReceiveDeps): Receive {
  return (source, batch, after, proof) => {
    const receivedAt = clock.now();
    const before = ledger.cursor();
    const result = ledger.ingest({
      source,
      events: batch,
      receivedAt,
      evaluate: notifications.evaluate,
      ...(after === undefined ? {} : { after }),
      ...(proof === undefined ? {} : { proof }),
    });
    notifications.dispatch(result);
    views.apply(result, receivedAt);
    const isHole = source === 'stream' && result.hasPending && !result.replaced && wasRead(before, ledger);
    const opened = isHole && openHole(ledger, receivedAt);
    if (result.gaps || opened) events.signal('gapsChanged');
    events.emit('recorded', { ...result, source });
    return result;
  };
}

/** During the first reading of the log, the stream is ahead of it, and nothing is missing. */
const wasRead = (before: Cursor, { metadata }: Ledger): boolean => before.seq !== null && baselineAt(metadata) === null;

/** The hole begins at the cursor. */
function openHole(ledger: Ledger, otherwise: number): boolean {
  const { seq, eventId } = ledger.cursor();
  const from = (eventId === null ? undefined : ledger.entries.occurredAt(eventId)) ?? otherwise;
  return ledger.openGap('hole', timestamp(from), null, `The stream left something out after event ${seq}.`);
}
