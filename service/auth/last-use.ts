// Service, auth: the last use of each key, kept in memory and written some seconds late.
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Logger } from '../logger.ts';
import type { Store } from '../store/store.ts';

/** Maximum period that a kill of the process can lose, wall ms. */
const WRITE_AFTER_MS = 10_000;

export interface LastUse {
  note(keyId: string): void;
  /** Writes what is pending. Call it before the store closes. */
  flush(): void;
  /** As `flush`, but where the store takes no writes it stays pending, and the next use writes it. */
  tryFlush(): void;
}

export function createLastUse(
  { keys, transaction }: Pick<Store, 'keys' | 'transaction'>,
  clock: Clock,
  logger: Logger,
): LastUse {
  const pending = new Map<string, number>();
  let armed: Cancel | null = null;

  const flush = (): void => {
    armed?.();
    armed = null;
    if (pending.size === 0) return;
    transaction(() => {
      for (const [id, at] of pending) keys.setLastUsed(id, at);
    });
    pending.clear();
  };

  const tryFlush = (): void => {
    try {
      flush();
    } catch (error) {
      logger.warn({ error: messageOf(error) }, 'the last use of keys cannot be written down');
    }
  };

  return {
    note(keyId) {
      pending.set(keyId, clock.now());
      armed ??= clock.after(WRITE_AFTER_MS, tryFlush);
    },
    flush,
    tryFlush,
  };
}
