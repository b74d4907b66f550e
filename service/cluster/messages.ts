// Service, cluster: messages between the service's thread and the thread of the journal.
import type { MessagePort } from 'node:worker_threads';
import type { AppendResult, JournalEntry, JournalHead, NewEntry } from './journal.ts';

/** A monotonic clock that all threads of the process share, ms. */
export const threadTime = (): number => performance.timeOrigin + performance.now();

/** Start options of the thread. */
export interface ThreadOptions {
  /** May contain a password. */
  readonly url: string;
  readonly node: string;
  /** The flags that all nodes share, as a user reads them; null: not a node, accepts any. */
  readonly binding: string | null;
  /** A counter of answers, for Atomics.wait. */
  readonly answered: SharedArrayBuffer;
  /** Port for answers to requests with an `until`. */
  readonly answers: MessagePort;
}

/** The store after an entry, as a compressed SQLite file. */
export interface Snapshot {
  readonly position: number;
  readonly entry: string;
  readonly body: Uint8Array;
}

export interface OpenedJournal {
  readonly head: JournalHead & { readonly hasWorld: boolean };
  /** The flags that every node has, as a user reads them. */
  readonly binding: string;
  /** null: the journal has everything. */
  readonly snapshot: Snapshot | null;
  /** Offset of the database's clock from this computer's, ms. */
  readonly clockOffset: number;
}

/** Requests; the thread answers each. */
export interface Requests {
  readonly open: { readonly given: null; readonly answer: OpenedJournal };
  readonly head: { readonly given: null; readonly answer: JournalHead };
  readonly after: {
    readonly given: { readonly position: number; readonly limit: number };
    readonly answer: readonly JournalEntry[];
  };
  readonly append: { readonly given: NewEntry; readonly answer: AppendResult };
}

export type RequestName = keyof Requests;

export interface RequestMessage {
  readonly id: number;
  readonly name: RequestName;
  readonly given: unknown;
  /**
   * Deadline by `threadTime` of a blocking request; null: the caller waits asynchronously, without a
   * deadline.
   */
  readonly until: number | null;
}

export type AnswerMessage =
  | { readonly id: number; readonly answer: unknown }
  /** refused: this node must not run. */
  | { readonly id: number; readonly failed: string; readonly refused: boolean };

/** Commands; the thread does not answer them. */
export type Command =
  | { readonly kind: 'follow'; readonly after: number; readonly entry: string }
  /** Contends for leadership from now on. */
  | { readonly kind: 'campaign' }
  /** Takes its share of the lanes of webhooks from now on. */
  | { readonly kind: 'deliver' }
  /** Sent to all nodes with the next heartbeat while this node leads. */
  | { readonly kind: 'reached'; readonly position: number; readonly worldTime: number }
  /** Kept only while this node leads in that term. */
  | { readonly kind: 'snapshot'; readonly epoch: number; readonly snapshot: Snapshot }
  /** Calls of one minute since the last command, by name. */
  | { readonly kind: 'calls'; readonly minute: number; readonly calls: readonly (readonly [string, number])[] }
  | { readonly kind: 'close' };

export type JournalMessage =
  | { readonly kind: 'entries'; readonly entries: readonly JournalEntry[] }
  /** The leader has evaluated up to `worldTime`; the resulting entries are at `position` or before. */
  | { readonly kind: 'heartbeat'; readonly epoch: number; readonly position: number; readonly worldTime: number }
  | { readonly kind: 'head'; readonly head: JournalHead; readonly leader: string | null }
  /** This node leads. `before`: the previous term. */
  | { readonly kind: 'leading'; readonly epoch: number; readonly before: number }
  | { readonly kind: 'connected'; readonly isConnected: boolean }
  /** The replica cannot continue: the history changed, or unread entries were deleted. */
  | { readonly kind: 'lost'; readonly why: string }
  /** Locks of lanes that this node holds now. */
  | { readonly kind: 'lanes'; readonly lanes: readonly number[] }
  /** Calls of all nodes in a minute, for the names in the command. */
  | { readonly kind: 'calls'; readonly minute: number; readonly calls: readonly (readonly [string, number])[] };
