// Main, core: the alerts that wait for a push. In a flood they are pushed less often.
import { MAX_ALERTS } from '../../../shared/channels/state.ts';
import { type Clock, isRecent } from '../../../shared/lib/clock.ts';

export interface AlertQueue {
  add(ledgerIds: readonly number[]): void;
  /**
   * Adds the alerts that need attention now and did not before, or the reverse: an alert, or the end of a
   * snooze, may change this for earlier alerts.
   * @param needed ledger ids; the same set while nothing changed
   */
  compareAttention(needed: ReadonlySet<number>): void;
  /**
   * Removes and returns the alerts that may be pushed now; the rest waits for a later push. `settled`: those
   * that no longer need attention, which windows must get however many alerts changed.
   */
  take(): { readonly ids: readonly number[]; readonly settled: readonly number[] };
  hasPending(): boolean;
}

/**
 * More alerts than this at once are a flood: nobody reads so many in a frame, and reading them is the most
 * expensive part of a push.
 */
export const FEW_ALERTS = 20;
/**
 * Least time between two pushes of alerts in a flood, ms; each sends the whole list where more arrived than a
 * window keeps.
 */
const FLOOD_BATCH_INTERVAL = 500;
/** Delay of updates to many known alerts, ms; it never delays a new alert. */
const UPDATE_BATCH_INTERVAL = 250;

export function createAlertQueue(clock: Clock): AlertQueue {
  /** Alerts that no window has, and known alerts to send again. */
  const fresh = new Set<number>();
  const updated = new Set<number>();
  /** The newest alert that windows have. */
  let highest = 0;
  let floodAt = Number.NEGATIVE_INFINITY;
  let updatesAt = Number.NEGATIVE_INFINITY;
  /** Number of updates taken since `updatesAt`. */
  let updatesTaken = 0;
  let lastNeeded: ReadonlySet<number> = new Set();
  const settled = new Set<number>();

  const mayTakeFresh = (): boolean => {
    if (fresh.size <= FEW_ALERTS) return true;
    if (isRecent(clock, floodAt, FLOOD_BATCH_INTERVAL)) return false;
    floodAt = clock.now();
    return true;
  };
  const mayTakeUpdates = (): boolean => {
    if (!isRecent(clock, updatesAt, UPDATE_BATCH_INTERVAL)) {
      updatesAt = clock.now();
      updatesTaken = 0;
    } else if (updatesTaken + updated.size > FEW_ALERTS) return false;
    updatesTaken += updated.size;
    return true;
  };
  return {
    add(ledgerIds) {
      // With one more than a window keeps, the whole list is read, and single ids do not matter.
      for (const id of ledgerIds) {
        const pending = id > highest ? fresh : updated;
        if (pending.size <= MAX_ALERTS) pending.add(id);
      }
    },
    compareAttention(needed) {
      if (needed === lastNeeded) return;
      for (const id of [...needed, ...lastNeeded])
        if (needed.has(id) !== lastNeeded.has(id)) {
          if (!fresh.has(id)) updated.add(id);
          if (needed.has(id)) settled.delete(id);
          else settled.add(id);
        }
      lastNeeded = needed;
    },
    take() {
      const taken: number[] = [];
      if (fresh.size > 0 && mayTakeFresh()) {
        for (const id of fresh) {
          taken.push(id);
          highest = Math.max(highest, id);
        }
        fresh.clear();
      }
      if (updated.size > 0 && mayTakeUpdates()) {
        taken.push(...updated);
        updated.clear();
      }
      if (updated.size > 0) return { ids: taken, settled: [] };
      const over = [...settled];
      settled.clear();
      return { ids: taken, settled: over };
    },
    hasPending: () => fresh.size + updated.size > 0,
  };
}
