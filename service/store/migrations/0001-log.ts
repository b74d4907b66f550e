// Service, store: migration 1, the event log, announced states, keys and settings.
export const log = `
  -- Everything that was ever told. body is the envelope as it is sent; the other columns are what readers ask by.
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    event_id TEXT NOT NULL UNIQUE,
    event TEXT NOT NULL,
    occurred_at INTEGER NOT NULL,
    symbol TEXT,
    asset_class TEXT,
    to_state INTEGER,
    regime TEXT,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX transitions_by_time ON events (occurred_at, seq) WHERE to_state IS NOT NULL;
  CREATE INDEX transitions_by_symbol ON events (symbol, occurred_at, seq) WHERE to_state IS NOT NULL;
  CREATE INDEX events_by_time ON events (occurred_at);

  -- What stands announced per symbol, written together with the event that announced it.
  CREATE TABLE standings (
    symbol TEXT PRIMARY KEY,
    day TEXT,
    state INTEGER NOT NULL,
    since INTEGER NOT NULL,
    held_until INTEGER,
    regime TEXT,
    regime_since INTEGER,
    regime_held_until INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE keys (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    ending TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;
