// Service, cluster: follows the journal by its notifications, which contain the entries.
// Also reads and polls: an entry may be too large for a notification, and a notification may be lost.
// Runs in the thread with the connections (journal-worker.ts).
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, Notification } from 'pg';
import { connect } from './connection.ts';
import { isLast, type JournalEntry } from './journal.ts';
import type { JournalMessage } from './messages.ts';
import { type HeadRow, headOf, type PostgresJournal } from './postgres-journal.ts';

/** Every node refuses a revoked key within a second, even when its notification was lost. */
const POLL_MS = 500;
const READ_ENTRIES = 200;
const RECONNECT_MS = 250;

export interface FollowDeps {
  readonly url: string;
  readonly journal: Pick<PostgresJournal, 'whyLost' | 'afterOver' | 'notified'>;
  /** Position and id of the last entry that the replica has. */
  readonly after: number;
  readonly entry: string;
  readonly send: (message: JournalMessage) => void;
  readonly signal: AbortSignal;
}

/** Resolves when the signal aborts, or when the log is lost. */
export async function follow({ url, journal, after, entry, send, signal }: FollowDeps): Promise<void> {
  const read = { position: after, entry, epoch: 0 };
  let isLost = false;
  while (!signal.aborted && !isLost) {
    let client: Client | null = null;
    try {
      client = await connect(url, 'follow');
      isLost = await followOver(client, { journal, read, send, signal });
    } catch {
      send({ kind: 'connected', isConnected: false });
    } finally {
      await client?.end().catch(() => undefined);
    }
    if (!isLost) await pause(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
  }
}

interface Reading {
  readonly journal: FollowDeps['journal'];
  readonly read: { position: number; entry: string; epoch: number };
  readonly send: FollowDeps['send'];
  readonly signal: AbortSignal;
}

/** @returns whether the log is lost. @throws when the connection ends */
async function followOver(client: Client, { signal, ...reading }: Reading): Promise<boolean> {
  const ending = new AbortController();
  const both = { ...reading, signal: AbortSignal.any([signal, ending.signal]) };
  if (await checkHead(client, both)) return true;
  try {
    // Concurrent, so that a check does not delay an entry.
    return await Promise.race([readEntries(client, both), keepChecking(client, both)]);
  } finally {
    ending.abort();
  }
}

async function keepChecking(client: Client, reading: Reading): Promise<boolean> {
  const { signal } = reading;
  for (;;) {
    await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return false;
    if (await checkHead(client, reading)) return true;
  }
}

/** Checks that the database still has the log of this node. @returns whether it is lost */
async function checkHead(client: Client, { journal, read, send }: Reading): Promise<boolean> {
  // A copy, because entries are read meanwhile.
  const why = await journal.whyLost({ ...read });
  if (why !== null) {
    send({ kind: 'lost', why });
    return true;
  }
  const { rows } = await client.query<HeadRow>('SELECT * FROM barograph.head');
  if (rows[0] !== undefined) send({ kind: 'head', head: headOf(rows[0]), leader: rows[0].leader });
  return false;
}

async function readEntries(client: Client, { journal, read, send, signal }: Reading): Promise<boolean> {
  let wake = (): void => undefined;
  let isAwake = false;
  /** Entries of the notifications since the last check; null: a notification came without its entry. */
  let notified: JournalEntry[] | null = [];
  client.on('notification', ({ channel, payload = '' }: Notification) => {
    if (channel === 'barograph_heartbeat') send({ kind: 'heartbeat', ...(JSON.parse(payload) as Heartbeat) });
    if (channel !== 'barograph_journal') return;
    const entry = journal.notified(payload);
    notified = entry === null || notified === null || notified.length === READ_ENTRIES ? null : [...notified, entry];
    isAwake = true;
    wake();
  });
  client.on('end', () => wake());
  signal.addEventListener('abort', () => wake(), { once: true });
  await client.query('LISTEN barograph_journal; LISTEN barograph_heartbeat');
  while (!signal.aborted) {
    isAwake = false;
    const fresh = nextIn(notified, read.position);
    notified = [];
    const entries = fresh ?? (await journal.afterOver(client, read.position, READ_ENTRIES));
    if (signal.aborted) break;
    const [first] = entries;
    if (first !== undefined && (first.position !== read.position + 1 || first.previous !== read.entry)) {
      const why = (await journal.whyLost({ ...read })) ?? 'the journal was cut before this node had read it';
      send({ kind: 'lost', why });
      return true;
    }
    if (entries.length > 0) send({ kind: 'entries', entries });
    for (const { position, id, epoch } of entries)
      Object.assign(read, { position, entry: id, epoch: Math.max(epoch, read.epoch) });
    if (!isLast(entries, READ_ENTRIES) || isAwake) continue;
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const timer = setTimeout(resolve, POLL_MS);
    await promise;
    clearTimeout(timer);
  }
  return false;
}

/** Notified entries beyond a position; null: incomplete, so the journal must be read. */
function nextIn(notified: readonly JournalEntry[] | null, position: number): readonly JournalEntry[] | null {
  if (notified === null || notified.length === 0) return null;
  const fresh = notified.filter((entry) => entry.position > position);
  return fresh.every((entry, index) => entry.position === position + 1 + index) ? fresh : null;
}

type Heartbeat = Omit<Extract<JournalMessage, { kind: 'heartbeat' }>, 'kind'>;
