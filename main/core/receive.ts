// Main, core: the one flow of events: recorded with the decision, notified, shown, then emitted.
// Before it, sources/ and relay/ read received data by compat/read-event.ts. After it, in order:
// ledger/ledger.ts, alerts/ and notifications/, views/views.ts, views/state.ts, views/broadcaster.ts.
import type { Clock } from '../../shared/lib/clock.ts';
import type { ArrivalSource, ReceivedEvent } from './compat/received-event.ts';
import { createDateCheck } from './dates.ts';
import type { EventBus } from './events.ts';
import type { Evaluator, IngestResult } from './ledger/arrival.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Views } from './views/views.ts';
import type { WorldClock } from './world-clock.ts';

/**
 * Records the events of one source, dispatches notifications, updates rows and lists.
 * @param after set for a page of the service's list: the event that it follows
 * @param proof of authenticity, as text: "signature verified"
 * @throws when neither the ledger's file nor the one in memory takes them; nothing was notified then
 */
export type Receive = (
  source: ArrivalSource,
  batch: readonly ReceivedEvent[],
  after?: string | null,
  proof?: string,
) => IngestResult;

export interface ReceiveDeps {
  readonly clock: Clock;
  readonly world: WorldClock;
  readonly ledger: Ledger;
  readonly notifications: {
    /** Decides by the rules; called within the transaction. */
    readonly evaluate: Evaluator;
    /** Dispatches the recorded notifications, and sets the timers of queued notifications. */
    dispatch(result: IngestResult): void;
  };
  readonly views: Pick<Views, 'apply'>;
  readonly events: Pick<EventBus, 'emit' | 'signal'>;
}

export function createReceive({ clock, world, ledger, notifications, views, events }: ReceiveDeps): Receive {
  return (source, batch, after, proof) => {
    const receivedAt = clock.now();
    const result = ledger.ingest({
      source,
      events: batch,
      receivedAt,
      evaluate: notifications.evaluate,
      checkDate: createDateCheck({ world, ledger }, source),
      ...(after === undefined ? {} : { after }),
      ...(proof === undefined ? {} : { proof }),
    });
    notifications.dispatch(result);
    views.apply(result, receivedAt);
    if (result.gaps) events.signal('gapsChanged');
    events.emit('recorded', { ...result, source });
    return result;
  };
}
