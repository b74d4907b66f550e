// Faults: cores without one safeguard, to prove that the simulation detects its absence.
// A mutant wraps the ledger that it opens, or the answers that it receives; the product's code is unchanged.
import type { Database } from 'better-sqlite3';
import { openDatabase } from '../../main/core/ledger/database.ts';
import { createLedger, type Evaluator, type Ledger } from '../../main/core/ledger/ledger.ts';
import type { Intent } from '../../main/core/ledger/notifications.ts';

interface Mutant {
  /** What is taken out. */
  readonly what: string;
  /** Another safeguard that does its work as well; null: without it the promise is broken, and the simulation finds out. */
  readonly caughtBy: string | null;
}

const mutants = {
  'no-unique-event': { what: 'the unique index on the event id and the second key', caughtBy: null },
  'no-backfill': { what: 'back-fill, and the cursor that is kept over a restart', caughtBy: null },
  'no-record': { what: 'the durable queue of notifications: it is kept in memory until they are sent', caughtBy: null },
  'early-cursor': { what: 'one transaction for cursor and events: the cursor is stored first', caughtBy: null },
  'no-replay': { what: 'taking up an intent that a crash left open', caughtBy: null },
  'past-as-news': {
    what: 'that the stream brings the present only while the log is read for the first time',
    caughtBy: null,
  },
  'no-unique-id': {
    what: 'the unique index on the event id alone',
    caughtBy: 'the second key; and the id of the notification, which is made from the event',
  },
  'no-second-key': { what: 'the index of the second key alone', caughtBy: null },
  'no-cursor': { what: 'the cursor that is kept over a restart, alone', caughtBy: null },
} as const satisfies Readonly<Record<string, Mutant>>;
export type MutantName = keyof typeof mutants;
export const MUTANTS: Readonly<Record<MutantName, Mutant>> = mutants;
export const MUTANT_NAMES = Object.keys(mutants) as MutantName[];

export const isMutant = (name: string): name is MutantName => Object.hasOwn(MUTANTS, name);

export interface Mutation {
  open(folder: string, stamp: string): { readonly ledger: Ledger; readonly db: Database };
  /** What the core receives instead of the service's answer; null: that answer. */
  answer(path: string): Response | null;
  /** Headers as the mutant sends them. */
  headers(path: string, headers: Headers, ledger: Ledger | null): Headers;
}

export function createMutation(mutant: MutantName | null): Mutation {
  return {
    open(folder, stamp) {
      const opened = openDatabase(folder, stamp);
      const { db } = opened;
      if (mutant === 'no-unique-event' || mutant === 'no-unique-id') dropUniqueId(db);
      if (mutant === 'no-unique-event' || mutant === 'no-second-key') db.exec('DROP INDEX IF EXISTS events_second_key');
      if (mutant === 'no-backfill' || mutant === 'no-cursor') db.exec('UPDATE cursor SET event_id = NULL, seq = NULL');
      const ledger = createLedger(opened);
      return { ledger: change(mutant, ledger, db), db };
    },
    answer: (path) =>
      mutant === 'no-backfill' && (path === '/events' || path === '/alert-transitions')
        ? Response.json({ data: [], has_more: false, next_cursor: null })
        : null,
    headers(path, headers, ledger) {
      const cursor = ledger?.cursor().eventId ?? null;
      if (mutant !== 'past-as-news' || path !== '/stream' || cursor === null || headers.has('last-event-id'))
        return headers;
      const changed = new Headers(headers);
      changed.set('last-event-id', cursor);
      return changed;
    },
  };
}

function change(mutant: MutantName | null, ledger: Ledger, db: Database): Ledger {
  if (mutant === 'no-record') return keepInMemory(ledger);
  if (mutant === 'early-cursor') return moveCursorFirst(ledger, db);
  if (mutant === 'no-replay') return forgetOpen(ledger);
  return ledger;
}

/** Rebuilds the events without that key, once. */
function dropUniqueId(db: Database): void {
  const sqlOf = db.prepare<[string], { sql: string }>('SELECT sql FROM sqlite_master WHERE name = ?');
  const table = sqlOf.get('events')?.sql ?? '';
  const secondKey = sqlOf.get('events_second_key')?.sql ?? '';
  if (!table.includes('NOT NULL UNIQUE')) return;
  db.exec('DROP INDEX events_second_key; ALTER TABLE events RENAME TO keyed');
  db.exec(table.replace('NOT NULL UNIQUE', 'NOT NULL'));
  db.exec(`INSERT INTO events SELECT * FROM keyed; DROP TABLE keyed; ${secondKey}`);
}

function keepInMemory(ledger: Ledger): Ledger {
  const memory = new Map<string, Intent>();
  const { notifications } = ledger;
  return {
    ...ledger,
    ingest(arrival) {
      const unwritten: { readonly eventId: string; readonly intent: Omit<Intent, 'ledgerId'> }[] = [];
      const evaluate: Evaluator = (event, source) => {
        const decision = arrival.evaluate(event, source);
        if (decision.notification?.outcome !== 'intent') return decision;
        const { id, kind, baseRate, reason } = decision.notification;
        unwritten.push({
          eventId: event.eventId,
          intent: { id, kind, baseRate, reason, channel: 'desktop', attempts: 0, since: arrival.receivedAt },
        });
        return { ...decision, notification: null };
      };
      const ingested = ledger.ingest({ ...arrival, evaluate });
      for (const { eventId, intent } of unwritten) {
        const added = ingested.added.find(({ event }) => event.eventId === eventId);
        if (added !== undefined) memory.set(intent.id, { ...intent, ledgerId: added.ledgerId });
      }
      return { ...ingested, intents: ingested.intents + unwritten.length };
    },
    notifications: {
      ...notifications,
      openIntents: (limit) => [...memory.values(), ...notifications.openIntents(limit)].slice(0, limit),
      record(id, outcome, at, detail) {
        const intent = memory.get(id);
        if (intent === undefined) return notifications.record(id, outcome, at, detail);
        if (outcome !== 'failed') memory.delete(id);
        return [intent.ledgerId];
      },
    },
  };
}

function moveCursorFirst(ledger: Ledger, db: Database): Ledger {
  const move = db.prepare('UPDATE cursor SET event_id = ?, seq = ?');
  return {
    ...ledger,
    ingest(arrival) {
      try {
        return ledger.ingest(arrival);
      } catch (error) {
        // Whatever ended it came after the cursor was on the disk.
        const last = arrival.events.findLast(({ seq }) => seq !== null && seq > (ledger.cursor().seq ?? 0));
        if (last !== undefined) move.run(last.eventId, last.seq);
        throw error;
      }
    },
  };
}

function forgetOpen(ledger: Ledger): Ledger {
  const { notifications } = ledger;
  const left = new Set(notifications.openIntents(100_000).map(({ id }) => id));
  return {
    ...ledger,
    notifications: {
      ...notifications,
      openIntents: (limit) => notifications.openIntents(limit + left.size).filter(({ id }) => !left.has(id)),
    },
  };
}
