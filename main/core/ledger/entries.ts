// Main, core: reads the ledger's events by id, by symbol, by time, or in the order of arrival.

import type { z } from 'zod';
import type { RecordedTransition } from '../../../shared/channels/state.ts';
import { ASSET_CLASSES, isSymbol } from '../../../shared/domain/instruments.ts';
import { STATES, type State, stateName } from '../../../shared/domain/states.ts';
import {
  type Breadth,
  type BreadthCondition,
  BreadthSchema,
  breadthKey,
} from '../../../shared/settings/breadth-conditions.ts';
import {
  BREADTH_ENDED,
  BREADTH_EVENT,
  FOREIGN_EVENT,
  LOCAL_EVENTS,
  PRICE_EVENT,
} from '../../../shared/settings/core-events.ts';
import { type ForeignAlert, ForeignAlertSchema } from '../../../shared/settings/foreign-alerts.ts';
import { type Crossing, CrossingSchema } from '../../../shared/settings/price-conditions.ts';
import { mappedState, type StateMap } from '../../../shared/settings/state-map.ts';
import { signalEvent } from '../../../shared/wire/events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import { claimed, isPossible, label, note, percent } from '../compat/fields.ts';
import { readState } from '../compat/read-state.ts';
import type { EventAttributes } from '../compat/received-event.ts';
import type { Connection } from '../files/connection.ts';

/** The ledger id of an event, and the fields that identify it. */
export interface EntryIdentity {
  readonly ledger_id: number;
  readonly event_id: string;
  /** Null: nothing was assumed. */
  readonly assumptions: string | null;
  readonly log: number;
  readonly seq: number | null;
  readonly sources: string;
  readonly event: string;
  readonly symbol: string | null;
  readonly to_state: State | null;
  readonly occurred_s: number;
}

export interface EntryRow extends EntryIdentity {
  readonly body: string;
  readonly received_ms: number;
  /** Code of the rules' decision; null: none was needed. */
  readonly decision: string | null;
  /** The transition of a signal.*; null where its body cannot be read. */
  readonly transition: RecordedTransition | null;
  /** The attributes of any other event; null where its body cannot be read. */
  readonly attributes: EventAttributes | null;
  /** The crossing of a price that met the condition of a rule. */
  readonly crossing?: Crossing;
  /** The alert of another program. */
  readonly foreign?: ForeignAlert;
  /** The share of a list that met the condition of a rule, or did no longer. */
  readonly breadth?: Breadth;
  /** World time, ms. */
  readonly occurredAt: number;
}

/** Columns that were parsed from the body when the event arrived. */
interface ParsedColumns {
  readonly asset_class: Transition['asset_class'] | null;
  readonly from_state: Transition['from_state'] | null;
  /** The state's name, or the service's own word for it where it is not known. */
  readonly state_name: string | null;
  readonly note: string | null;
  /** null: the body was unreadable when the columns were added. */
  readonly occurred_ms: number | null;
  readonly confidence: number | null;
  readonly regime: string | null;
  readonly model_version: string | null;
  readonly type: string | null;
  readonly title: string | null;
  readonly confidence_of: string | null;
  readonly in_question: string | null;
}
type StoredRow = Omit<EntryRow, 'transition' | 'attributes' | 'crossing' | 'foreign' | 'breadth' | 'occurredAt'> &
  ParsedColumns;

/** A symbol entered a state. */
export interface RecordedState {
  readonly symbol: string;
  readonly to_state: State;
  readonly occurred_s: number;
}

