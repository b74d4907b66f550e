// Main, core: the permanent trace of an event: what happened to it, and the user's annotations.
import type { Database } from 'better-sqlite3';
import type { TraceStepName } from '../../../shared/channels/alerting.ts';
import type { Message } from '../../../shared/text/message.ts';
import { messageColumn, readMessageColumn } from './message-column.ts';

export interface TraceRow {
  /** This computer's clock, ms. */
  readonly at: number;
  readonly step: string;
  readonly detail: Message | null;
}

export interface TraceStore {
  append(ledgerId: number, step: TraceStepName, detail: Message | null, at: number): void;
  /** Appends the same step to the traces of many events. */
  appendToAll(ledgerIds: readonly number[], step: TraceStepName, detail: Message | null, at: number): void;
  of(ledgerId: number): TraceRow[];
}

export function createTraceStore(db: Database): TraceStore {
  const put = db.prepare('INSERT INTO trace (ledger_id, at_ms, step, detail) VALUES (?, ?, ?, ?)');
  const putEach = db.prepare(
    'INSERT INTO trace (ledger_id, at_ms, step, detail) SELECT value, ?, ?, ? FROM json_each(?)',
  );
  const read = db.prepare<[number], Omit<TraceRow, 'detail'> & { readonly detail: string }>(
    'SELECT at_ms AS at, step, detail FROM trace WHERE ledger_id = ? ORDER BY id',
  );
  return {
    append: (ledgerId, step, detail, at) => void put.run(ledgerId, at, step, messageColumn(detail)),
    appendToAll: (ledgerIds, step, detail, at) =>
      void putEach.run(at, step, messageColumn(detail), JSON.stringify(ledgerIds)),
    of: (ledgerId) => read.all(ledgerId).map((row) => ({ ...row, detail: readMessageColumn(row.detail) })),
  };
}

export interface Annotation {
  /** This computer's clock, ms; null: not acknowledged. */
  readonly ackedAt: number | null;
  readonly note: string;
}

export interface AnnotationStore {
  of(ledgerId: number): Annotation;
  /** The acknowledged subset of these events. */
  acknowledgedOf(ledgerIds: readonly number[]): ReadonlySet<number>;
  /** `at`: this computer's clock, ms; null removes the acknowledgement. */
  acknowledge(ledgerId: number, at: number | null): void;
  write(ledgerId: number, note: string): void;
}

export function createAnnotationStore(db: Database): AnnotationStore {
  const read = db.prepare<[number], Annotation>(
    'SELECT acked_ms AS ackedAt, note FROM annotations WHERE ledger_id = ?',
  );
  const ackedOf = db.prepare<[string], { ledgerId: number }>(
    'SELECT ledger_id AS ledgerId FROM annotations WHERE acked_ms IS NOT NULL AND ledger_id IN (SELECT value FROM json_each(?))',
  );
  const ack = db.prepare(
    "INSERT INTO annotations (ledger_id, acked_ms, note) VALUES (?, ?, '') ON CONFLICT (ledger_id) DO UPDATE SET acked_ms = excluded.acked_ms",
  );
  const write = db.prepare(
    'INSERT INTO annotations (ledger_id, acked_ms, note) VALUES (?, NULL, ?) ON CONFLICT (ledger_id) DO UPDATE SET note = excluded.note',
  );
  return {
    of: (ledgerId) => read.get(ledgerId) ?? { ackedAt: null, note: '' },
    acknowledgedOf: (ledgerIds) => new Set(ackedOf.all(JSON.stringify(ledgerIds)).map(({ ledgerId }) => ledgerId)),
    acknowledge: (ledgerId, at) => void ack.run(ledgerId, at),
    write: (ledgerId, note) => void write.run(ledgerId, note),
  };
}
