// Faults: cores without one safeguard, to prove that the simulation detects its absence.
// A mutant wraps the ledger that it opens, or the answers that it receives; the product's code is unchanged.

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, SqliteError } from 'better-sqlite3';
import { LEDGER_NAME, openDatabase } from '../../main/core/ledger/database.ts';
import type { EntryRow } from '../../main/core/ledger/entries.ts';
import type { Ledger } from '../../main/core/ledger/ledger.ts';
import type { PendingFilter, PendingNotification } from '../../main/core/ledger/notifications.ts';
import type { NotificationRequest, SettingsStore } from '../../main/core/ports.ts';
import { DEFAULT_SETTINGS } from '../../main/core/profiles/settings.ts';
import { watchedSymbols } from '../../shared/domain/watchlists.ts';
import type { Message } from '../../shared/text/message.ts';
import { isAboutNoEvent } from './core-simulation-oracle.ts';

/** Of the settings, in the folder of a life: what is forgotten about a ledger does not damage them. */
export const SETTINGS_FOLDER = 'data';

interface Mutant {
  /** The removed safeguard. */
  readonly what: string;
  /** Another safeguard that does the same work; null: the promise breaks, and the simulation detects it. */
  readonly caughtBy: string | null;
  /** Detected where the service often replaces its log; other lives hardly ever show it. */
  readonly isRestored?: boolean;
}

const mutants = {
  'no-unique-event': { what: 'the unique index on the event id and the second key', caughtBy: null },
  'no-backfill': { what: 'back-fill, and the cursor that is kept over a restart', caughtBy: null },
  'no-record': { what: 'the durable queue of notifications: it is kept in memory until they are sent', caughtBy: null },
  'early-cursor': { what: 'one transaction for cursor and events: the cursor is stored first', caughtBy: null },
  'no-replay': { what: 'dispatching a notification that a crash left pending', caughtBy: null },
  'past-as-news': {
    what: 'that the stream brings the present only while the log is read for the first time',
    caughtBy: null,
  },
  'desktop-away-is-outcome': {
    what: 'that a notification stays open while the desktop is away: it counts as shown in the app',
    caughtBy: null,
  },
  'no-unique-id': {
    what: 'the unique index on the event id alone',
    caughtBy: 'the second key; and the id of the notification, which is made from the event',
  },
  'no-second-key': { what: 'the index of the second key alone', caughtBy: null },
  'no-memory': { what: 'the ledger in memory while its file cannot be written', caughtBy: null },
  'missing-ledger-is-first-start': {
    what: 'asking other files whether there was a ledger, where its file is missing or empty',
    caughtBy: null,
  },
  'refusal-stops-for-good': {
    what: 'the attempts to open the stream after a refusal',
    caughtBy: null,
  },
  'key-without-proof': {
    what: 'that the service proves that it knows the key, before anything is sent to it',
    caughtBy: null,
  },
  'unreadable-is-dropped': { what: 'that an event which cannot be read is recorded', caughtBy: null },
  'damaged-settings-are-default': {
    what: 'the last good settings, where the file cannot be read: the default ones are used',
    caughtBy: null,
  },
  'no-removed-identity': { what: 'what stays of an event that retention removed', caughtBy: null },
  'impossible-date-is-read': {
    what: 'that a date of the year 58000 is read from the ledger as one that can be',
    caughtBy: null,
  },
  'date-is-kept': {
    what: 'the quarantine of dates: an event of next year keeps its date',
    caughtBy: 'reading the log by id, not by time; and the bounds of the newest known transition',
  },
  'backfill-begins-ahead': {
    what: 'that back-fill of a list by dates begins at or before what was proven: it begins at the newest date named',
    caughtBy: null,
  },
  'new-id-every-attempt': {
    what: 'that a notification which is dispatched again has the id of the first attempt',
    caughtBy: null,
  },
  'any-revision-settles': {
    what: 'that an answer to an older revision leaves a notification open that grew since',
    caughtBy: null,
  },
  'no-price-state': {
    what: 'that the side of its level on which a price was is kept over a restart',
    caughtBy: null,
  },
  'beginning-is-silent': {
    what: 'that what is High Risk when a symbol begins to be watched is notified',
    caughtBy: null,
  },
  'standing-clock-is-believed': {
    what: 'that a clock which stands, and is not declared as frozen, is an outage',
    caughtBy: null,
  },
  'overdue-is-not-awaited': { what: 'that a service whose decisions are overdue is an outage', caughtBy: null },
  'standstill-is-no-gap': { what: 'the gap of a service that answers and does not go on', caughtBy: null },
  'no-cursor': { what: 'the cursor that is kept over a restart, alone', caughtBy: null, isRestored: true },
} as const satisfies Readonly<Record<string, Mutant>>;
export type MutantName = keyof typeof mutants;
export const MUTANTS: Readonly<Record<MutantName, Mutant>> = mutants;
export const MUTANT_NAMES = Object.keys(mutants) as MutantName[];

