// Main, core: the one flow of events: recorded with the decision, notified, shown, then emitted.
// ARCHITECTURE.md, "One transition, file by file", lists what comes before and after.
import type { Clock } from '../../shared/lib/clock.ts';
import type { ArrivalSource, ReceivedEvent } from './compat/received-event.ts';
import type { EventBus } from './events.ts';
import type { IngestResult } from './ledger/arrival.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Notifications } from './notifications/notifications.ts';
import { createDateCheck } from './sources/dates.ts';
import type { WorldClock } from './time/world-clock.ts';
import type { Views } from './views/views.ts';

/**
 * Records the events of one source, dispatches notifications, updates rows and lists.
 * @param after set for a page of the service's list: id of the event before the page
 * @param proof of authenticity, as text: "signature verified"
 * @throws when the events can be written neither to the ledger's file nor to memory; nothing is notified then
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
  readonly notifications: Pick<Notifications, 'evaluate' | 'dispatch'>;
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
