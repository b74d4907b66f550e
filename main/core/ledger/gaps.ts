// Main, core: stores gaps: periods without data, which back-fill closes by proving completeness.

import type { Gap } from '../../../shared/channels/state.ts';
import { HOUR_MS } from '../../../shared/lib/time.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import { TimestampSchema, timestamp } from '../../../shared/wire/primitives.ts';
import type { Connection } from '../files/connection.ts';
import { messageColumn, readMessageColumn } from './message-column.ts';

/**
 * downtime: nothing was received (service down, computer asleep, program not running).
 * hole: a number is missing between received events. Back-fill closes both.
 * unwritten: the ledger's file could not be written. Back-fill closes it after that.
 * lost: the service itself has no record; the gap stays open.
 */
export type GapKind = 'downtime' | 'hole' | 'unwritten' | 'lost';
/** unreadable: the content of an event is lost. odd: the event has an error, and was recorded. */
type ProblemKind = 'unreadable' | 'odd';

export interface GapStore {
  /**
   * Opens a gap unless one of its kind is open; a `lost` gap is always a new row. Returns whether a row was
   * made. Times: world time, ISO.
   */
  open(kind: GapKind, from: string, to: string | null, cause: Message): boolean;
  /**
   * Records the problem of an event; problems of the same code within an hour share a row. `at`: world time,
   * ISO.
   */
  recordProblem(kind: ProblemKind, at: string, problem: Message): void;
  /**
   * Back-fill has caught up: closes every gap except the lost ones, and the one of a file that still cannot be
   * written. Returns whether any was open.
   */
  closeAll(to: string, filled: number, isUnwritten?: boolean): boolean;
  hasOpen(): boolean;
  /**
   * Gaps for windows, newest first: all open ones (beyond `limit`, those that back-fill can close come first,
   * then the newest), and the newest closed ones.
   */
  shown(limit: number): Gap[];
  /** Newest first. `before`: an id; absent: from the newest. */
  newest(limit: number, before?: number): Gap[];
}

interface GapRow {
  id: number;
  kind: GapKind;
  from_at: string;
  to_at: string | null;
  cause: string;
  closed: number;
  filled: number;
}

/** Rows that a new problem is compared with. */
const RECENT = 20;
const STAYS_OPEN: ReadonlySet<string> = new Set(['lost', 'unreadable']);
const CLOSABLE = "kind NOT IN ('lost', 'unreadable')";

/** The code of a problem; for several, of the last. */
function sortOf(problem: Message): string {
  const last = problem.code === 'event.several' ? problem.values.last : problem;
  return typeof last === 'string' ? '' : last.code;
}

/** null for an impossible year, which earlier versions may have written. */
const possible = (at: string | null): string | null => TimestampSchema.safeParse(at).data ?? null;
const UNKNOWN = timestamp(0);

const gapOf = ({ id, kind, from_at, to_at, cause, closed, filled }: GapRow): Gap => ({
  id,
  from: possible(from_at) ?? possible(to_at) ?? UNKNOWN,
  to: to_at === null ? null : (possible(to_at) ?? possible(from_at) ?? UNKNOWN),
  cause: readMessageColumn(cause) ?? plainMessage(''),
  closed: closed === 1,
  filled,
  lost: STAYS_OPEN.has(kind),
});

export function createGapStore(db: Connection): GapStore {
  const put = db.prepare('INSERT INTO gaps (kind, from_at, to_at, cause, closed, filled) VALUES (?, ?, ?, ?, 0, 0)');
  const openOf = db.prepare<[string], { id: number }>('SELECT id FROM gaps WHERE closed = 0 AND kind = ? LIMIT 1');
  const anyOpen = db.prepare<[], { id: number }>(`SELECT id FROM gaps WHERE closed = 0 AND ${CLOSABLE} LIMIT 1`);
  const close = db.prepare(
    `UPDATE gaps SET closed = 1, to_at = coalesce(to_at, max(from_at, ?)), filled = ? WHERE closed = 0 AND ${CLOSABLE}
       AND (kind <> 'unwritten' OR ? = 0)`,
  );
  const list = db.prepare<[number, number], GapRow>(
    'SELECT id, kind, from_at, to_at, cause, closed, filled FROM gaps WHERE id < ? ORDER BY id DESC LIMIT ?',
  );
  const open = db.prepare<[number], GapRow>(
    `SELECT id, kind, from_at, to_at, cause, closed, filled FROM gaps WHERE closed = 0
     ORDER BY ${CLOSABLE} DESC, id DESC LIMIT ?`,
  );
  const recent = db.prepare<[string], Pick<GapRow, 'id' | 'from_at' | 'to_at' | 'cause'>>(
    `SELECT id, from_at, to_at, cause FROM gaps WHERE kind = ? ORDER BY id DESC LIMIT ${RECENT}`,
  );
  const putProblem = db.prepare(
    'INSERT INTO gaps (kind, from_at, to_at, cause, closed, filled) VALUES (?, ?, ?, ?, ?, 0)',
  );
  const widen = db.prepare('UPDATE gaps SET from_at = min(from_at, ?), to_at = max(to_at, ?), cause = ? WHERE id = ?');
  return {
    recordProblem(kind, at, problem) {
      for (const { id, from_at, to_at, cause } of recent.all(kind)) {
        const before = readMessageColumn(cause);
        if (before === null || sortOf(before) !== problem.code) continue;
        if (Math.abs(Date.parse(at) - Date.parse(to_at ?? from_at)) > HOUR_MS) break;
        const count = before.code === 'event.several' ? before.values.count + 1 : 2;
        widen.run(at, at, messageColumn(message('event.several', { count, last: problem })), id);
        return;
      }
      putProblem.run(kind, at, at, messageColumn(problem), kind === 'odd' ? 1 : 0);
    },
    open(kind, from, to, cause) {
      if (kind !== 'lost' && openOf.get(kind) !== undefined) return false;
      put.run(kind, from, to, messageColumn(cause));
      return true;
    },
    closeAll: (to, filled, isUnwritten = false) => close.run(to, filled, isUnwritten ? 1 : 0).changes > 0,
    hasOpen: () => anyOpen.get() !== undefined,
    shown(limit) {
      const rows = new Map(
        [...open.all(limit), ...list.all(Number.MAX_SAFE_INTEGER, limit)].map((row) => [row.id, row]),
      );
      return [...rows.values()]
        .slice(0, limit)
        .sort((a, b) => b.id - a.id)
        .map(gapOf);
    },
    newest: (limit, before = Number.MAX_SAFE_INTEGER) => list.all(before, limit).map(gapOf),
  };
}
