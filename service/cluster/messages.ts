// Service, cluster: messages between the service's thread and the thread of the journal.
import type { MessagePort } from 'node:worker_threads';
import type { AppendResult, JournalEntry, JournalHead, NewEntry } from './journal.ts';

/** The same in every thread of the process, ms; never runs back. */
export const threadTime = (): number => performance.timeOrigin + performance.now();

/** What every node of a database must have been started with. */
export interface NodeBinding {
  /** As a user reads them. */
  readonly flags: string;
  /** --no-prices, apart from the flags because a database of an older version does not say it. */
  readonly withholdsPrices: boolean;
}

/** What the thread is started with. */
export interface ThreadOptions {
  /** May contain a password. */
  readonly url: string;
  readonly node: string;
  /** null: it is no node, and takes what is there. */
  readonly binding: NodeBinding | null;
  /** One number that grows with every answer, to wait on. */
  readonly answered: SharedArrayBuffer;
  /** Where answers to requests with an `until` go. */
  readonly answers: MessagePort;
}

/** The store as it is after an entry, as a compressed SQLite file. */
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
  /** Clock of the database less that of this computer, ms. */
  readonly clockOffset: number;
}

/** Each is answered. */
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
  /** Instant of `threadTime` after which nobody waits; null: somebody does, without holding up its thread. */
  readonly until: number | null;
}

export type AnswerMessage =
  | { readonly id: number; readonly answer: unknown }
  /** refused: this node must not run. */
  | { readonly id: number; readonly failed: string; readonly refused: boolean };

/** Not answered. */
export type Command =
  | { readonly kind: 'follow'; readonly after: number; readonly entry: string }
  /** Contends for leadership from now on. */
  | { readonly kind: 'campaign' }
  /** Takes its share of the lanes of webhooks from now on. */
  | { readonly kind: 'deliver' }
  /** Said to all nodes with the next heartbeat, while this node leads. */
  | { readonly kind: 'reached'; readonly position: number; readonly worldTime: number }
  /** Kept only while this node leads in that term. */
  | { readonly kind: 'snapshot'; readonly epoch: number; readonly snapshot: Snapshot }
  /** Calls since the last command, by name, of a minute. */
  | { readonly kind: 'calls'; readonly minute: number; readonly calls: readonly (readonly [string, number])[] }
  | { readonly kind: 'close' };

export type JournalMessage =
  | { readonly kind: 'entries'; readonly entries: readonly JournalEntry[] }
  /** The leader has evaluated up to `worldTime`; everything that came of it is at `position` or before. */
  | { readonly kind: 'heartbeat'; readonly epoch: number; readonly position: number; readonly worldTime: number }
  | { readonly kind: 'head'; readonly head: JournalHead; readonly leader: string | null }
  /** This node leads. `before`: the term that was before it. */
  | { readonly kind: 'leading'; readonly epoch: number; readonly before: number }
  | { readonly kind: 'connected'; readonly isConnected: boolean }
  /** The replica cannot be continued: history is another one, or the journal was cut before it was read. */
  | { readonly kind: 'lost'; readonly why: string }
  /** Locks of lanes that this node holds now. */
  | { readonly kind: 'lanes'; readonly lanes: readonly number[] }
  /** Calls of all nodes in a minute, for the names in the command. */
  | { readonly kind: 'calls'; readonly minute: number; readonly calls: readonly (readonly [string, number])[] };
