// Main, core: stores the user's notes on a symbol at an instant, and reads the notes on its alerts.
import type { Connection } from '../files/connection.ts';

/** A note on a symbol, or on one of its alerts. `at`: world time, ISO. */
export type SymbolNote =
  | { readonly kind: 'symbol'; readonly id: number; readonly at: string; readonly text: string }
  | { readonly kind: 'alert'; readonly ledgerId: number; readonly at: string; readonly text: string };

export interface OwnSymbolNote {
  readonly id: number;
  readonly symbol: string;
  readonly at: string;
  readonly text: string;
}

export interface SymbolNoteStore {
  /** Oldest first. */
  of(symbol: string): SymbolNote[];
  /** Notes on symbols, without notes on alerts. */
  all(): OwnSymbolNote[];
  /** `at`: world time, ISO; `made`: this computer's clock, ms. Returns its id. */
  add(note: { readonly symbol: string; readonly at: string; readonly text: string }, made: number): number;
  /** Returns whether there was one. */
  change(id: number, to: { readonly at: string; readonly text: string }): boolean;
  remove(id: number): boolean;
}

export function createSymbolNoteStore(db: Connection): SymbolNoteStore {
  const own = db.prepare<[string], { id: number; at: string; text: string }>(
    'SELECT id, at, note AS text FROM symbol_notes WHERE symbol = ? ORDER BY at, id',
  );
  const all = db.prepare<[], OwnSymbolNote>('SELECT id, symbol, at, note AS text FROM symbol_notes ORDER BY id');
  // CROSS JOIN: SQLite would read every event first.
  const ofAlerts = db.prepare<[string], { ledgerId: number; second: number; text: string }>(
    `SELECT ledger_id AS ledgerId, e.occurred_s AS second, a.note AS text
     FROM annotations AS a CROSS JOIN events AS e USING (ledger_id) WHERE a.note <> '' AND e.symbol = ?`,
  );
  const put = db.prepare('INSERT INTO symbol_notes (symbol, at, note, made_ms) VALUES (?, ?, ?, ?)');
  const replace = db.prepare('UPDATE symbol_notes SET at = ?, note = ? WHERE id = ?');
  const drop = db.prepare('DELETE FROM symbol_notes WHERE id = ?');
  return {
    of: (symbol) =>
      [
        ...own.all(symbol).map((note) => ({ kind: 'symbol' as const, ...note })),
        ...ofAlerts.all(symbol).map(({ ledgerId, second, text }) => ({
          kind: 'alert' as const,
          ledgerId,
          at: new Date(second * 1000).toISOString(),
          text,
        })),
      ].sort((a, b) => a.at.localeCompare(b.at)),
    all: () => all.all(),
    add: ({ symbol, at, text }, made) => Number(put.run(symbol, at, text, made).lastInsertRowid),
    change: (id, { at, text }) => replace.run(at, text, id).changes > 0,
    remove: (id) => drop.run(id).changes > 0,
  };
}
