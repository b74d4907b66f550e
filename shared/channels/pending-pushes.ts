// Pure: coalesces pushes for a window that has not acknowledged the previous ones.
import { type Alert, type Change, MAX_ALERTS, type NumberedChanges, type Row } from './state.ts';

export interface PendingPushes {
  /** Sends it, or merges it with what is pending. */
  push(name: string, payload: unknown): void;
  /**
   * Records how many pushes the window has acknowledged since the connection began. A window that never
   * acknowledges gets every push at once.
   */
  got(count: number): void;
}

/** Maximum number of pushes in flight to a window. */
const MAX_IN_FLIGHT = 4;
/** The only push with changes; all others have the whole value, so that the last one suffices. */
const STATE = 'state.changed';

export function createPendingPushes(send: (name: string, payload: unknown) => void): PendingPushes {
  const pending = new Map<string, unknown>();
  let sent = 0;
  let taken: number | null = null;

  const mayGo = (): boolean => taken === null || sent - taken < MAX_IN_FLIGHT;
  const hand = (name: string, payload: unknown): void => {
    pending.delete(name);
    sent += 1;
    send(name, payload);
  };
  return {
    push(name, payload) {
      const before = pending.get(name);
      if (before === undefined || name !== STATE) {
        if (before === undefined && mayGo()) hand(name, payload);
        else pending.set(name, payload);
        return;
      }
      const [a, b] = [before as NumberedChanges, payload as NumberedChanges];
      // An outage must not vanish between two periods of connection.
      if (isOffline(a) !== null && isOffline(b) !== null && isOffline(a) !== isOffline(b)) {
        hand(name, a);
        pending.set(name, b);
      } else pending.set(name, merge(a, b));
    },
    got(count) {
      taken = count;
      for (const [name, payload] of [...pending]) if (mayGo()) hand(name, payload);
    },
  };
}

/** null where the changes do not include it. */
function isOffline({ changes }: NumberedChanges): boolean | null {
  const last = changes.findLast((change) => change.part === 'connection');
  return last === undefined ? null : last.connection.outage !== null;
}

/** Maximum number of alerts that wait for a window: twice what it keeps. */
const MAX_PENDING_ALERTS = 2 * MAX_ALERTS;

/**
 * Merges two consecutive pushes. With more alerts than the limit it cannot know which alerts need attention
 * in the window, so the push leaves a gap in the numbers, and the window reads the snapshot again.
 */
function merge(a: NumberedChanges, b: NumberedChanges): NumberedChanges {
  const rows = new Map<string, Row>();
  const alerts = new Map<number, Alert>();
  const latest = new Map<string, Change>();
  for (const change of [...a.changes, ...b.changes]) {
    if (change.part === 'rows') for (const row of change.rows) rows.set(row.symbol, row);
    else if (change.part === 'alerts') for (const alert of change.alerts) alerts.set(alert.ledger_id, alert);
    else latest.set(change.part, change);
  }
  if (alerts.size > MAX_PENDING_ALERTS) return b;
  const changes: Change[] = [...latest.values()];
  if (alerts.size > 0) changes.unshift({ part: 'alerts', alerts: [...alerts.values()] });
  if (rows.size > 0) changes.unshift({ part: 'rows', rows: [...rows.values()] });
  return { from: a.from ?? a.number, number: b.number, changes };
}