export interface Mutation {
  /** It believes whatever claims to be the service. */
  readonly proofIsIgnored: boolean;
  readonly open: typeof openDatabase;
  /** The ledger as the mutant has it. */
  change(ledger: Ledger): Ledger;
  /** The settings as the mutant reads them. */
  settings(store: SettingsStore, isValid: () => boolean): SettingsStore;
  /** The notification as the desktop gets it. */
  request(request: NotificationRequest): NotificationRequest;
  /** The answer that replaces the service's; null: none. */
  answer(path: string): Response | null;
  /** The service answered. @returns the answer as the mutant reads it */
  answered(path: string, response: Response): Response | Promise<Response>;
  /** The address that the mutant asks. */
  url(url: string, ledger: Ledger | null): string;
  /** The headers that the mutant sends. */
  headers(path: string, headers: Headers, ledger: Ledger | null): Headers;
}

export function createMutation(mutant: MutantName | null): Mutation {
  /** The stream was refused since the program started: the mutant asks the service no more. */
  let isRefused = false;
  const attempts = new Map<string, number>();
  return {
    proofIsIgnored: mutant === 'key-without-proof',
    open(folder, stamp, evidence) {
      if (mutant === 'no-memory' && folder === ':memory:')
        throw new SqliteError('database or disk is full', 'SQLITE_FULL');
      isRefused = false;
      if (mutant === 'missing-ledger-is-first-start') forgetOthers(folder);
      const opened = openDatabase(folder, stamp, mutant === 'missing-ledger-is-first-start' ? undefined : evidence);
      const { db } = opened;
      if (mutant === 'no-unique-event' || mutant === 'no-unique-id') dropUniqueId(db);
      if (mutant === 'no-unique-event' || mutant === 'no-second-key') db.exec('DROP INDEX IF EXISTS events_second_key');
      if (mutant === 'no-backfill' || mutant === 'no-cursor') db.exec('UPDATE cursor SET event_id = NULL, seq = NULL');
      return opened;
    },
    change: (ledger) => change(mutant, ledger),
    settings: (store, isValid) =>
      mutant === 'damaged-settings-are-default'
        ? { ...store, read: () => (isValid() ? store.read() : DEFAULT_SETTINGS) }
        : store,
    request(request) {
      const { id } = request;
      const attempt = (attempts.get(id) ?? 0) + 1;
      attempts.set(id, attempt);
      if (mutant !== 'new-id-every-attempt' || attempt === 1 || isAboutNoEvent(id)) return request;
      return { ...request, id: `${id}#${attempt}`, names: request.names ?? [id] };
    },
    answer(path) {
      if (isRefused && path !== '/' && path !== '/proof') return new Response(null, { status: 401 });
      return mutant === 'no-backfill' && (path === '/events' || path === '/alert-transitions')
        ? Response.json({ data: [], has_more: false, next_cursor: null })
        : null;
    },
    answered(path, response) {
      const isRefusal = [204, 302, 401, 402, 403].includes(response.status);
      if (mutant === 'refusal-stops-for-good' && path === '/stream' && isRefusal) isRefused = true;
      if (!response.ok) return response;
      // As if it declared its clock as frozen, and as if it named no decision.
      if (mutant === 'standing-clock-is-believed' && path === '/') return changed(response, { speed: 0 });
      if (mutant === 'overdue-is-not-awaited' && path === '/snapshot')
        return changed(response, {}, { next_decision_at: undefined });
      return response;
    },
    url: (url, ledger) => (mutant === 'backfill-begins-ahead' && ledger !== null ? fromNewestDate(url, ledger) : url),
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

/** An answer with other fields, and its rows with others. */
async function changed(response: Response, fields: object, ofRows?: object): Promise<Response> {
  const body = { ...((await response.json()) as { data?: readonly object[] }), ...fields };
  const rows = ofRows === undefined ? {} : { data: body.data?.map((row) => ({ ...row, ...ofRows })) };
  return Response.json({ ...body, ...rows }, { headers: response.headers });
}

/** The list of transitions from the newest date that an event in the ledger names. */
function fromNewestDate(url: string, ledger: Ledger): string {
  const changed = new URL(url);
  const { searchParams, pathname } = changed;
  if (pathname !== '/alert-transitions' || !searchParams.has('from')) return url;
  const named = ledger.entries.after(0, 100_000).flatMap(({ body }) => /"occurred_at":"([^"]+)"/.exec(body)?.[1] ?? []);
  searchParams.set('from', [searchParams.get('from') ?? '', ...named].sort().at(-1) ?? '');
  return changed.href;
}

/** Where the ledger is missing, nothing else tells of it. */
function forgetOthers(folder: string): void {
  const path = join(folder, LEDGER_NAME);
  if (!existsSync(folder) || (existsSync(path) && statSync(path).size > 0)) return;
  for (const name of readdirSync(folder))
    if (name !== SETTINGS_FOLDER) rmSync(join(folder, name), { recursive: true, force: true });
}

function change(mutant: MutantName | null, ledger: Ledger): Ledger {
  if (mutant === 'no-record') return keepInMemory(ledger);
  if (mutant === 'early-cursor') return moveCursorFirst(ledger);
  if (mutant === 'desktop-away-is-outcome') return acceptAway(ledger);
  if (mutant === 'no-replay') return forgetOpen(ledger);
  if (mutant === 'any-revision-settles') return settleAnyRevision(ledger);
  if (mutant === 'standstill-is-no-gap') {
    const isOf = ({ code }: Message): boolean => code === 'connection.clock_stands' || code === 'connection.overdue';
    return { ...ledger, openGap: (...gap) => !isOf(gap[3]) && ledger.openGap(...gap) };
  }
  if (mutant === 'no-price-state') return { ...ledger, priceStates: { ...ledger.priceStates, all: () => new Map() } };
  if (mutant === 'beginning-is-silent') return withoutBeginning(ledger);
  if (mutant === 'impossible-date-is-read') return { ...ledger, entries: withImpossibleDates(ledger.entries) };
  if (mutant === 'date-is-kept') return { ...ledger, ingest: ({ checkDate: _, ...arrival }) => ledger.ingest(arrival) };
  if (mutant === 'no-removed-identity')
    return {
      ...ledger,
      ingest(arrival) {
        ledger.db().exec('DELETE FROM removed_events');
        ledger.removed.reload();
        return ledger.ingest(arrival);
      },
    };
  if (mutant === 'unreadable-is-dropped')
    return {
      ...ledger,
      ingest: (arrival) =>
        ledger.ingest({
          ...arrival,
          events: arrival.events.filter(({ assumptions }) => !assumptions.includes('unreadable')),
        }),
    };
  return ledger;
}

/** Every symbol counts as watched before. */
function withoutBeginning(ledger: Ledger): Ledger {
  const { metadata } = ledger;
  const all = JSON.stringify(watchedSymbols(DEFAULT_SETTINGS.watchlists));
  return { ...ledger, metadata: { ...metadata, get: (name) => (name === 'watched' ? all : metadata.get(name)) } };
}

/** As version 6 of the ledger read them, which took microseconds for milliseconds. */
function withImpossibleDates(entries: Ledger['entries']): Ledger['entries'] {
  const asRead = (row: unknown): unknown => {
    const { assumptions, transition } = row as Partial<EntryRow>;
    if (transition == null || assumptions?.split(',').includes('date') !== true) return row;
    return { ...(row as EntryRow), transition: { ...transition, occurred_at: '+058013-01-02T00:00:00.000Z' } };
  };
  const read = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(asRead) : typeof value === 'object' && value !== null ? asRead(value) : value;
  const names = Object.keys(entries) as (keyof Ledger['entries'])[];
  return Object.fromEntries(
    names.map((name) => [name, (...given: never[]) => read((entries[name] as (...all: never[]) => unknown)(...given))]),
  ) as unknown as Ledger['entries'];
}

/** Rebuilds the table of events without the key, once. */
function dropUniqueId(db: Database): void {
  const table = db.prepare<[], string>("SELECT sql FROM sqlite_master WHERE name = 'events'").pluck().get() ?? '';
  if (!table.includes('NOT NULL UNIQUE')) return;
  const indexes = db
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'events' AND sql IS NOT NULL",
    )
    .all();
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  db.exec('ALTER TABLE events RENAME TO keyed');
  db.exec(table.replace('NOT NULL UNIQUE', 'NOT NULL'));
  db.exec(`INSERT INTO events SELECT * FROM keyed; DROP TABLE keyed; ${indexes.map(({ sql }) => sql).join(';')}`);
}

