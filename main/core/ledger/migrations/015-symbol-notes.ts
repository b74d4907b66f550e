// Main, core: version 15 of the ledger adds the user's notes on a symbol at an instant.

export const version = 15;

export const sql = `
CREATE TABLE symbol_notes (
  id INTEGER PRIMARY KEY,
  symbol TEXT NOT NULL,
  at TEXT NOT NULL, -- world time, ISO
  note TEXT NOT NULL,
  made_ms INTEGER NOT NULL -- this computer's clock
) STRICT;
CREATE INDEX symbol_notes_symbol ON symbol_notes (symbol, at);
`;
