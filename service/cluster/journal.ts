// Service, cluster: the port of the journal, which orders the writes of all nodes.
// PostgreSQL implements it (postgres-journal.ts, behind journal-thread.ts); tests implement it in memory.

/** Instants are world ms. */
export interface JournalHead {
  /** Another one after the database was restored from a backup: positions after it mean something else. */
  readonly logId: string;
  /** Term of the leader; each new leader adds one. */
  readonly epoch: number;
  /** Position of the newest entry; 0 in an empty journal. */
  readonly position: number;
  /** Up to which the leader has evaluated. */
  readonly worldTime: number;
}

export interface JournalEntry {
  /** One more than that of the entry before it. */
  readonly position: number;
  /** Unique among all entries of all nodes. */
  readonly id: string;
  /** Id of the entry before it, so that no history is continued by another one; empty for the first. */
  readonly previous: string;
  readonly epoch: number;
  /** Row changes of one transaction (row-changes.ts), JSON. */
  readonly body: string;
}

export interface NewEntry {
  /** Unique among all entries of all nodes, so that an append whose answer was lost can be recognized. */
  readonly id: string;
  /** Position and id of the entry before it, as far as the writer knows; 0 and empty for the first. */
  readonly after: number;
  readonly previous: string;
  /** The writer's term if only the leader may write this; null: any node may. */
  readonly epoch: number | null;
  readonly body: string;
  /** The world time of the head from now on; null: as it is. */
  readonly worldTime: number | null;
}

/**
 * - appended: it is durable at position `after + 1`
 * - behind: another entry is at that position; read it first
 * - deposed: there is a newer term than `epoch`
 */
export type AppendResult = 'appended' | 'behind' | 'deposed';

/**
 * Bytes after which a read of the journal ends, so that it ends within its time over a slow network too. The first
 * entry is read whatever its size.
 */
export const READ_BYTES = 256 * 1024;

/** Whether entries that were read with this limit reach the end of the journal. */
export function isLast(entries: readonly JournalEntry[], limit: number): boolean {
  return entries.length < limit && entries.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0) < READ_BYTES;
}

/** The database is away, or an answer did not come in time: whether an entry was written is not known. */
export class JournalUnavailable extends Error {
  readonly code = 'JOURNAL_UNAVAILABLE';
}

/**
 * Synchronous: a write of the service is one turn of its event loop, embedded and in a cluster alike. Each call
 * ends within a fixed time.
 * @throws JournalUnavailable
 */
export interface Journal {
  head(): JournalHead;
  /** Entries after `position`, in order; where `isLast` says so, there is none beyond them. */
  after(position: number, limit: number): readonly JournalEntry[];
  /**
   * Compare-and-set on the head. May be repeated with the same entry: an entry that is already in is `appended`.
   */
  append(entry: NewEntry): AppendResult;
}