const isOf =
  (of: PendingFilter) =>
  ({ channel }: PendingNotification): boolean =>
    of === 'all' || (of === 'others') === (channel !== 'desktop');

function keepInMemory(ledger: Ledger): Ledger {
  const memory = new Map<string, PendingNotification>();
  const { notifications } = ledger;
  return {
    ...ledger,
    notifications: {
      ...notifications,
      move(id, to, reason, batch, at) {
        notifications.move(id, to, reason, batch, at);
        const pending = to === 'intent' ? notifications.byId(id) : null;
        if (pending === null) return;
        memory.set(id, pending);
        notifications.record(id, 'shown', at, null);
      },
      pending: (limit, of = 'all') =>
        [...[...memory.values()].filter(isOf(of)), ...notifications.pending(limit, of)].slice(0, limit),
      record(id, outcome, at, detail, revision) {
        const notification = memory.get(id);
        if (notification === undefined) return notifications.record(id, outcome, at, detail, revision);
        if (outcome !== 'failed') memory.delete(id);
        return [notification.ledgerId];
      },
    },
  };
}

function moveCursorFirst(ledger: Ledger): Ledger {
  return {
    ...ledger,
    ingest(arrival) {
      try {
        return ledger.ingest(arrival);
      } catch (error) {
        // The error came after the cursor was on the disk.
        const last = arrival.events.findLast(({ seq }) => seq !== null && seq > (ledger.cursor().seq ?? 0));
        if (last !== undefined)
          ledger.db().prepare('UPDATE cursor SET event_id = ?, seq = ?').run(last.eventId, last.seq);
        throw error;
      }
    },
  };
}

function acceptAway(ledger: Ledger): Ledger {
  const { notifications } = ledger;
  return {
    ...ledger,
    notifications: {
      ...notifications,
      record: (id, outcome, at, detail, revision) =>
        notifications.record(id, detail?.code === 'delivery.away' ? 'in_app' : outcome, at, detail, revision),
    },
  };
}

function settleAnyRevision(ledger: Ledger): Ledger {
  const { notifications } = ledger;
  const record: typeof notifications.record = (id, outcome, at, detail) =>
    notifications.record(id, outcome, at, detail);
  return { ...ledger, notifications: { ...notifications, record } };
}

function forgetOpen(ledger: Ledger): Ledger {
  const { notifications } = ledger;
  const left = new Set(notifications.pending(100_000).map(({ id }) => id));
  return {
    ...ledger,
    notifications: {
      ...notifications,
      pending: (limit, of) => notifications.pending(limit + left.size, of).filter(({ id }) => !left.has(id)),
    },
  };
}
