// Main, core: records the deliveries of one turn in one transaction, and answers each of them.
import type { Cancel } from '../../../shared/lib/clock.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import { ledgerErrorMessage } from '../ledger/ledger.ts';
import type { RelayDeps } from './deps.ts';

type Outcome = 'stored' | 'known' | 'failed';

export interface DeliveryBatch {
  /** Resolves when the event is on the disk, or could not be written. */
  record(event: ReceivedEvent): Promise<Outcome>;
  /** Writes the batch now. */
  flush(): void;
}

interface PendingDelivery {
  readonly event: ReceivedEvent;
  readonly answer: (outcome: Outcome) => void;
}

/** Entry about the authenticity of an event in its trace. */
export const PROOF = 'signature verified';

export function createDeliveryBatch({
  context,
  ledger,
  receive,
}: Pick<RelayDeps, 'context' | 'ledger' | 'receive'>): DeliveryBatch {
  const { guard, events } = context;
  let queued: PendingDelivery[] = [];
  let cancel: Cancel | null = null;

  /** If the transaction fails, each delivery gets its own, so that no delivery blocks another. */
  const write = (batch: readonly PendingDelivery[]): void => {
    try {
      const { added } = receive(
        'relay',
        batch.map(({ event }) => event),
        undefined,
        PROOF,
      );
      const stored = new Set(added.map(({ event }) => event));
      // An event in memory is notified, but its answer makes the service retry until it is on disk.
      const isWritten = ledger.unwritten() === null;
      for (const { event, answer } of batch) answer(!isWritten ? 'failed' : stored.has(event) ? 'stored' : 'known');
    } catch (error) {
      if (batch.length > 1) for (const one of batch) write([one]);
      else {
        events.emit('ledgerFailed', { message: ledgerErrorMessage(error) });
        for (const { answer } of batch) answer('failed');
      }
    }
  };
  const flush = (): void => {
    cancel?.();
    cancel = null;
    const batch = inOrder(queued);
    queued = [];
    if (batch.length > 0) write(batch);
  };
  return {
    record: (event) =>
      new Promise((answer) => {
        queued.push({ event, answer });
        cancel ??= guard.clock.after(0, flush);
      }),
    flush,
  };
}

/**
 * Sorts reordered deliveries by the service's numbers: otherwise one would be pending until the next fills
 * the hole.
 */
function inOrder(batch: readonly PendingDelivery[]): readonly PendingDelivery[] {
  const placed = batch.flatMap((one) => (one.event.seq === null ? [] : { one, seq: one.event.seq }));
  return placed.length < batch.length ? batch : placed.sort((a, b) => a.seq - b.seq).map(({ one }) => one);
}
