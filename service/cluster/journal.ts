// Service, cluster: the port of the journal, which orders the writes of all nodes.
// PostgreSQL implements it (postgres-journal.ts, behind journal-thread.ts); tests implement it in memory.

/** Instants are world ms. */
export interface JournalHead {
  /** Identity of the log; changes when a backup is restored, because positions then have other meanings. */
  readonly logId: string;
  /** Term of the leader; each new leader adds one. */
  readonly epoch: number;
  /** Position of the newest entry; 0 in an empty journal. */
  readonly position: number;
  /** World ms up to which the leader has evaluated. */
  readonly worldTime: number;
}

export interface JournalEntry {
  /** One more than the position of the previous entry. */
  readonly position: number;
  /** Unique among all entries of all nodes. */
  readonly id: string;
  /** Id of the previous entry, so that two histories cannot be joined; empty for the first. */
  readonly previous: string;
  readonly epoch: number;
  /** Row changes of one transaction (row-changes.ts), JSON. */
  readonly body: string;
}

export interface NewEntry {
  /** Unique among all entries of all nodes, so that an append whose answer was lost can be recognized. */
  readonly id: string;
  /** Position and id of the previous entry, as far as the writer knows; 0 and empty for the first. */
  readonly after: number;
  readonly previous: string;
  /** The writer's term if only the leader may write this; null: any node may. */
  readonly epoch: number | null;
  readonly body: string;
  /** The new world time of the head; null: unchanged. */
  readonly worldTime: number | null;
}

/**
 * - appended: the entry is durable at position `after + 1`
 * - behind: another entry has that position; read it first
 * - deposed: there is a newer term than `epoch`
 */
export type AppendResult = 'appended' | 'behind' | 'deposed';

/**
 * Bytes after which a read of the journal stops, to meet its deadline over a slow network. The first entry is
 * read whatever its size.
 */
export const READ_BYTES = 256 * 1024;

/** Whether entries that were read with this limit reach the end of the journal. */
export function isLast(entries: readonly JournalEntry[], limit: number): boolean {
  return entries.length < limit && entries.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0) < READ_BYTES;
}

/** The database is unreachable or timed out; the entry may or may not be written. */
export class JournalUnavailable extends Error {
  readonly code = 'JOURNAL_UNAVAILABLE';
}

/**
 * Synchronous: a write blocks the event loop, embedded and in a cluster alike. Each call has a timeout.
 * @throws JournalUnavailable
 */
export interface Journal {
  head(): JournalHead;
  /** Entries after `position`, in order; `isLast` says whether they reach the end. */
  after(position: number, limit: number): readonly JournalEntry[];
  /**
   * Compare-and-set on the head. Idempotent: an entry that the journal already has is `appended`.
   */
  append(entry: NewEntry): AppendResult;
}