export interface EntryStore {
  findById(eventId: string): EntryIdentity | undefined;
  count(): number;
  /** The subset of these ledger ids that is in the ledger. */
  present(ids: readonly number[]): ReadonlySet<number>;
  byLedgerIds(ids: readonly number[]): EntryRow[];
  /** The symbols of these ledger ids, each once. */
  symbolsOf(ids: readonly number[]): string[];
  /** At most `limit` entries after this one, in the ledger's order. */
  after(ledgerId: number, limit: number): EntryRow[];
  /**
   * The signal.* entries with the latest times, newest first. The order of arrival differs: back-fill brings
   * old events late.
   */
  newestSignals(limit: number): EntryRow[];
  /** World time of the newest signal.* entry, seconds; null: there is none. */
  newestSecond(): number | null;
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
   * For every symbol: its state at `from`, entered at most 400 days before, then the states that it entered
   * in (from, to], oldest first; world time, seconds.
   */
  stateChanges(from: number, to: number): RecordedState[];
  /**
   * The last signal.* entry of a symbol up to this instant, at most 400 days before it; world time, seconds.
   */
  signalBefore(symbol: string, at: number): EntryRow | undefined;
  /** The state that the signal.* entry of a symbol entered which arrived last; null: it has none. */
  lastArrived(symbol: string): State | null;
  /** The signal.* entries older than a given one, newest first: the next page of a list. Seconds. */
  signalsBefore(occurred: number, ledgerId: number, limit: number): EntryRow[];
  /** The newest beginning or end of a crossing of this condition. */
  newestBreadth(condition: BreadthCondition): EntryRow | undefined;
  /** The next one of the condition of an entry. */
  nextBreadth(entry: Pick<EntryRow, 'ledger_id' | 'breadth'>): EntryRow | undefined;
  /** Alerts that are no transition, before this ledger id, newest first. */
  localBefore(ledgerId: number, limit: number): EntryRow[];
  /** Entries without a state among the last ones written, oldest first. */
  othersSince(sinceSeconds: number, names: readonly string[], limit: number): EntryRow[];
  /** Replaces the rules' decision about an event. */
  decide(ledgerId: number, decision: string): void;
  /** The services' own words for states that are not known, each once. */
  stateWords(): string[];
  /** Gives the entries with these words their state. Returns how many it changed. */
  mapStateWords(states: StateMap): number;
  /** World time of an event, ms, to the second; undefined: unknown. */
  occurredAt(eventId: string): number | undefined;
}

/** Rows at the ledger's end that are searched for events without a state. */
const OTHERS_READ = 200_000;
/** Longest search back for the state of a symbol, seconds. */
const LONGEST_STATE = 400 * 86_400;
/** The condition of the index, which SQLite compares as it is written. */
export const IS_LOCAL = `event IN (${LOCAL_EVENTS.map((name) => `'${name}'`).join(', ')})`;
const IS_BREADTH = `event IN ('${BREADTH_EVENT}', '${BREADTH_ENDED}')`;
/** The columns that identify an event. */
export const KNOWN = 'ledger_id, event_id, assumptions, log, seq, sources, event, symbol, to_state, occurred_s';
export const PARSED =
  'asset_class, from_state, state_name, note, occurred_ms, confidence, regime, model_version, type, title, confidence_of, in_question';
/** Longer values are cut on reading, bytes; octet_length reads no content. */
const LARGEST_VALUE = 1024 * 1024;
const bounded = (column: string): string =>
  `CASE WHEN octet_length(${column}) <= ${LARGEST_VALUE} THEN ${column} ELSE substr(${column}, 1, 2048) END AS ${column}`;
const ROW = `${KNOWN}, ${bounded('body')}, received_ms, decision, ${PARSED.replace('note', bounded('note'))}`;

