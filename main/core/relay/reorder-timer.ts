// Main, core: deliveries overtake each other. While the ledger waits for one and its cursor moves on, the next is awaited; where it stops,
// the service is asked.
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import type { Cursor } from '../ledger/cursor.ts';

export interface ReorderTimer {
  /** Something is missing before what arrived: waits for it, unless it does already. */
  arm(): void;
  stop(): void;
}

export interface ReorderTimerOptions {
  readonly clock: Clock;
  readonly ledger: {
    cursor(): Cursor;
    /** Something is missing before what arrived. */
    hasPending(): boolean;
  };
  readonly catchUp: () => void;
}

/** Who was overtaken is mostly right behind: the service is asked for what does not come within this time, ms. */
const WAIT = 100;

export function createReorderTimer({ clock, ledger, catchUp }: ReorderTimerOptions): ReorderTimer {
  let cancel: Cancel | null = null;
  const arm = (): void => {
    if (cancel !== null) return;
    const { eventId } = ledger.cursor();
    cancel = clock.after(WAIT, () => {
      cancel = null;
      if (!ledger.hasPending()) return;
      if (ledger.cursor().eventId === eventId) catchUp();
      else arm();
    });
  };
  return { arm, stop: () => cancel?.() };
}
