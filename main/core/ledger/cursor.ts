// Main, core: the cursor: the end of the contiguous range of the service's log.
// It moves over contiguous numbers only; events beyond a hole are kept in `pending_events`. Every method runs
// inside the ledger's transaction.
import type { Connection } from '../files/connection.ts';

export interface Cursor {
  /**
   * Which of the service's logs `seq` counts in; incremented when the service is replaced or restarts its
   * numbering.
   */
  readonly log: number;
  /** Last event of the contiguous range; null before the first. */
  readonly eventId: string | null;
  /** Number of that event; null while it is unknown in this log. */
  readonly seq: number | null;
}

export interface CursorStore {
  current(): Cursor;
  /** The event of the cursor before its last step; null: none; undefined: no step in this run. */
  before(): string | null | undefined;
  /**
   * True when no event of this log can have this number: it is beyond the cursor and no pending event has it.
   */
  isFree(seq: number): boolean;
  /** True for a number that the cursor has passed. */
  isBehind(seq: number | null): boolean;
  /** True while an event is pending beyond a hole. */
  hasPending(): boolean;
  /** The events pending beyond a hole. */
  pendingIds(): string[];
  /** Records the number of an event. Returns false when another event of this log has that number. */
  record(seq: number, eventId: string): boolean;
  /** The service's list shows that `seq` follows the cursor directly: no event lies between. */
  skipTo(seq: number): void;
  /** The service's list shows the cursor's event under this number: all earlier events were listed. */
  learn(seq: number): void;
  /** The service's list shows that this event comes next, and it has no number. */
  follow(eventId: string): void;
  /**
   * Another log begins. The cursor keeps its event unless the service no longer knows it: then it is null.
   */
  restart(eventId?: null): void;
  /** Writes the cursor; call once at the end of a transaction. */
  save(): void;
  /** Discards the moves of a failed transaction. */
  reload(): void;
}

export function createCursorStore(db: Connection): CursorStore {
  const read = db.prepare<[], { log: number; event_id: string | null; seq: number | null }>(
    'SELECT log, event_id, seq FROM cursor',
  );
  const write = db.prepare('UPDATE cursor SET log = ?, event_id = ?, seq = ?');
  const countPending = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM pending_events');
  const readPending = db.prepare<[number], { event_id: string }>('SELECT event_id FROM pending_events WHERE seq = ?');
  const allPending = db.prepare<[], { event_id: string }>('SELECT event_id FROM pending_events');
  const putPending = db.prepare('INSERT INTO pending_events (seq, event_id) VALUES (?, ?)');
  const dropPending = db.prepare('DELETE FROM pending_events WHERE seq = ?');
  const dropPendingTo = db.prepare('DELETE FROM pending_events WHERE seq <= ?');
  const clearPending = db.prepare('DELETE FROM pending_events');

  let cursor: Cursor = { log: 1, eventId: null, seq: null };
  let pendingCount = 0;
  let isDirty = false;
  let before: string | null | undefined;

  const reload = (): void => {
    const row = read.get();
    if (row === undefined) throw new Error('the ledger has no cursor row');
    cursor = { log: row.log, eventId: row.event_id, seq: row.seq };
    pendingCount = countPending.get()?.n ?? 0;
    isDirty = false;
    before = undefined;
  };
  const moveTo = (seq: number | null, eventId: string | null): void => {
    if (eventId !== cursor.eventId) before = cursor.eventId;
    cursor = { log: cursor.log, eventId, seq };
    isDirty = true;
  };
  const drain = (): void => {
    while (pendingCount > 0 && cursor.seq !== null) {
      const next = readPending.get(cursor.seq + 1);
      if (next === undefined) return;
      dropPending.run(cursor.seq + 1);
      pendingCount -= 1;
      moveTo(cursor.seq + 1, next.event_id);
    }
  };
  reload();

  return {
    current: () => cursor,
    before: () => before,
    isFree: (seq) =>
      cursor.seq !== null && seq > cursor.seq && (pendingCount === 0 || readPending.get(seq) === undefined),
    isBehind: (seq) => seq !== null && cursor.seq !== null && seq <= cursor.seq,
    hasPending: () => pendingCount > 0,
    pendingIds: () => (pendingCount === 0 ? [] : allPending.all().map((row) => row.event_id)),
    record(seq, eventId) {
      if (cursor.seq !== null && seq <= cursor.seq) return seq < cursor.seq || eventId === cursor.eventId;
      if (cursor.seq !== null && seq === cursor.seq + 1) {
        if (pendingCount > 0) {
          const expected = readPending.get(seq);
          if (expected !== undefined && expected.event_id !== eventId) return false;
          if (expected !== undefined) {
            dropPending.run(seq);
            pendingCount -= 1;
          }
        }
        moveTo(seq, eventId);
        drain();
        return true;
      }
      const waiting = readPending.get(seq);
      if (waiting !== undefined) return waiting.event_id === eventId;
      putPending.run(seq, eventId);
      pendingCount += 1;
      return true;
    },
    skipTo(seq) {
      if (pendingCount > 0) {
        dropPendingTo.run(seq - 1);
        pendingCount = countPending.get()?.n ?? 0;
      }
      moveTo(seq - 1, cursor.eventId);
    },
    learn(seq) {
      dropPendingTo.run(seq);
      pendingCount = countPending.get()?.n ?? 0;
      moveTo(seq, cursor.eventId);
      drain();
    },
    follow: (eventId) => moveTo(null, eventId),
    restart(eventId: string | null = cursor.eventId) {
      clearPending.run();
      pendingCount = 0;
      cursor = { log: cursor.log + 1, eventId, seq: null };
      before = undefined;
      isDirty = true;
    },
    save() {
      if (isDirty) write.run(cursor.log, cursor.eventId, cursor.seq);
      isDirty = false;
    },
    reload,
  };
}
