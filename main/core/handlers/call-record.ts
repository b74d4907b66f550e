// Main, core: keeps the record of right and wrong calls by symbol across runs, and refreshes it.
import type { Client } from '../../../client/client.ts';
import { type Calls, callsOfSymbol } from '../../../shared/channels/call-record.ts';
import type { ValidationRecord } from '../../../shared/channels/queries.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import type { Memory } from '../archive/memory.ts';
import type { CoreContext } from '../module.ts';
import { createValidationReader } from './validation.ts';

export interface CallRecord {
  start(): void;
  stop(): void;
  /**
   * Calls of a symbol in the hold-out window, by its kind of alert at an instant, world ms; null: not known.
   */
  of(symbol: string, at: number): Calls | null;
  /** Reads the record for a window; notifications have it from then on. */
  read(): Promise<ValidationRecord>;
}

export interface CallRecordDeps {
  readonly context: Pick<CoreContext, 'guard' | 'ports'>;
  readonly client: Pick<Client, 'read'>;
  readonly mayAsk: () => boolean;
  readonly memory: Pick<Memory, 'one' | 'known'>;
}

/**
 * The service computes its first record for a while: the start does not wait for it, and a window asks
 * sooner.
 */
const CHECK_EVERY = 5 * MINUTE_MS;
const GOOD_FOR = 6 * HOUR_MS;
/** Wait for a service that may have no record. */
const RETRY_AFTER = HOUR_MS;

export function createCallRecord({ context, client, mayAsk, memory }: CallRecordDeps): CallRecord {
  const { clock, go } = context.guard;
  const readFromService = createValidationReader({ client, mayAsk, clock });
  let latest: ValidationRecord | null = null;
  let isRead = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let cancel: Cancel = () => undefined;

  const read = async (): Promise<ValidationRecord> => {
    askedAt = clock.now();
    isRead = false;
    latest = await memory.one('validation.read', '', readFromService);
    isRead = true;
    return latest;
  };
  const refresh = async (): Promise<void> => {
    await read().catch((error) => context.ports.logger.debug({ problem: messageOf(error) }, 'no record of calls'));
  };
  return {
    of: (symbol, at) => (latest === null ? null : callsOfSymbol(latest, symbol, at)),
    read,
    start() {
      latest = memory.known('validation.read', '');
      cancel = every(clock, CHECK_EVERY, () => {
        if (mayAsk() && Math.abs(clock.now() - askedAt) >= (isRead ? GOOD_FOR : RETRY_AFTER)) go(refresh());
      });
    },
    stop: () => cancel(),
  };
}