/** An earlier version or another program may have written the row: values that do not fit are replaced. */
function entryOf(row: StoredRow): EntryRow {
  const {
    asset_class,
    from_state,
    state_name,
    note: text,
    occurred_ms,
    confidence,
    regime,
    model_version,
    type,
    title,
    confidence_of,
    in_question,
    ...known
  } = row;
  const { event_id, symbol, to_state } = row;
  const stated = occurred_ms ?? row.occurred_s * 1000;
  const occurredAt = isPossible(stated) ? stated : row.received_ms;
  const crossing = row.event === PRICE_EVENT ? parsedBody(row.body, CrossingSchema) : null;
  const foreign = row.event === FOREIGN_EVENT ? parsedBody(row.body, ForeignAlertSchema) : null;
  const isBreadth = row.event === BREADTH_EVENT || row.event === BREADTH_ENDED;
  const breadth = isBreadth ? parsedBody(row.body, BreadthSchema) : null;
  const isTransition = symbol !== null && isSymbol(symbol) && isState(to_state) && asset_class !== null;
  return {
    ...known,
    received_ms: isPossible(row.received_ms) ? row.received_ms : 0,
    occurredAt,
    transition: isTransition
      ? {
          event_id,
          symbol,
          asset_class: isAssetClass(asset_class) ? asset_class : 'equity',
          from_state: isState(from_state) ? from_state : to_state === 0 ? 1 : 0,
          to_state,
          state_name: stateName(to_state),
          ...wordOf(state_name),
          regime: label(regime),
          confidence: percent(confidence),
          ...claimed({ confidence_of, in_question }),
          note: note(text) ?? '',
          occurred_at: timestamp(isPossible(occurredAt) ? occurredAt : 0),
          model_version: label(model_version) ?? '',
        }
      : null,
    attributes:
      to_state !== null || occurred_ms === null
        ? null
        : { confidence, regime: label(regime), version: label(model_version), type: label(type), title: label(title) },
    ...(crossing === null ? {} : { crossing }),
    ...(foreign === null ? {} : { foreign }),
    ...(breadth === null ? {} : { breadth }),
  };
}

const wordOf = (written: string | null): Pick<RecordedTransition, 'state_word'> => {
  const word = readState(written)?.word;
  return word === undefined ? {} : { state_word: word };
};

