// Main, core: gaps: periods without data, each a row that back-fill closes by proving completeness.
import type { Database } from 'better-sqlite3';
import type { Gap } from '../../../shared/channels/state.ts';

/**
 * downtime: nothing was received (service down, computer asleep, program not running).
 * hole: a number is missing between received events. Back-fill closes both.
 * lost: the service itself has no record; the gap stays open.
 */
export type GapKind = 'downtime' | 'hole' | 'lost';

export interface GapStore {
  /**
   * Opens a gap unless one of its kind is open; a `lost` gap is always a new row. Returns whether a row was
   * made. Times: world time, ISO.
   */
  open(kind: GapKind, from: string, to: string | null, cause: string): boolean;
  /** Back-fill has caught up: closes every gap except the lost ones. Returns whether any was open. */
  closeAll(to: string, filled: number): boolean;
  hasOpen(): boolean;
  newest(limit: number): Gap[];
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

export function createGapStore(db: Database): GapStore {
  const put = db.prepare('INSERT INTO gaps (kind, from_at, to_at, cause, closed, filled) VALUES (?, ?, ?, ?, 0, 0)');
  const openOf = db.prepare<[string], { id: number }>('SELECT id FROM gaps WHERE closed = 0 AND kind = ? LIMIT 1');
  const anyOpen = db.prepare<[], { id: number }>("SELECT id FROM gaps WHERE closed = 0 AND kind <> 'lost' LIMIT 1");
  const close = db.prepare(
    "UPDATE gaps SET closed = 1, to_at = coalesce(to_at, max(from_at, ?)), filled = ? WHERE closed = 0 AND kind <> 'lost'",
  );
  const list = db.prepare<[number], GapRow>(
    'SELECT id, kind, from_at, to_at, cause, closed, filled FROM gaps ORDER BY id DESC LIMIT ?',
  );
  return {
    open(kind, from, to, cause) {
      if (kind !== 'lost' && openOf.get(kind) !== undefined) return false;
      put.run(kind, from, to, cause);
      return true;
    },
    closeAll: (to, filled) => close.run(to, filled).changes > 0,
    hasOpen: () => anyOpen.get() !== undefined,
    newest: (limit) =>
      list.all(limit).map(({ id, kind, from_at, to_at, cause, closed, filled }) => ({
        id,
        from: from_at,
        to: to_at,
        cause,
        closed: closed === 1,
        filled,
        lost: kind === 'lost',
      })),
  };
}
