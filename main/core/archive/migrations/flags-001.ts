// Main, core: version 1 of the user's flags on briefings, which no service can restore.

export const version = 1;

export const sql = `
CREATE TABLE marks (
  id TEXT PRIMARY KEY,           -- of the briefing, as the service names it
  unread INTEGER NOT NULL,
  starred INTEGER NOT NULL,
  later INTEGER NOT NULL,
  at_ms INTEGER NOT NULL         -- this computer's clock
) STRICT, WITHOUT ROWID;
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;
