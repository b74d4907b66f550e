// Service, cluster: elects the leader: the node that holds an advisory lock, under a numbered term.
// The lock ends with its connection; the term refuses later writes of a former leader.
// Runs in the thread with the connections (journal-worker.ts).
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { connect } from './connection.ts';
import type { JournalMessage } from './messages.ts';
import { LEADER_LOCK, LOCKS } from './schema.ts';
import { endSilent, SILENT_S } from './silence.ts';

/** Heartbeats are notifications: they write nothing. */
const HEARTBEAT_MS = 250;
const RECONNECT_MS = 250;
/** Head start of the former leader after a loss of all connections, so that no node rebuilds its service. */
const STAND_BACK_MS = 1_500;

export interface LeadershipDeps {
  readonly url: string;
  readonly node: string;
  /** How far this node has evaluated; null before the first evaluation. */
  readonly reached: () => { readonly position: number; readonly worldTime: number } | null;
  readonly send: (message: JournalMessage) => void;
  readonly signal: AbortSignal;
}

/** Contends for the lock until the signal aborts, and again after each loss of it. */
export async function contend(deps: LeadershipDeps): Promise<void> {
  const { url, signal } = deps;
  /** Stays true while the database cannot be reached. */
  let wasLeading = false;
  while (!signal.aborted) {
    let client: Client | null = null;
    const stopWatching = new AbortController();
    let hasLed = false;
    try {
      // A statement that waits for the lock needs no timeout.
      client = await connect(url, 'leader', null);
      const waiting = client;
      const end = (): void => void waiting.end().catch(() => undefined);
      signal.addEventListener('abort', end, { once: true });
      void endSilentLeaders(url, AbortSignal.any([signal, stopWatching.signal]));
      await waiting.query('SELECT pg_advisory_lock($1, $2)', [LOCKS, LEADER_LOCK]);
      stopWatching.abort();
      hasLed = true;
      await lead(waiting, deps);
    } catch {
      // The connection ended and released the lock; contend again.
    } finally {
      stopWatching.abort();
      await client?.end().catch(() => undefined);
    }
    wasLeading = hasLed || (wasLeading && client === null);
    await pause(wasLeading ? RECONNECT_MS : STAND_BACK_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** @throws when the connection ends */
async function lead(client: Client, { node, reached, send, signal }: LeadershipDeps): Promise<void> {
  const { rows } = await client.query<{ epoch: string }>(
    'UPDATE barograph.head SET epoch = epoch + 1, leader = $1 RETURNING epoch',
    [node],
  );
  const term = Number(rows[0]?.epoch);
  send({ kind: 'leading', epoch: term, before: term - 1 });
  while (!signal.aborted) {
    const at = reached();
    const payload = at === null ? null : JSON.stringify({ epoch: term, ...at });
    // Queries even without a payload, so that waiting nodes see a live connection.
    await withinTime(
      payload === null
        ? client.query('SELECT 1')
        : client.query("SELECT pg_notify('barograph_heartbeat', $1)", [payload]),
    );
    await pause(HEARTBEAT_MS, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Bounds the wait for an answer: in a network that drops everything, other nodes have replaced this leader.
 */
async function withinTime(answer: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer')), SILENT_S * 1_000);
  await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Uses a separate connection while this node waits for the lock. */
async function endSilentLeaders(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let client: Client | null = null;
    try {
      client = await connect(url, 'watch');
      while (!signal.aborted) {
        await endSilent(client, LEADER_LOCK);
        await pause(1_000, undefined, { signal });
      }
    } catch {
      // The database is unreachable, or the signal aborted.
    } finally {
      await client?.end().catch(() => undefined);
    }
    await pause(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
  }
}
