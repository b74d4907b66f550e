// Main, core: removes events with all their rows from the ledger, except events still needed.
import type { Database } from 'better-sqlite3';
import { type EntryIdentity, KNOWN } from './entries.ts';
import type { MetadataStore } from './metadata.ts';
import { dispatchId, type NotificationRowId } from './notification-ids.ts';
import type { RemovedEventStore } from './removed-events.ts';

/** An event that retention may remove. */
export interface Candidate extends EntryIdentity {
  /** This computer's clock, ms. */
  readonly received_ms: number;
}

export interface Removal {
  /** At most `limit` events after this one and up to `last`, in the ledger's order. */
  candidates(after: number, last: number, limit: number): Candidate[];
  /** Ledger id up to which events may be removed; 0: none. */
  last(): number;
  /** First ledger id from which unacknowledged events stay. */
  firstKeptUnacknowledged(): number;
  /** The subset of these events that is still needed. */
  neededOf(candidates: readonly Candidate[], unacknowledgedFrom: number): ReadonlySet<number>;
  /** Run it in a transaction. */
  remove(events: readonly Candidate[]): void;
  /** Removes closed gaps, ended mutes and finished notices before this instant, ms. Returns their number. */
  removeOthers(before: { readonly here: number; readonly world: number }, limit: number): number;
}

/** The newest events stay, whatever their age: lists, batches and the cursor need them. */
export const KEPT_EVENTS = 1_000;
/** Unacknowledged alerts stay while they are among this many newest notifications. */
const KEPT_NOTIFICATIONS = 10_000;
const KEPT_GAPS = 200;
const OPEN = "('intent', 'failed', 'batched', 'pending', 'muted')";
const NOTIFIED = "('intent', 'failed', 'shown', 'in_app', 'digest')";
const AMONG = 'ledger_id IN (SELECT value FROM json_each(@ids))';
/**
 * The newest of a symbol by arrival is sought among so many newest by time: one that arrived after all of
 * these is kept.
 */
const LATEST_ARRIVAL_AMONG = 20;
/** The newest events of the symbol of `e`, by time. */
const newestOfSymbol = (limit: number): string =>
  `FROM events AS other WHERE other.symbol = e.symbol AND to_state IS NOT NULL ORDER BY occurred_s DESC, ledger_id DESC LIMIT ${limit}`;

export interface RemovalDeps {
  readonly db: Database;
  readonly removed: RemovedEventStore;
  readonly metadata: Pick<MetadataStore, 'get' | 'set'>;
  /** How many of the newest events stay. */
  readonly keptEvents: number;
}

export function createRemoval({ db, removed, metadata, keptEvents }: RemovalDeps): Removal {
  const candidates = db.prepare<[number, number, number], Candidate>(
    `SELECT ${KNOWN}, received_ms FROM events WHERE ledger_id > ? AND ledger_id <= ? ORDER BY ledger_id LIMIT ?`,
  );
  const beforeNewest = db
    .prepare<[number], number>('SELECT ledger_id FROM events ORDER BY ledger_id DESC LIMIT 1 OFFSET ?')
    .pluck();
  // Later events decide whether the state of a queued event held.
  const oldestWaiting = db
    .prepare<[], number | null>(
      `SELECT min(ledger_id) FROM notifications INDEXED BY notifications_waiting
       WHERE outcome IN ('batched', 'pending', 'muted') AND outcome <> 'muted' AND ledger_id > 0`,
    )
    .pluck();
  const unacknowledgedFrom = db
    .prepare<[], number>(
      `SELECT ledger_id FROM notifications INDEXED BY notifications_event
       ORDER BY ledger_id DESC LIMIT 1 OFFSET ${KEPT_NOTIFICATIONS}`,
    )
    .pluck();
  const needed = db
    .prepare<[{ ids: string; from: number }], number>(
      `SELECT ledger_id FROM notifications WHERE ${AMONG} AND outcome IN ${OPEN}
       UNION SELECT m.ledger_id FROM notifications AS m JOIN notifications AS d ON d.id = m.digest_id
         WHERE m.${AMONG} AND (d.outcome IN ${OPEN} OR EXISTS (
           SELECT 1 FROM notifications AS c WHERE c.ledger_id = d.ledger_id AND c.outcome IN ${OPEN}
             AND substr(c.id, 1, length(d.id) + 1) = d.id || '@'))
       UNION SELECT ledger_id FROM notifications
         WHERE ${AMONG} AND ledger_id >= @from AND channel = 'desktop' AND outcome IN ${NOTIFIED}
           AND NOT EXISTS (SELECT 1 FROM annotations AS a WHERE a.ledger_id = notifications.ledger_id AND a.acked_ms IS NOT NULL)
       UNION SELECT ledger_id FROM annotations WHERE ${AMONG} AND note <> ''
       UNION SELECT ledger_id FROM events AS e WHERE ${AMONG} AND to_state IS NOT NULL AND (
         ledger_id = (SELECT ledger_id ${newestOfSymbol(1)})
         OR ledger_id >= (SELECT max(ledger_id) FROM (SELECT ledger_id ${newestOfSymbol(LATEST_ARRIVAL_AMONG)})))
       UNION SELECT ledger_id FROM events WHERE ${AMONG} AND (event_id IN (SELECT event_id FROM cursor)
         OR event_id IN (SELECT event_id FROM pending_events)
         OR event_id IN (SELECT value FROM metadata WHERE name = 'proven_event'))`,
    )
    .pluck();
  return {
    candidates: (after, last, limit) => candidates.all(after, last, limit),
    last: () => Math.min(beforeNewest.get(keptEvents) ?? 0, (oldestWaiting.get() ?? Number.MAX_SAFE_INTEGER) - 1),
    firstKeptUnacknowledged: () => (unacknowledgedFrom.get() ?? -1) + 1,
    neededOf: (some, from) => new Set(needed.all({ ids: idsOf(some), from })),
    remove: prepareRemove({ db, removed, metadata }),
    removeOthers: prepareOthers(db),
  };
}

