// Main, core: the permanent trace of an event: what happened to it.

import type { TraceStepName } from '../../../shared/channels/alerting.ts';
import type { Message } from '../../../shared/text/message.ts';
import type { Connection } from '../files/connection.ts';
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

export function createTraceStore(db: Connection): TraceStore {
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
