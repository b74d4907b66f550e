// Main, core: version 4 of the archive: the user's notes on symbols, with their search index.

export const version = 4;

export const sql = `
-- A copy of the ledger's, written anew as a whole: there are few.
CREATE TABLE symbol_notes (
  id INTEGER PRIMARY KEY,        -- the ledger's
  symbol TEXT NOT NULL,
  note TEXT NOT NULL,
  at TEXT NOT NULL               -- world time, ISO
) STRICT;
CREATE VIRTUAL TABLE symbol_notes_fts USING fts5 (
  symbol, note, content = 'symbol_notes', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);
`;
