// Main, core: waits for reordered deliveries before the service is asked for the missing ones.
// While the ledger's cursor advances, the next delivery gets more time; when it stops, back-fill runs.
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import type { RelayDeps } from './deps.ts';

export interface ReorderTimer {
  /** An event is pending beyond a hole: starts the wait unless it runs. */
  arm(): void;
  /** Later calls of `arm` do nothing. */
  stop(): void;
}

/** Longest wait for a reordered delivery, ms: it usually follows at once. */
const WAIT = 100;

export function createReorderTimer(
  clock: Clock,
  ledger: Pick<RelayDeps['ledger'], 'cursor' | 'hasPending'>,
  catchUp: () => void,
): ReorderTimer {
  let cancel: Cancel | null = null;
  let isStopped = false;
  const arm = (): void => {
    if (cancel !== null || isStopped) return;
    const { eventId } = ledger.cursor();
    cancel = clock.after(WAIT, () => {
      cancel = null;
      if (!ledger.hasPending()) return;
      if (ledger.cursor().eventId === eventId) catchUp();
      else arm();
    });
  };
  return {
    arm,
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
}
