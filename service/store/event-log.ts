// Service, store: the event log; an event is durable before it is announced.
// `seq` numbers the events without gaps.
import type { Database } from 'better-sqlite3';
import type { State } from '../../shared/domain/states.ts';
import { type EventEnvelope, isSignalEvent } from '../../shared/wire/events.ts';
import type { TransitionRecord } from '../../shared/wire/records.ts';
import { countLeading } from '../count-leading.ts';

/** An event before the log has numbered it. */
export type EventDraft = EventEnvelope extends infer One
  ? One extends EventEnvelope
    ? Omit<One, 'seq'>
    : never
  : never;

/** A logged event; `json` is its envelope, encoded once. */
export interface LoggedEvent {
  readonly envelope: EventEnvelope;
  readonly json: string;
}

/** Position of a row in the list of transitions, newest first; by world ms, then by number. */
export interface TransitionPosition {
  readonly occurredAt: number;
  readonly seq: number;
}

/** One change of a regime, at world ms. */
export interface Flip {
  readonly at: number;
  readonly to: string;
}

/** A change of state, at world ms. */
export interface StateStep {
  readonly symbol: string;
  readonly from: State;
  readonly to: State;
  readonly at: number;
}

/** A change of state of one symbol, with its confidence in percent. */
export interface SymbolStep extends Omit<StateStep, 'symbol'> {
  readonly confidence: number | null;
}

export interface TransitionFilter {
  readonly symbols: readonly string[] | null;
  readonly states: readonly number[] | null;
  readonly regimes: readonly string[] | null;
  readonly classes: readonly string[] | null;
  /** ms, inclusive. */
  readonly from: number;
  /** ms, inclusive; null: no end. */
  readonly to: number | null;
}

export interface EventLog {
  /**
   * Numbers and writes the drafts in their order. Skips a draft whose id exists: it was announced before.
   * Call it within a transaction.
   */
  append(drafts: readonly EventDraft[]): LoggedEvent[];
  /** Events after position `seq` that occurred at or after `since`, in log order. */
  after(seq: number, limit: number, since: number): LoggedEvent[];
  /** Position of an event; null: not in the log, or deleted. */
  find(eventId: string): { seq: number; occurredAt: number } | null;
  /** Position of the newest event, 0 in an empty log. */
  lastSeq(): number;
  /** World ms of the oldest event; null in an empty log. */
  oldest(): number | null;
  /** Id of the newest event, null in an empty log. */
  lastId(): string | null;
  /** Number of events at exactly this instant. */
  countAt(occurredAt: number): number;
  /** Transitions newest first, below `below` (null: from the newest). */
  transitions(
    filter: TransitionFilter,
    below: TransitionPosition | null,
    limit: number,
  ): (TransitionPosition & { transition: TransitionRecord })[];
  /** Changes of state in (from, to], oldest first, without the envelopes: for callers that read many. */
  changes(from: number, to: number): StateStep[];
  /** Changes of a symbol's state in the log, oldest first. */
  steps(symbol: string): readonly SymbolStep[];
  /** Changes of a symbol's regime in the log, oldest first. */
  flips(symbol: string): Flip[];
  /** Changes of the model in the log, oldest first. */
  modelVersions(): ModelChange[];
  /**
   * Deletes events that occurred before `instant`, at most `limit`; never the newest one, so that numbering
   * continues. Returns their number.
   */
  prune(instant: number, limit: number): number;
}

/** A change of the model at `at` (world ms), from version `previous`. */
export interface ModelChange {
  readonly at: number;
  readonly previous: string | null;
}

interface Row {
  readonly seq: number;
  readonly event_id: string;
  readonly event: string;
  readonly occurred_at: number;
  readonly symbol: string | null;
  readonly asset_class: string | null;
  readonly to_state: number | null;
  readonly regime: string | null;
  readonly body: string;
}

