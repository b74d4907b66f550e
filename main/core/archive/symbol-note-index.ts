// Main, core: the archive's copy of the notes on symbols, for the search.
import type { Database } from 'better-sqlite3';
import type { OwnSymbolNote } from '../ledger/symbol-notes.ts';

export interface SymbolNoteIndex {
  /** Replaces the index with all notes of the ledger. */
  replace(notes: readonly OwnSymbolNote[]): void;
}

export function createSymbolNoteIndex(db: Database): SymbolNoteIndex {
  const clear = db.prepare('DELETE FROM symbol_notes');
  const insert = db.prepare('INSERT INTO symbol_notes (id, symbol, note, at) VALUES (?, ?, ?, ?)');
  const rebuild = db.prepare("INSERT INTO symbol_notes_fts (symbol_notes_fts) VALUES ('rebuild')");
  const replace = db.transaction((notes: readonly OwnSymbolNote[]) => {
    clear.run();
    for (const { id, symbol, text, at } of notes) insert.run(id, symbol, text, at);
    rebuild.run();
  });
  return { replace: (notes) => void replace(notes) };
}