/** Removes events and the rows that only they use; a digest goes with its last member. */
function prepareRemove({ db, removed, metadata }: Pick<RemovalDeps, 'db' | 'removed' | 'metadata'>): Removal['remove'] {
  const aliases = db.prepare<[{ ids: string }], { eventId: string; ledgerId: number }>(
    `SELECT event_id AS eventId, ledger_id AS ledgerId FROM aliases INDEXED BY aliases_event WHERE ${AMONG}`,
  );
  const digests = db.prepare<[{ ids: string }], NotificationRowId & { readonly ledgerId: number }>(
    `SELECT d.id, d.kind, d.channel, d.ledger_id AS ledgerId FROM notifications AS d WHERE d.id IN
       (SELECT digest_id FROM notifications WHERE ${AMONG} AND digest_id IS NOT NULL)
     UNION SELECT id, kind, channel, ledger_id FROM notifications WHERE ${AMONG} AND kind = 'digest'`,
  );
  const member = db.prepare<[string]>('SELECT 1 FROM notifications WHERE digest_id = ? LIMIT 1');
  const dropDigest = db.prepare<[{ id: string; ledgerId: number }]>(
    `DELETE FROM notifications WHERE ledger_id = @ledgerId AND outcome NOT IN ${OPEN}
       AND (kind = 'digest' OR NOT EXISTS (SELECT 1 FROM events AS e WHERE e.ledger_id = notifications.ledger_id))
       AND (id = @id OR substr(id, 1, length(@id) + 1) = @id || '@')`,
  );
  const drops = [
    // A notification that others joined goes with the last of them.
    `DELETE FROM notifications WHERE ${AMONG} AND kind <> 'digest' AND NOT EXISTS (
       SELECT 1 FROM notifications AS joined WHERE joined.digest_id = notifications.id
         AND joined.ledger_id NOT IN (SELECT value FROM json_each(@ids)))`,
    `DELETE FROM trace WHERE ${AMONG}`,
    `DELETE FROM annotations WHERE ${AMONG}`,
    `DELETE FROM aliases WHERE ${AMONG}`,
    `DELETE FROM events WHERE ${AMONG}`,
  ].map((sql) => db.prepare<[{ ids: string }]>(sql));
  const count = (name: 'removed_events' | 'removed_hashes', more: number): void =>
    metadata.set(name, String(Number(metadata.get(name) ?? 0) + more));
  return (events) => {
    if (events.length === 0) return;
    const ids = idsOf(events);
    count('removed_hashes', removed.keep(events, aliases.all({ ids })));
    count('removed_events', events.length);
    const named = digests.all({ ids });
    for (const drop of drops) drop.run({ ids });
    for (const row of named) {
      const id = dispatchId(row);
      if (member.get(id) === undefined) dropDigest.run({ id, ledgerId: row.ledgerId });
    }
  };
}

const idsOf = (events: readonly Candidate[]): string => JSON.stringify(events.map(({ ledger_id }) => ledger_id));

/** Removes rows that belong to no event. */
function prepareOthers(db: Database): Removal['removeOthers'] {
  // Lost and unreadable gaps are never closed, and age like closed ones.
  const gaps = db.prepare<[string, number]>(
    `DELETE FROM gaps WHERE id IN (SELECT id FROM gaps
       WHERE id <= (SELECT max(id) FROM gaps) - ${KEPT_GAPS} AND (closed = 1 OR kind IN ('lost', 'unreadable'))
         AND coalesce(to_at, from_at) < ? LIMIT ?)`,
  );
  const mutes = db.prepare<[number, number]>(
    `DELETE FROM mutes WHERE id IN (SELECT id FROM mutes
       WHERE id < (SELECT max(id) FROM mutes) AND ended_at IS NOT NULL AND made_ms < ? LIMIT ?)`,
  );
  const notices = db.prepare<[number, number]>(
    `DELETE FROM notifications WHERE id IN (SELECT id FROM notifications
       WHERE ledger_id = 0 AND outcome NOT IN ${OPEN} AND intent_ms < ? LIMIT ?)`,
  );
  return ({ here, world }, limit) =>
    gaps.run(new Date(world).toISOString(), limit).changes +
    mutes.run(here, limit).changes +
    notices.run(here, limit).changes;
}
