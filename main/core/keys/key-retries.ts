// Main, core: asks the vault again for a saved key: ever more rarely, at a wake, once it is open.
import { every } from '../../../shared/lib/clock.ts';
import type { CoreContext } from '../module.ts';
import type { ProfileKeys } from './profile-keys.ts';

export interface KeyRetries {
  start(): void;
  stop(): void;
  /** The computer woke or was unlocked: the keychain may be open now. */
  wake(): void;
}

const CHECK_INTERVAL = 1_000;
/**
 * Wait after each failure, ms, doubled up to the cap: a locked keychain may show the user a dialog at each
 * request. The cap keeps the way back below the eight minutes of a refusal.
 */
const RETRY = { base: 30_000, cap: 300_000 };

export function createKeyRetries(
  { guard: { clock, go } }: Pick<CoreContext, 'guard'>,
  keys: Pick<ProfileKeys, 'load' | 'hasFailed' | 'isUnlocked'>,
): KeyRetries {
  let retries = 0;
  /** Instant of the failure, or of the last retry. */
  let since = clock.now();
  let cancel = (): void => undefined;

  const check = (): void => {
    const now = clock.now();
    const isUnlocked = keys.isUnlocked();
    if (!keys.hasFailed() && !isUnlocked) {
      retries = 0;
      since = now;
      return;
    }
    // After the clock was set back, the wait begins again.
    since = Math.min(since, now);
    const isFirst = isUnlocked && retries === 0;
    if (!isFirst && now - since < Math.min(RETRY.cap, RETRY.base * 2 ** retries)) return;
    retries += 1;
    since = now;
    go(keys.load());
  };
  return {
    start() {
      cancel = every(clock, CHECK_INTERVAL, check);
    },
    stop: () => cancel(),
    wake() {
      retries = 0;
      check();
    },
  };
}
