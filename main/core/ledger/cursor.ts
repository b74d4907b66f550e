// Main, core: up to where the service's log is known without a hole. The cursor moves over contiguous numbers only;
// what arrives beyond a hole waits in `pending_events`. Every method runs inside the ledger's transaction.
import type { Database } from 'better-sqlite3';

export interface Cursor {
  /** Which of the service's logs `seq` counts in; it grows when the service is replaced or numbers anew. */
  readonly log: number;
  /** Last event of the contiguous range; null before the first. */
  readonly eventId: string | null;
  /** Its number; null when it is not known (yet) in this log. */
  readonly seq: number | null;
}

export interface CursorStore {
  current(): Cursor;
  /** Where the cursor stood before its last step; null: nowhere; undefined: it made none in this run. */
  before(): string | null | undefined;
  /** No event of this log has this number, for sure: it lies beyond the cursor, and nothing waits there under it. */
  isFree(seq: number): boolean;
  /** True while something arrived that is not joined to the contiguous range. */
  hasPending(): boolean;
  /** The events that arrived beyond a hole. */
  pendingIds(): string[];
  /** Takes note of a number. Returns false when the log contradicts itself: another event has that number. */
  note(seq: number, eventId: string): boolean;
  /** The service's own list says that `seq` comes right after the cursor: what lies between does not exist. */
  skipTo(seq: number): void;
  /** The service's own list has the cursor's event under this number: what comes before it was listed. */
  learn(seq: number): void;
  /** The service's own list says that this event comes next, and it has no number. */
  follow(eventId: string): void;
  /** Another log begins. `eventId` is kept when the service may still know it. */
  restart(eventId: string | null): void;
  /** Writes the cursor; call once at the end of a transaction. */
  save(): void;
  /** Forgets what a transaction that failed had moved. */
  reload(): void;
}

export function createCursorStore(db: Database): CursorStore {
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
    hasPending: () => pendingCount > 0,
    pendingIds: () => (pendingCount === 0 ? [] : allPending.all().map((row) => row.event_id)),
    note(seq, eventId) {
      if (cursor.seq !== null && seq <= cursor.seq) return seq < cursor.seq || eventId === cursor.eventId;
      if (cursor.seq !== null && seq === cursor.seq + 1) {
        if (pendingCount > 0) {
          const waiting = readPending.get(seq);
          if (waiting !== undefined && waiting.event_id !== eventId) return false;
          if (waiting !== undefined) {
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
    restart(eventId) {
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
