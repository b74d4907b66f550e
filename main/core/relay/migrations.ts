// Main, core: the migrations of relay.sqlite; a released one is never edited.
// A new version is a new entry at the end.

export const RELAY_MIGRATIONS = [
  {
    version: 1,
    // IF NOT EXISTS, because programs without numbered migrations made the tables first and wrote the version in
    // a second commit.
    sql: `
CREATE TABLE IF NOT EXISTS targets (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  secret TEXT NOT NULL,
  filter TEXT NOT NULL,
  allow_public INTEGER NOT NULL,
  place INTEGER NOT NULL,          -- ledger id up to which rows were made
  since_s INTEGER NOT NULL         -- world time of its making: what occurred before is not passed on
) STRICT;
CREATE TABLE IF NOT EXISTS forwards (
  id INTEGER PRIMARY KEY,
  target_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  body TEXT,                       -- null once it is settled
  status TEXT NOT NULL,            -- pending, delivered, failed
  attempts INTEGER NOT NULL,       -- those that were answered
  made_ms INTEGER NOT NULL,        -- this computer's clock, as all that follow
  due_ms INTEGER NOT NULL,
  last_ms INTEGER,
  last_status INTEGER,
  last_error TEXT,
  UNIQUE (target_id, event_id)     -- also when the ledger was lost and is filled again
) STRICT;
CREATE INDEX IF NOT EXISTS forwards_pending ON forwards (target_id, due_ms) WHERE status = 'pending';
CREATE INDEX IF NOT EXISTS forwards_settled ON forwards (target_id, last_ms) WHERE status <> 'pending';
CREATE TABLE IF NOT EXISTS aside (
  event_id TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  why TEXT NOT NULL,               -- too_old, ahead, unreadable
  received_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS trails (event_id TEXT PRIMARY KEY, trail TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`,
  },
  {
    version: 2,
    sql: `
ALTER TABLE targets RENAME COLUMN place TO position;
ALTER TABLE aside RENAME TO dead_letters;
ALTER TABLE facts RENAME TO metadata;
`,
  },
  {
    version: 3,
    // The view counts what was given up after every event, and must not read all that were delivered.
    sql: `
CREATE INDEX IF NOT EXISTS forwards_failed ON forwards (target_id) WHERE status = 'failed';
`,
  },
];
