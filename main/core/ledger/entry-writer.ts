// Main, core: writes events to the ledger, each once, whatever sources repeat it.

import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import type { Connection } from '../files/connection.ts';
import { type EntryIdentity, KNOWN, PARSED } from './entries.ts';

export interface EntryWriter {
  /** Writes the event unless its id or second key is taken. Returns its ledger id, or null. */
  insert(
    event: ReceivedEvent,
    arrival: ArrivalOrigin,
    log: number,
    decision: string | null,
    duplicateIndex: number,
  ): number | null;
  /** Finds the event into whose row this id was merged. */
  findByAlias(eventId: string): EntryIdentity | undefined;
  /**
   * Every event with the same second key: symbol, state entered, second (the stated one of an impossible
   * date).
   */
  findDuplicates(event: ReceivedEvent): EntryIdentity[];
  /**
   * The index of a further event with this second key: after the last, because earlier ones may be removed.
   */
  freeIndex(event: ReceivedEvent): number;
  /**
   * True when another event of this log has this number. Reads the whole ledger: call it only when in doubt.
   */
  isNumberTaken(event: ReceivedEvent, log: number): boolean;
  /**
   * Finds the counterpart of an event without an id when one of the two has no time: the same state of the
   * symbol, received so far only from lists when this one is from the stream, and vice versa.
   */
  findUntimed(event: ReceivedEvent, source: ArrivalSource): EntryIdentity | undefined;
  /** True when a transition with an impossible stated date has the same symbol, state and stated second. */
  hasStatedDate(event: ReceivedEvent): boolean;
  /** Stores the stated date of an event that was written under its time of arrival. */
  recordStatedDate(event: ReceivedEvent, ledgerId: number): void;
  /**
   * Finds the signal.* of a signal.created, or vice versa: the nearest of the same symbol and state within 60 s,
   * without another state between them.
   */
  findCounterpart(event: ReceivedEvent): EntryIdentity | undefined;
  /** Records a repeat of a known event: its source, its number in the current log, its further id. */
  merge(known: EntryIdentity, event: ReceivedEvent, log: number, source: ArrivalSource): boolean;
  /** Call after rows were written by other means: checks for aliases and stated dates again. */
  reload(): void;
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
/** Sources that are lists of the service. */
export const LISTS: readonly ArrivalSource[] = ['backfill', 'poll'];
/** The stream brings an event at once, and a list is read minutes later: longest delay, seconds. */
const UNTIMED = { listed: 600, streamed: 30 };
const seconds = (ms: number): number => Math.floor(ms / 1000);

/** Prefix of the alias that stores the second key of an impossible date. */
const STATED = 'stated-date:';
export const statedDate = ({ symbol, transition, occurredAt }: ReceivedEvent): string =>
  `${STATED}${symbol} ${transition?.to_state} ${seconds(occurredAt)}`;

/** True when the event arrived without an id. */
export const hasNoId = (assumptions: string | null): boolean => assumptions?.split(',').includes('id') === true;
/** False when the event was written under its time of arrival: that second does not identify it. */
export const isDateStated = ({ assumptions }: { readonly assumptions: string | null }): boolean =>
  assumptions?.split(',').includes('date') !== true;
/** True when the row was made from the state of a signal: the event itself completes it. */
const isOfState = ({ assumptions }: EntryIdentity): boolean => assumptions?.split(',').includes('state') === true;
const withoutId = (assumptions: string | null): string | null => {
  const left = assumptions?.split(',').filter((assumption) => assumption !== 'id') ?? [];
  return left.length === 0 ? null : left.join(',');
};

/** True when a row without an id may be the event: one of both has no time, and one of both is of a list. */
function isSameUntimed(
  row: EntryIdentity & { readonly decision: string | null },
  { assumptions }: ReceivedEvent,
  source: ArrivalSource,
): boolean {
  const isList = LISTS.includes(source);
  const isOther = row.sources.split(',').every((one) => LISTS.includes(one as ArrivalSource) !== isList);
  const isUntimed = assumptions.includes('time') || row.assumptions?.includes('time') === true;
  return isOther && isUntimed && hasNoId(row.assumptions) && row.decision?.startsWith('before_baseline') !== true;
}

export function createEntryWriter(db: Connection): EntryWriter {
  const statements = statementsOf(db);
  const {
    put,
    byAlias,
    bySecondKey,
    nextIndex,
    nearby,
    otherBetween,
    numberTaken,
    putAlias,
    hasId,
    setPosition,
    complete,
  } = statements;
  // The name is a literal: only then does SQLite use the partial index on these events.
  const anyAlias = db.prepare(`SELECT 1 FROM events WHERE event = '${ALIAS_NAME}' LIMIT 1`);
  const anyStated = db.prepare(`SELECT 1 FROM aliases WHERE event_id GLOB '${STATED}*' LIMIT 1`);
  let aliasSeen = false;
  let isStatedSeen = false;
  const reload = (): void => {
    aliasSeen = anyAlias.get() !== undefined;
    isStatedSeen = anyStated.get() !== undefined;
  };
  reload();

  return {
    insert(event, arrival, log, decision, duplicateIndex) {
      const result = put.run(...columnsOf(event, arrival, log, decision, duplicateIndex));
      if (result.changes === 0) return null;
      if (event.event === ALIAS_NAME) aliasSeen = true;
      return Number(result.lastInsertRowid);
    },
    findByAlias: (eventId) => byAlias.get(eventId),
    findDuplicates(event) {
      if (event.transition === null) return [];
      const { symbol, to_state: state } = event.transition;
      const dated = bySecondKey.all(symbol, seconds(event.occurredAt), state).filter(isDateStated);
      return isStatedSeen ? [...dated, ...byAlias.all(statedDate(event))] : dated;
    },
    freeIndex: ({ transition, occurredAt }) =>
      transition === null ? 0 : (nextIndex.get(transition.symbol, seconds(occurredAt), transition.to_state) ?? 0),
    hasStatedDate: (event) => isStatedSeen && event.transition !== null && byAlias.get(statedDate(event)) !== undefined,
    recordStatedDate(event, ledgerId) {
      if (event.transition === null) return;
      putAlias.run(statedDate(event), ledgerId);
      isStatedSeen = true;
    },
    isNumberTaken: (event, log) => event.seq !== null && numberTaken.get(log, event.seq, event.eventId) !== undefined,
    findUntimed(event, source) {
      const { transition, assumptions } = event;
      if (transition === null || !assumptions.includes('id')) return undefined;
      // Without a time, the second key does not find it.
      const known = byAlias.get(event.eventId);
      if (known !== undefined) return known;
      const at = seconds(event.occurredAt);
      const from = at - (LISTS.includes(source) ? UNTIMED.listed : UNTIMED.streamed);
      return nearby
        .all(transition.symbol, from, at + 1, transition.to_state, event.eventId)
        .find((row) => isSameUntimed(row, event, source));
    },
    findCounterpart(event) {
      if (!aliasSeen && event.event !== ALIAS_NAME) return undefined;
      if (event.transition === null) return undefined;
      const at = seconds(event.occurredAt);
      const { symbol, to_state: state } = event.transition;
      // Across another state they are two entries into this one.
      return nearby
        .all(symbol, at - ALIAS_SECONDS, at + ALIAS_SECONDS, state, event.eventId)
        .filter((row) => (row.event === ALIAS_NAME) !== (event.event === ALIAS_NAME))
        .filter(
          (row) => otherBetween.get({ symbol, state, at, known: row.occurred_s, id: row.ledger_id }) === undefined,
        )
        .sort((a, b) => Math.abs(a.occurred_s - at) - Math.abs(b.occurred_s - at))[0];
    },
    merge(known, event, log, source) {
      const sources = known.sources.split(',').includes(source) ? known.sources : `${known.sources},${source}`;
      const isSameId = hasId.get(known.ledger_id, event.eventId) !== undefined;
      if (!isSameId) putAlias.run(event.eventId, known.ledger_id);
      // A row without an id adopts the identity of the first repeat with an id; a further id is another
      // event.
      const isAdopted = !isSameId && hasNoId(known.assumptions) && !event.assumptions.includes('id');
      const isMoved = event.seq !== null && (isSameId || isAdopted) && (known.log !== log || known.seq !== event.seq);
      if (!isMoved && !isAdopted && sources === known.sources) return false;
      const isCompleted = isOfState(known) && !event.assumptions.includes('state');
      if (isCompleted) complete.run(event.body, ...parsedColumnsOf(event), known.ledger_id);
      const left = isAdopted ? withoutId(known.assumptions) : known.assumptions;
      const assumptions = isCompleted ? event.assumptions.join(',') || null : left;
      setPosition.run(
        isMoved ? log : known.log,
        isMoved ? event.seq : known.seq,
        sources,
        assumptions,
        known.ledger_id,
      );
      return true;
    },
    reload,
  };
}

/** Values for the statement `put`, in the order of its columns. */
function columnsOf(
  event: ReceivedEvent,
  arrival: ArrivalOrigin,
  log: number,
  decision: string | null,
  duplicateIndex: number,
): unknown[] {
  const { eventId, seq, event: name, symbol, transition, body, assumptions } = event;
  return [
    eventId,
    seq,
    log,
    name,
    symbol,
    transition?.to_state ?? null,
    seconds(event.occurredAt),
    arrival.receivedAt,
    decision,
    body,
    duplicateIndex,
    arrival.source,
    assumptions.join(',') || null,
    ...parsedColumnsOf(event),
  ];
}

/** Values of the columns PARSED. */
function parsedColumnsOf({ transition, attributes, occurredAt }: ReceivedEvent): unknown[] {
  return [
    transition?.asset_class,
    transition?.from_state,
    transition?.state_word ?? transition?.state_name,
    transition?.note,
    // World time may be a fraction.
    Math.round(occurredAt),
    (transition ?? attributes)?.confidence,
    (transition ?? attributes)?.regime,
    transition?.model_version ?? attributes?.version,
    attributes?.type,
    attributes?.title,
    transition?.confidence_of,
    transition?.in_question,
  ];
}

/** Prepared once: preparing a statement costs more than running it. */
const statementsOf = (db: Connection) => ({
  put: db.prepare(`INSERT INTO events (event_id, seq, log, event, symbol, to_state, occurred_s, received_ms, decision, body,
      duplicate_index, sources, assumptions, ${PARSED})
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`),
  byAlias: db.prepare<[string], EntryIdentity>(
    `SELECT ${KNOWN} FROM events WHERE ledger_id = (SELECT ledger_id FROM aliases WHERE event_id = ?)`,
  ),
  bySecondKey: db.prepare<[string, number, number], EntryIdentity>(
    `SELECT ${KNOWN} FROM events WHERE symbol = ? AND occurred_s = ? AND to_state = ? ORDER BY duplicate_index`,
  ),
  nextIndex: db
    .prepare<[string, number, number], number>(
      'SELECT coalesce(max(duplicate_index) + 1, 0) FROM events WHERE symbol = ? AND occurred_s = ? AND to_state = ?',
    )
    .pluck(),
  nearby: db.prepare<[string, number, number, number, string], EntryIdentity & { decision: string | null }>(
    `SELECT ${KNOWN}, decision FROM events WHERE symbol = ? AND occurred_s BETWEEN ? AND ? AND to_state = ? AND event_id <> ? ORDER BY occurred_s`,
  ),
  /** Another state of the symbol after the earlier and before the later of an entry and an instant. */
  otherBetween: db.prepare<{ symbol: string; state: number; at: number; known: number; id: number }, { yes: number }>(
    `SELECT 1 AS yes FROM events WHERE symbol = @symbol AND to_state <> @state
      AND occurred_s BETWEEN min(@at, @known) AND max(@at, @known)
      AND ((occurred_s > min(@at, @known) AND occurred_s < max(@at, @known))
        OR (@known < @at AND occurred_s = @known AND ledger_id > @id)) LIMIT 1`,
  ),
  numberTaken: db.prepare<[number, number, string], { yes: number }>(
    'SELECT 1 AS yes FROM events WHERE log = ? AND seq = ? AND event_id <> ? LIMIT 1',
  ),
  putAlias: db.prepare('INSERT INTO aliases (event_id, ledger_id) VALUES (?, ?) ON CONFLICT DO NOTHING'),
  hasId: db.prepare<[number, string], { yes: number }>(
    'SELECT 1 AS yes FROM events WHERE ledger_id = ? AND event_id = ?',
  ),
  complete: db.prepare(
    `UPDATE events SET body = ?, ${PARSED.split(', ')
      .map((column) => `${column} = ?`)
      .join(', ')} WHERE ledger_id = ?`,
  ),
  setPosition: db.prepare('UPDATE events SET log = ?, seq = ?, sources = ?, assumptions = ? WHERE ledger_id = ?'),
});
