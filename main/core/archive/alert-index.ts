// Main, core: copies the text of alerts, their notes and notes on symbols from the ledger into the archive's search index.
import type { Database } from 'better-sqlite3';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import { texts } from '../../../shared/text/texts.ts';
import { createMetadata } from '../files/metadata.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { OwnSymbolNote } from '../ledger/symbol-notes.ts';

export interface AlertToIndex {
  readonly ledgerId: number;
  readonly symbol: string;
  readonly title: string;
  readonly text: string;
  readonly note: string;
  /** World time, ms. */
  readonly at: number;
}

/** @returns null where the entry is no alert */
export function alertToIndex(
  {
    ledger_id,
    transition,
    crossing,
    foreign,
    breadth,
    symbol,
    occurredAt,
  }: Pick<EntryRow, 'ledger_id' | 'transition' | 'crossing' | 'foreign' | 'breadth' | 'occurredAt'> &
    Partial<Pick<EntryRow, 'symbol'>>,
  note: string,
): AlertToIndex | null {
  const shared = { ledgerId: ledger_id, note };
  if (transition !== null) {
    const { to_state, regime } = transition;
    const text = [transition.note, regime === null ? '' : regimeLabel(regime)]
      .filter((part) => part !== '')
      .join(' · ');
    return {
      ...shared,
      symbol: transition.symbol,
      title: `${transition.symbol} ${stateLabel(to_state)}`,
      text,
      at: Date.parse(transition.occurred_at),
    };
  }
  if (foreign !== undefined)
    return { ...shared, symbol: symbol ?? '', title: texts.foreign.named(foreign), text: foreign.text, at: occurredAt };
  if (breadth !== undefined)
    return {
      ...shared,
      symbol: '',
      title: texts.breadth.crossed(breadth),
      text: texts.breadth.symbols(breadth),
      at: occurredAt,
    };
  if (crossing === undefined) return null;
  return { ...shared, symbol: crossing.symbol, title: texts.priceAlerts.crossed(crossing), text: '', at: occurredAt };
}

export interface AlertIndex {
  /** The last indexed entry of the ledger; ledgerId 0: none. */
  last(): { readonly ledgerId: number; readonly eventId: string };
  put(alerts: readonly AlertToIndex[], upTo: { readonly ledgerId: number; readonly eventId: string }): void;
  note(ledgerId: number, note: string): void;
  /** At most `limit` indexed ids after this one, in order. */
  ids(after: number, limit: number): number[];
  /** Removes alerts that the ledger no longer has. */
  remove(ledgerIds: readonly number[]): void;
  /** Empties the index: in a new ledger the indexed ids name other events. */
  clear(): void;
  /** Replaces the notes on symbols with all of the ledger: there are few. */
  replaceSymbolNotes(notes: readonly OwnSymbolNote[]): void;
}

export function createAlertIndex(db: Database): AlertIndex {
  // The event's id identifies the ledger: in a new one the same number names another event.
  const metadata = createMetadata<'alerts_upto'>(db);
  const insert = db.prepare(
    'INSERT INTO alerts (ledger_id, symbol, title, text, note, at_s) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const setNote = db.prepare('UPDATE alerts SET note = ? WHERE ledger_id = ? AND note <> ?');
  const put = db.transaction(
    (alerts: readonly AlertToIndex[], upTo: { readonly ledgerId: number; readonly eventId: string }) => {
      for (const { ledgerId, symbol, title, text, note, at } of alerts)
        insert.run(ledgerId, symbol, title, text, note, Math.floor(at / 1000));
      metadata.set('alerts_upto', `${upTo.ledgerId} ${upTo.eventId}`);
    },
  );
  const listIds = db
    .prepare<[number, number], number>('SELECT ledger_id FROM alerts WHERE ledger_id > ? ORDER BY ledger_id LIMIT ?')
    .pluck();
  const removals = [
    `INSERT INTO alerts_fts (alerts_fts, rowid, title, text) SELECT 'delete', ledger_id, title, text FROM alerts`,
    `INSERT INTO notes_fts (notes_fts, rowid, note) SELECT 'delete', ledger_id, note FROM alerts`,
    'DELETE FROM alerts',
  ].map((sql) => db.prepare<[string]>(`${sql} WHERE ledger_id IN (SELECT value FROM json_each(?))`));
  const remove = db.transaction((ledgerIds: readonly number[]) => {
    for (const removal of removals) removal.run(JSON.stringify(ledgerIds));
  });
  const clear = db.transaction(() => {
    db.exec(
      `DELETE FROM alerts; INSERT INTO alerts_fts (alerts_fts) VALUES ('rebuild'); INSERT INTO notes_fts (notes_fts) VALUES ('rebuild');`,
    );
    metadata.set('alerts_upto', '0 ');
  });
  const insertNote = db.prepare('INSERT INTO symbol_notes (id, symbol, note, at) VALUES (?, ?, ?, ?)');
  const replaceSymbolNotes = db.transaction((notes: readonly OwnSymbolNote[]) => {
    db.exec('DELETE FROM symbol_notes');
    for (const { id, symbol, text, at } of notes) insertNote.run(id, symbol, text, at);
    db.exec("INSERT INTO symbol_notes_fts (symbol_notes_fts) VALUES ('rebuild')");
  });
  return {
    last() {
      const [id, ...rest] = (metadata.get('alerts_upto') ?? '0 ').split(' ');
      return { ledgerId: Number(id), eventId: rest.join(' ') };
    },
    put: (alerts, upTo) => void put(alerts, upTo),
    note: (ledgerId, note) => void setNote.run(note, ledgerId, note),
    ids: (after, limit) => listIds.all(after, limit),
    remove(ledgerIds) {
      if (ledgerIds.length > 0) remove(ledgerIds);
    },
    clear: () => void clear(),
    replaceSymbolNotes: (notes) => void replaceSymbolNotes(notes),
  };
}