/** Only the core writes such a body; null where it does not fit. */
function parsedBody<Value>(body: string, schema: z.ZodType<Value>): Value | null {
  try {
    return schema.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
}

const isState = (value: unknown): value is State => value === 0 || value === 1 || value === 2;
const isAssetClass = (value: unknown): value is Transition['asset_class'] =>
  ASSET_CLASSES.some((known) => known === value);

/** Fields that the service did not send, so windows and notifications must not state them. */
export function assumedOf({ assumptions }: Pick<EntryRow, 'assumptions'>): ('time' | 'from')[] {
  const all = assumptions?.split(',') ?? [];
  return (['time', 'from'] as const).filter((one) => all.includes(one));
}

/** Entries whose state is a word of the service: they rank as High Risk until the word is mapped. */
function createStateWordQueries(db: Connection): Pick<EntryStore, 'stateWords' | 'mapStateWords'> {
  const isWord = `to_state = 2 AND state_name NOT IN (${STATES.map((state) => `'${stateName(state)}'`).join(', ')})`;
  const words = db.prepare<[], string>(`SELECT DISTINCT state_name FROM events WHERE ${isWord}`).pluck();
  const withWord = db
    .prepare<[string], number>(`SELECT ledger_id FROM events WHERE ${isWord} AND state_name = ?`)
    .pluck();
  const map = db.prepare<[State, string, string, State, number]>(
    `UPDATE events SET to_state = ?, state_name = ?, event = CASE WHEN event = 'signal.high_risk' THEN ? ELSE event END,
       duplicate_index = (SELECT coalesce(max(other.duplicate_index) + 1, 0) FROM events AS other
         WHERE other.symbol = events.symbol AND other.occurred_s = events.occurred_s AND other.to_state = ?
           AND other.ledger_id <> events.ledger_id)
     WHERE ledger_id = ?`,
  );
  return {
    stateWords: () => words.all(),
    mapStateWords(states) {
      let changed = 0;
      for (const word of words.all()) {
        const meant = mappedState(states, word);
        if (meant === null) continue;
        for (const id of withWord.all(word))
          changed += map.run(meant, stateName(meant), signalEvent(meant), meant, id).changes;
      }
      return changed;
    },
  };
}

function createStateChangeQuery(db: Connection): EntryStore['stateChanges'] {
  // Steps from each symbol to the next one.
  const carried = db.prepare<[number, number], RecordedState>(
    `WITH RECURSIVE symbols (symbol) AS (
       SELECT min(symbol) FROM events WHERE to_state IS NOT NULL
       UNION ALL SELECT (SELECT min(symbol) FROM events WHERE to_state IS NOT NULL AND symbol > symbols.symbol)
         FROM symbols WHERE symbols.symbol IS NOT NULL)
     SELECT events.symbol, to_state, occurred_s FROM symbols CROSS JOIN events ON ledger_id = (
       SELECT ledger_id FROM events AS own WHERE own.symbol = symbols.symbol AND occurred_s BETWEEN ? AND ?
         AND to_state IS NOT NULL ORDER BY occurred_s DESC, ledger_id DESC LIMIT 1)`,
  );
  const entered = db.prepare<[number, number], RecordedState>(
    'SELECT symbol, to_state, occurred_s FROM events WHERE occurred_s > ? AND occurred_s <= ? AND to_state IS NOT NULL ORDER BY occurred_s, ledger_id',
  );
  return (from, to) =>
    [...carried.all(from - LONGEST_STATE, from), ...entered.all(from, to)].filter(({ to_state }) => isState(to_state));
}

export function createEntryStore(db: Connection): EntryStore {
  const byId = db.prepare<[string], EntryIdentity>(`SELECT ${KNOWN} FROM events WHERE event_id = ?`);
  const highest = db.prepare<[], { n: number | null }>('SELECT max(ledger_id) AS n FROM events');
  const byLedgerId = db.prepare<[number], StoredRow>(`SELECT ${ROW} FROM events WHERE ledger_id = ?`);
  const among = db
    .prepare<[string], number>('SELECT ledger_id FROM events WHERE ledger_id IN (SELECT value FROM json_each(?))')
    .pluck();
  const symbols = db
    .prepare<[string], string>(
      'SELECT DISTINCT symbol FROM events WHERE ledger_id IN (SELECT value FROM json_each(?)) AND symbol IS NOT NULL',
    )
    .pluck();
  const beyond = db.prepare<[number, number], StoredRow>(
    `SELECT ${ROW} FROM events WHERE ledger_id > ? ORDER BY ledger_id LIMIT ?`,
  );
  const newest = db.prepare<[number], StoredRow>(
    `SELECT ${ROW} FROM events WHERE to_state IS NOT NULL ORDER BY occurred_s DESC, ledger_id DESC LIMIT ?`,
  );
  const newestSecond = db
    .prepare<[], number | null>('SELECT max(occurred_s) FROM events WHERE to_state IS NOT NULL')
    .pluck();
  const ofSymbol = db.prepare<[string, number, number], StoredRow>(
    `SELECT ${ROW} FROM (SELECT * FROM events WHERE symbol = ? AND occurred_s >= ? AND to_state IS NOT NULL ORDER BY occurred_s DESC LIMIT ?) ORDER BY occurred_s, ledger_id`,
  );
  const within = db.prepare<[string, number, number, number], StoredRow>(
    `SELECT ${ROW} FROM events WHERE symbol = ? AND occurred_s >= ? AND occurred_s <= ? AND to_state IS NOT NULL ORDER BY occurred_s, ledger_id LIMIT ?`,
  );
  // Newest first: a symbol that changes often reaches the limit soon, and SQLite reads the index alone.
  const counted = db.prepare<[string, number, number, number], { n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM events WHERE symbol = ? AND occurred_s >= ? AND occurred_s <= ? AND to_state IS NOT NULL
     ORDER BY occurred_s DESC LIMIT ?)`,
  );
  const between = db.prepare<[number, number, number], StoredRow>(
    `SELECT ${ROW} FROM events WHERE occurred_s >= ? AND occurred_s < ? AND to_state IS NOT NULL ORDER BY occurred_s, ledger_id LIMIT ?`,
  );
  const lastOf = db.prepare<[string, number, number], StoredRow>(
    `SELECT ${ROW} FROM events WHERE symbol = ? AND occurred_s BETWEEN ? AND ? AND to_state IS NOT NULL ORDER BY occurred_s DESC, ledger_id DESC LIMIT 1`,
  );
  const arrived = db
    .prepare<[string], State>(
      'SELECT to_state FROM events WHERE symbol = ? AND to_state IS NOT NULL ORDER BY ledger_id DESC LIMIT 1',
    )
    .pluck();
  const before = db.prepare<[number, number, number], StoredRow>(
    `SELECT ${ROW} FROM events WHERE (occurred_s, ledger_id) < (?, ?) AND to_state IS NOT NULL ORDER BY occurred_s DESC, ledger_id DESC LIMIT ?`,
  );
  // The name is a literal: only then does SQLite use the partial indexes.
  const local = db.prepare<[number, number], StoredRow>(
    `SELECT ${ROW} FROM events INDEXED BY events_local WHERE ${IS_LOCAL} AND ledger_id < ? ORDER BY ledger_id DESC LIMIT ?`,
  );
  const breadthBefore = db.prepare<[string], StoredRow>(
    `SELECT ${ROW} FROM events INDEXED BY events_breadth WHERE ${IS_BREADTH} AND title = ? ORDER BY ledger_id DESC LIMIT 1`,
  );
  const breadthAfter = db.prepare<[string, number], StoredRow>(
    `SELECT ${ROW} FROM events INDEXED BY events_breadth WHERE ${IS_BREADTH} AND title = ? AND ledger_id > ? ORDER BY ledger_id LIMIT 1`,
  );
  // There is no index on names: only the newest rows of the ledger are read.
  const others = db.prepare<[number, number, string, number], StoredRow>(
    `SELECT ${ROW} FROM events WHERE ledger_id > ? AND to_state IS NULL AND occurred_s >= ? AND event IN (SELECT value FROM json_each(?))
     ORDER BY occurred_s, ledger_id LIMIT ?`,
  );
  const decide = db.prepare('UPDATE events SET decision = ? WHERE ledger_id = ?');
  const whenById = db.prepare<[string], { occurred_s: number }>('SELECT occurred_s FROM events WHERE event_id = ?');

  return {
    findById: (eventId) => byId.get(eventId),
    count: () => highest.get()?.n ?? 0,
    present: (ids) => new Set(among.all(JSON.stringify(ids))),
    symbolsOf: (ids) => symbols.all(JSON.stringify(ids)),
    byLedgerIds: (ids) => ids.flatMap((id) => byLedgerId.all(id).map(entryOf)),
    after: (ledgerId, limit) => beyond.all(ledgerId, limit).map(entryOf),
    newestSignals: (limit) => newest.all(limit).map(entryOf),
    newestSecond: () => newestSecond.get() ?? null,
    signalsOf: (symbol, since, limit) => ofSymbol.all(symbol, since, limit).map(entryOf),
    signalsWithin: (symbol, from, to, limit) => within.all(symbol, from, to, limit).map(entryOf),
    countWithin: (symbol, from, to, limit) => counted.get(symbol, from, to, limit)?.n ?? 0,
    signalsBetween: (from, to, limit) => between.all(from, to, limit).map(entryOf),
    signalBefore: (symbol, at) => lastOf.all(symbol, at - LONGEST_STATE, at).map(entryOf)[0],
    lastArrived: (symbol) => arrived.get(symbol) ?? null,
    stateChanges: createStateChangeQuery(db),
    signalsBefore: (occurred, ledgerId, limit) => before.all(occurred, ledgerId, limit).map(entryOf),
    newestBreadth: (condition) => breadthBefore.all(breadthKey(condition)).map(entryOf)[0],
    nextBreadth: ({ ledger_id: id, breadth }) =>
      breadth === undefined ? undefined : breadthAfter.all(breadthKey(breadth.condition), id).map(entryOf)[0],
    localBefore: (ledgerId, limit) => local.all(ledgerId, limit).map(entryOf),
    othersSince: (since, names, limit) =>
      others.all((highest.get()?.n ?? 0) - OTHERS_READ, since, JSON.stringify(names), limit).map(entryOf),
    decide: (ledgerId, decision) => void decide.run(decision, ledgerId),
    ...createStateWordQueries(db),
    occurredAt(eventId) {
      const row = whenById.get(eventId);
      return row === undefined ? undefined : row.occurred_s * 1000;
    },
  };
}
