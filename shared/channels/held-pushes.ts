// Pure: what a window is told that has not taken in yet what it was told before. It is put together until the window has: a slow window learns what
// is, not all that was, and nothing piles up before it.
import { ALERTS_KEPT, type Alert, type Change, type NumberedChanges, newestFirst, type Row } from './state.ts';

export interface HeldPushes {
  /** Sends it, or keeps it together with what is kept already. */
  push(name: string, payload: unknown): void;
  /** The window has taken in so many since the connection began. A window that never says so is told everything at once. */
  got(count: number): void;
}

/** So many pushes may be on their way to a window. */
const ON_THE_WAY = 4;
/** The one push that says what became another; all others say what is, and the last of them is enough. */
const STATE = 'state.changed';

export function createHeldPushes(send: (name: string, payload: unknown) => void): HeldPushes {
  const held = new Map<string, unknown>();
  let sent = 0;
  let taken: number | null = null;

  const mayGo = (): boolean => taken === null || sent - taken < ON_THE_WAY;
  const hand = (name: string, payload: unknown): void => {
    held.delete(name);
    sent += 1;
    send(name, payload);
  };
  return {
    push(name, payload) {
      const before = held.get(name);
      if (before === undefined || name !== STATE) {
        if (before === undefined && mayGo()) hand(name, payload);
        else held.set(name, payload);
        return;
      }
      const [a, b] = [before as NumberedChanges, payload as NumberedChanges];
      // That nothing was seen for a while must not vanish between two moments of sight.
      if (isBlind(a) !== null && isBlind(b) !== null && isBlind(a) !== isBlind(b)) {
        hand(name, a);
        held.set(name, b);
      } else held.set(name, together(a, b));
    },
    got(count) {
      taken = count;
      for (const [name, payload] of [...held]) if (mayGo()) hand(name, payload);
    },
  };
}

/** null where they do not say it. */
function isBlind({ changes }: NumberedChanges): boolean | null {
  const last = changes.findLast((change) => change.part === 'connection');
  return last === undefined ? null : last.connection.blind !== null;
}

/** Two in a row as one. */
function together(a: NumberedChanges, b: NumberedChanges): NumberedChanges {
  const rows = new Map<string, Row>();
  const alerts = new Map<number, Alert>();
  const parts = new Map<string, Change>();
  for (const change of [...a.changes, ...b.changes]) {
    if (change.part === 'rows') for (const row of change.rows) rows.set(row.symbol, row);
    else if (change.part === 'alerts') for (const alert of change.alerts) alerts.set(alert.ledger_id, alert);
    else parts.set(change.part, change);
  }
  const changes: Change[] = [...parts.values()];
  if (alerts.size > 0) changes.unshift({ part: 'alerts', alerts: keptOf([...alerts.values()]) });
  if (rows.size > 0) changes.unshift({ part: 'rows', rows: [...rows.values()] });
  return { from: a.from ?? a.number, number: b.number, changes };
}

/** Those that a window would keep: the newest, and of every symbol the last. */
function keptOf(alerts: Alert[]): Alert[] {
  if (alerts.length <= 2 * ALERTS_KEPT) return alerts;
  const seen = new Set<string>();
  return alerts.sort(newestFirst).filter(({ transition: { symbol } }, place) => {
    const isLast = !seen.has(symbol);
    seen.add(symbol);
    return place < ALERTS_KEPT || isLast;
  });
}
