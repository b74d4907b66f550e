// Main, core: the ledger's events, each written once under one identity, whatever source repeats it.
import type { Database } from 'better-sqlite3';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';

/** Where an event is in the ledger, and the fields that identify it. */
export interface EntryIdentity {
  readonly ledger_id: number;
  readonly event_id: string;
  /** Null: nothing was assumed. */
  readonly assumptions: string | null;
  readonly log: number;
  readonly seq: number | null;
  readonly sources: string;
}

export interface EntryRow extends EntryIdentity {
  readonly event: string;
  readonly symbol: string | null;
  readonly to_state: number | null;
  readonly body: string;
  readonly occurred_s: number;
  readonly received_ms: number;
  /** Code of the decision by the rules; null where no decision was needed. */
  readonly decision: string | null;
}

export interface EntryStore {
  /** Writes the event unless its id or second key is taken. Returns its ledger id, or null. */
  insert(
    event: ReceivedEvent,
    arrival: ArrivalOrigin,
    log: number,
    decision: string | null,
    duplicateIndex: number,
  ): number | null;
  findById(eventId: string): EntryIdentity | undefined;
  /** By an id that was merged into another event's row. */
  findByAlias(eventId: string): EntryIdentity | undefined;
  /** Every event with the same second key: symbol, state entered, second. */
  findDuplicates(event: ReceivedEvent): EntryIdentity[];
  /**
   * Another event of this log has this number. Reads the whole ledger: call it only when a number is in
   * doubt.
   */
  isNumberTaken(event: ReceivedEvent, log: number): boolean;
  /** The other half of a pair of signal.created and signal.* of one symbol and state within 60 s. */
  findCounterpart(event: ReceivedEvent): EntryIdentity | undefined;
  /** Records the arrival of a known event: its source, its number in the present log, its further id. */
  merge(known: EntryIdentity, event: ReceivedEvent, log: number, source: ArrivalSource): boolean;
  count(): number;
  byLedgerIds(ids: readonly number[]): EntryRow[];
  /** At most `limit` entries after this one, in the ledger's order. */
  after(ledgerId: number, limit: number): EntryRow[];
  /**
   * The signal.* entries that occurred last, newest first. Order of arrival does not tell: back-fill brings
   * old events late.
   */
  newestSignals(limit: number): EntryRow[];
  /** The signal.* entries of one symbol since an instant, oldest first; beyond `limit`, the newest. */
  signalsOf(symbol: string, sinceSeconds: number, limit: number): EntryRow[];
  /**
   * The signal.* entries of one symbol in [from, to], oldest first; beyond `limit`, the oldest. World time,
   * seconds.
   */
  signalsWithin(symbol: string, from: number, to: number, limit: number): EntryRow[];
  /** The number of those entries, counted up to `limit`. */
  countWithin(symbol: string, from: number, to: number, limit: number): number;
  /** The signal.* entries that occurred in [from, to), oldest first; world time, seconds. */
  signalsBetween(from: number, to: number, limit: number): EntryRow[];
  /**
   * The last signal.* entry of a symbol up to this instant, at most 400 days before it; world time, seconds.
   */
  signalBefore(symbol: string, at: number): EntryRow | undefined;
  /** The signal.* entries older than a given one, newest first: the next page of a list. Seconds. */
  signalsBefore(occurred: number, ledgerId: number, limit: number): EntryRow[];
  /** Entries of other kinds among the last ones written, oldest first. */
  othersSince(sinceSeconds: number, names: readonly string[], limit: number): EntryRow[];
  /** World time, ms, to the second. */
  occurredAt(eventId: string): number | undefined;
}

/** How and when an event arrived. */
export interface ArrivalOrigin {
  readonly source: ArrivalSource;
  /** This computer's clock, ms. */
  readonly receivedAt: number;
}

/**
 * Greatest distance of an alias event from the event that it announces, seconds (docs/contract.md,
 * "Identity").
 */
const ALIAS_SECONDS = 60;
const ALIAS_NAME = 'signal.created';
/** Rows at the ledger's end that are searched for events without a state. */
const OTHERS_READ = 200_000;
/** A state entered longer ago than this is not searched for, seconds. */
const LONGEST_STATE = 400 * 86_400;
const KNOWN = 'ledger_id, event_id, assumptions, log, seq, sources';
const ROW = `${KNOWN}, event, symbol, to_state, body, occurred_s, received_ms, decision`;

const seconds = (ms: number): number => Math.floor(ms / 1000);

/** True for an event that arrived without an id. */
export const hasNoId = (assumptions: string | null): boolean => assumptions?.split(',').includes('id') === true;
const withoutId = (assumptions: string | null): string | null => {
  const left = assumptions?.split(',').filter((assumption) => assumption !== 'id') ?? [];
  return left.length === 0 ? null : left.join(',');
};