export function openEventLog(database: Database): EventLog {
  const insert = database.prepare<[Row]>(
    `INSERT INTO events (seq, event_id, event, occurred_at, symbol, asset_class, to_state, regime, body)
     VALUES (:seq, :event_id, :event, :occurred_at, :symbol, :asset_class, :to_state, :regime, :body)`,
  );
  const known = database.prepare<[string], { seq: number; occurred_at: number }>(
    'SELECT seq, occurred_at FROM events WHERE event_id = ?',
  );
  const last = database.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM events').pluck();
  const oldest = database.prepare<[], number | null>('SELECT min(occurred_at) FROM events').pluck();
  const lastId = database.prepare<[], string>('SELECT event_id FROM events ORDER BY seq DESC LIMIT 1').pluck();
  const after = database
    .prepare<[number, number, number], string>(
      'SELECT body FROM events WHERE seq > ? AND occurred_at >= ? ORDER BY seq LIMIT ?',
    )
    .pluck();
  const countAt = database.prepare<[number], number>('SELECT count(*) FROM events WHERE occurred_at = ?').pluck();
  const prune = database.prepare<[number, number]>(
    'DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE occurred_at < ? AND seq < (SELECT max(seq) FROM events) ORDER BY occurred_at LIMIT ?)',
  );
  const modelVersions = database.prepare<[], ModelChange>(
    `SELECT occurred_at AS at, body ->> '$.data.previous' AS previous FROM events WHERE event = 'model.version' ORDER BY occurred_at, seq`,
  );
  const flips = database.prepare<[string], Flip>(
    `SELECT occurred_at AS at, body ->> '$.data.to_regime' AS "to" FROM events
     WHERE symbol = ? AND event = 'regime.flip' ORDER BY occurred_at, seq`,
  );
  const changes = database.prepare<[number, number], StateStep>(
    `SELECT symbol, body ->> '$.data.from_state' AS "from", to_state AS "to", occurred_at AS at FROM events
     WHERE to_state IS NOT NULL AND occurred_at > ? AND occurred_at <= ? ORDER BY occurred_at, seq`,
  );
  const steps = stepReader(database, () => last.get() ?? 0);
  const transitions = transitionQueries(database);

  return {
    append(drafts) {
      let seq = last.get() ?? 0;
      const logged: LoggedEvent[] = [];
      for (const draft of drafts) {
        if (known.get(draft.event_id) !== undefined) continue;
        seq += 1;
        const envelope = numbered(draft, seq);
        const json = JSON.stringify(envelope);
        insert.run(rowOf(envelope, json));
        logged.push({ envelope, json });
      }
      return logged;
    },
    after: (seq, limit, since) =>
      after.all(seq, since, limit).map((json) => ({ envelope: JSON.parse(json) as EventEnvelope, json })),
    find(eventId) {
      const row = known.get(eventId);
      return row === undefined ? null : { seq: row.seq, occurredAt: row.occurred_at };
    },
    lastSeq: () => last.get() ?? 0,
    lastId: () => lastId.get() ?? null,
    oldest: () => oldest.get() ?? null,
    countAt: (occurredAt) => countAt.get(occurredAt) ?? 0,
    transitions,
    changes: (from, to) => changes.all(from, to),
    steps: steps.of,
    flips: (symbol) => flips.all(symbol),
    modelVersions: () => modelVersions.all(),
    prune(instant, limit) {
      steps.forget(instant);
      return prune.run(instant, limit).changes;
    },
  };
}

/** The envelope, its fields in the order of the wire format. */
const numbered = ({ event_id, event, timestamp, data }: EventDraft, seq: number): EventEnvelope =>
  ({ event_id, seq, event, timestamp, data }) as EventEnvelope;

function rowOf(envelope: EventEnvelope, body: string): Row {
  const { event_id, event, seq, data } = envelope;
  const common = { seq, event_id, event, occurred_at: Date.parse(envelope.timestamp), body };
  const symbol = 'symbol' in data ? data.symbol : null;
  if (!isSignalEvent(envelope)) return { ...common, symbol, asset_class: null, to_state: null, regime: null };
  return {
    ...common,
    symbol,
    asset_class: envelope.data.asset_class,
    to_state: envelope.data.to_state,
    regime: envelope.data.regime,
  };
}

/** Reads each change once, and keeps it in memory: briefings and histories read all of a symbol's. */
function stepReader(database: Database, lastSeq: () => number) {
  const after = database.prepare<[number], SymbolStep & { symbol: string }>(
    `SELECT symbol, occurred_at AS at, body ->> '$.data.from_state' AS "from", to_state AS "to",
            body ->> '$.data.confidence' AS confidence
     FROM events WHERE seq > ? AND to_state IS NOT NULL ORDER BY seq`,
  );
  const known = new Map<string, SymbolStep[]>();
  let readTo = 0;
  return {
    of(symbol: string): readonly SymbolStep[] {
      const end = lastSeq();
      if (end > readTo) {
        for (const { symbol: name, ...step } of after.iterate(readTo)) {
          const own = known.get(name) ?? [];
          known.set(name, own);
          own.push(step);
        }
        readTo = end;
      }
      return known.get(symbol) ?? [];
    },
    forget(before: number): void {
      for (const own of known.values())
        own.splice(
          0,
          countLeading(own, ({ at }) => at < before),
        );
    },
  };
}

type TransitionQuery = { body: string; occurred_at: number; seq: number };

/** Caches one prepared statement per combination of filters. */
function transitionQueries(database: Database): EventLog['transitions'] {
  const statements = new Map<string, ReturnType<typeof database.prepare<unknown[], TransitionQuery>>>();
  return (filter, below, limit) => {
    const clauses = ['to_state IS NOT NULL', 'occurred_at >= ?'];
    const values: (string | number)[] = [filter.from];
    const add = (clause: string, ...given: (string | number)[]): void => {
      clauses.push(clause);
      values.push(...given);
    };
    if (filter.to !== null) add('occurred_at <= ?', filter.to);
    if (below !== null) add('(occurred_at, seq) < (?, ?)', below.occurredAt, below.seq);
    if (filter.symbols !== null) add('symbol IN (SELECT value FROM json_each(?))', JSON.stringify(filter.symbols));
    if (filter.states !== null) add('to_state IN (SELECT value FROM json_each(?))', JSON.stringify(filter.states));
    if (filter.regimes !== null) add('regime IN (SELECT value FROM json_each(?))', JSON.stringify(filter.regimes));
    if (filter.classes !== null) add('asset_class IN (SELECT value FROM json_each(?))', JSON.stringify(filter.classes));
    const sql = `SELECT body, occurred_at, seq FROM events WHERE ${clauses.join(' AND ')} ORDER BY occurred_at DESC, seq DESC LIMIT ?`;
    const statement = statements.get(sql) ?? database.prepare<unknown[], TransitionQuery>(sql);
    statements.set(sql, statement);
    return statement.all(...values, limit).map((row) => ({
      occurredAt: row.occurred_at,
      seq: row.seq,
      transition: (JSON.parse(row.body) as { data: TransitionRecord }).data,
    }));
  };
}
