// Main, core: the user's annotations of events: acknowledgements and notes.
import type { Connection } from '../files/connection.ts';

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

export function createAnnotationStore(db: Connection): AnnotationStore {
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