export function createEntryStore(db: Database): EntryStore {
  const insertion = (duplicateIndex: string, sources: string, assumptions: string) =>
    db.prepare(`INSERT INTO events (event_id, seq, log, event, symbol, to_state, occurred_s, received_ms, decision, body, duplicate_index, sources, assumptions)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${duplicateIndex}, ${sources}, ${assumptions}) ON CONFLICT DO NOTHING`);
  const put = insertion('?', '?', '?');
  // Each bound value costs 2 % of the insert: values shared by nearly all events of a source are literals of
  // its statement.
  const plain: Readonly<Record<ArrivalSource, typeof put>> = {
    stream: insertion('0', "'stream'", 'NULL'),
    relay: insertion('0', "'relay'", 'NULL'),
    backfill: insertion('0', "'backfill'", 'NULL'),
    poll: insertion('0', "'poll'", 'NULL'),
  };
  const byId = db.prepare<[string], EntryIdentity>(`SELECT ${KNOWN} FROM events WHERE event_id = ?`);
  const byAlias = db.prepare<[string], EntryIdentity>(
    `SELECT ${KNOWN} FROM events WHERE ledger_id = (SELECT ledger_id FROM aliases WHERE event_id = ?)`,
  );
  const bySecondKey = db.prepare<[string, number, number], EntryIdentity>(
    `SELECT ${KNOWN} FROM events WHERE symbol = ? AND occurred_s = ? AND to_state = ? ORDER BY duplicate_index`,
  );
  const nearby = db.prepare<[string, number, number, number, string], EntryIdentity & { event: string }>(
    `SELECT ${KNOWN}, event FROM events WHERE symbol = ? AND occurred_s BETWEEN ? AND ? AND to_state = ? AND event_id <> ? ORDER BY occurred_s`,
  );
  const numberTaken = db.prepare<[number, number, string], { yes: number }>(
    'SELECT 1 AS yes FROM events WHERE log = ? AND seq = ? AND event_id <> ? LIMIT 1',
  );
  const putAlias = db.prepare('INSERT INTO aliases (event_id, ledger_id) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const hasId = db.prepare<[number, string], { yes: number }>(
    'SELECT 1 AS yes FROM events WHERE ledger_id = ? AND event_id = ?',
  );
  const setPosition = db.prepare(
    'UPDATE events SET log = ?, seq = ?, sources = ?, assumptions = ? WHERE ledger_id = ?',
  );
  const highest = db.prepare<[], { n: number | null }>('SELECT max(ledger_id) AS n FROM events');
  const byLedgerId = db.prepare<[number], EntryRow>(`SELECT ${ROW} FROM events WHERE ledger_id = ?`);
  const beyond = db.prepare<[number, number], EntryRow>(
    `SELECT ${ROW} FROM events WHERE ledger_id > ? ORDER BY ledger_id LIMIT ?`,
  );
  const newest = db.prepare<[number], EntryRow>(
    `SELECT ${ROW} FROM events WHERE to_state IS NOT NULL ORDER BY occurred_s DESC, ledger_id DESC LIMIT ?`,
  );
  const ofSymbol = db.prepare<[string, number, number], EntryRow>(
    `SELECT ${ROW} FROM (SELECT * FROM events WHERE symbol = ? AND occurred_s >= ? AND to_state IS NOT NULL ORDER BY occurred_s DESC LIMIT ?) ORDER BY occurred_s, ledger_id`,
  );
  const within = db.prepare<[string, number, number, number], EntryRow>(
    `SELECT ${ROW} FROM events WHERE symbol = ? AND occurred_s >= ? AND occurred_s <= ? AND to_state IS NOT NULL ORDER BY occurred_s, ledger_id LIMIT ?`,
  );
  // Newest first: a symbol that changes often reaches the limit soon, and SQLite reads the index alone.
  const counted = db.prepare<[string, number, number, number], { n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM events WHERE symbol = ? AND occurred_s >= ? AND occurred_s <= ? AND to_state IS NOT NULL
     ORDER BY occurred_s DESC LIMIT ?)`,
  );
  const between = db.prepare<[number, number, number], EntryRow>(
    `SELECT ${ROW} FROM events WHERE occurred_s >= ? AND occurred_s < ? AND to_state IS NOT NULL ORDER BY occurred_s, ledger_id LIMIT ?`,
  );
  const lastOf = db.prepare<[string, number, number], EntryRow>(
    `SELECT ${ROW} FROM events WHERE symbol = ? AND occurred_s BETWEEN ? AND ? AND to_state IS NOT NULL ORDER BY occurred_s DESC, ledger_id DESC LIMIT 1`,
  );
  const before = db.prepare<[number, number, number], EntryRow>(
    `SELECT ${ROW} FROM events WHERE (occurred_s, ledger_id) < (?, ?) AND to_state IS NOT NULL ORDER BY occurred_s DESC, ledger_id DESC LIMIT ?`,
  );
  // There is no index on names: only the newest rows of the ledger are read.
  const others = db.prepare<[number, number, string, number], EntryRow>(
    `SELECT ${ROW} FROM events WHERE ledger_id > ? AND to_state IS NULL AND occurred_s >= ? AND event IN (SELECT value FROM json_each(?))
     ORDER BY occurred_s, ledger_id LIMIT ?`,
  );
  const whenById = db.prepare<[string], { occurred_s: number }>('SELECT occurred_s FROM events WHERE event_id = ?');
  // The name is a literal: only then does SQLite use the partial index on these events.
  let aliasSeen = db.prepare(`SELECT 1 FROM events WHERE event = '${ALIAS_NAME}' LIMIT 1`).get() !== undefined;

  return {
    insert(event, arrival, log, decision, duplicateIndex) {
      const { eventId, seq, event: name, symbol, transition, body, assumptions } = event;
      const state = transition === null ? null : transition.to_state;
      const at = seconds(event.occurredAt);
      const { source, receivedAt } = arrival;
      const result =
        duplicateIndex === 0 && assumptions.length === 0
          ? plain[source].run(eventId, seq, log, name, symbol, state, at, receivedAt, decision, body)
          : put.run(
              eventId,
              seq,
              log,
              name,
              symbol,
              state,
              at,
              receivedAt,
              decision,
              body,
              duplicateIndex,
              source,
              assumptions.join(',') || null,
            );
      if (result.changes === 0) return null;
      if (event.event === ALIAS_NAME) aliasSeen = true;
      return Number(result.lastInsertRowid);
    },
    findById: (eventId) => byId.get(eventId),
    findByAlias: (eventId) => byAlias.get(eventId),
    findDuplicates(event) {
      if (event.transition === null) return [];
      return bySecondKey.all(event.transition.symbol, seconds(event.occurredAt), event.transition.to_state);
    },
    isNumberTaken: (event, log) => event.seq !== null && numberTaken.get(log, event.seq, event.eventId) !== undefined,
    findCounterpart(event) {
      if (!aliasSeen && event.event !== ALIAS_NAME) return undefined;
      if (event.transition === null) return undefined;
      const at = seconds(event.occurredAt);
      const { symbol, to_state: state } = event.transition;
      return nearby
        .all(symbol, at - ALIAS_SECONDS, at + ALIAS_SECONDS, state, event.eventId)
        .find((row) => (row.event === ALIAS_NAME) !== (event.event === ALIAS_NAME));
    },
    merge(known, event, log, source) {
      const sources = known.sources.split(',').includes(source) ? known.sources : `${known.sources},${source}`;
      const isSameId = hasId.get(known.ledger_id, event.eventId) !== undefined;
      if (!isSameId) putAlias.run(event.eventId, known.ledger_id);
      // A row without an id adopts the identity of the first repeat that has one; a further id is another
      // event.
      const isAdopted = !isSameId && hasNoId(known.assumptions) && !event.assumptions.includes('id');
      const isMoved = event.seq !== null && (isSameId || isAdopted) && (known.log !== log || known.seq !== event.seq);
      if (!isMoved && !isAdopted && sources === known.sources) return false;
      const assumptions = isAdopted ? withoutId(known.assumptions) : known.assumptions;
      setPosition.run(
        isMoved ? log : known.log,
        isMoved ? event.seq : known.seq,
        sources,
        assumptions,
        known.ledger_id,
      );
      return true;
    },
    count: () => highest.get()?.n ?? 0,
    byLedgerIds: (ids) => ids.flatMap((id) => byLedgerId.get(id) ?? []),
    after: (ledgerId, limit) => beyond.all(ledgerId, limit),
    newestSignals: (limit) => newest.all(limit),
    signalsOf: (symbol, since, limit) => ofSymbol.all(symbol, since, limit),
    signalsWithin: (symbol, from, to, limit) => within.all(symbol, from, to, limit),
    countWithin: (symbol, from, to, limit) => counted.get(symbol, from, to, limit)?.n ?? 0,
    signalsBetween: (from, to, limit) => between.all(from, to, limit),
    signalBefore: (symbol, at) => lastOf.get(symbol, at - LONGEST_STATE, at),
    signalsBefore: (occurred, ledgerId, limit) => before.all(occurred, ledgerId, limit),
    othersSince: (since, names, limit) =>
      others.all((highest.get()?.n ?? 0) - OTHERS_READ, since, JSON.stringify(names), limit),
    occurredAt(eventId) {
      const row = whenById.get(eventId);
      return row === undefined ? undefined : row.occurred_s * 1000;
    },
  };
}
