// Main, core: version 1 of the ledger.

export const version = 1;

export const sql = `
-- One row per event, whoever brought it. The body is the text as it came, so that nothing the service said is lost.
CREATE TABLE events (
  ledger_id INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL UNIQUE,
  seq INTEGER,
  log INTEGER NOT NULL,          -- which of the service's logs the seq counts in: another one begins when the service is replaced
  event TEXT NOT NULL,
  symbol TEXT,
  to_state INTEGER,              -- signal.* only: the state entered
  occurred_s INTEGER NOT NULL,   -- world time, whole seconds since the epoch
  twin INTEGER NOT NULL,         -- 0, or n for the n-th event that one log itself lists twice under the second key
  received_ms INTEGER NOT NULL,  -- this computer's clock, ms since the epoch
  inlets TEXT NOT NULL,          -- how it arrived, first one first, comma list
  decision TEXT,                 -- why it was told or not; signal.* only
  marks TEXT,                    -- what had to be assumed while reading it, comma list; "id": it came without one
  body TEXT NOT NULL
) STRICT;
-- Time comes first, so that the index grows at its end.
CREATE UNIQUE INDEX events_second_key ON events (occurred_s, symbol, to_state, twin) WHERE to_state IS NOT NULL;

-- Further ids of an event that was merged by the second key.
CREATE TABLE aliases (event_id TEXT PRIMARY KEY, ledger_id INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- Up to where the service's log is known without a hole.
CREATE TABLE cursor (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  log INTEGER NOT NULL,
  event_id TEXT,
  seq INTEGER
) STRICT;
INSERT INTO cursor (only_row, log, event_id, seq) VALUES (1, 1, NULL, NULL);

-- Numbers received beyond the cursor: there is a hole in between.
CREATE TABLE ahead (seq INTEGER PRIMARY KEY, event_id TEXT NOT NULL) STRICT;

CREATE TABLE gaps (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,            -- away, hole, lost (the service has no record: never closed)
  from_at TEXT NOT NULL,         -- world time
  to_at TEXT,
  cause TEXT NOT NULL,
  closed INTEGER NOT NULL,
  filled INTEGER NOT NULL        -- events that back-fill brought
) STRICT;
CREATE INDEX gaps_open ON gaps (closed) WHERE closed = 0;

-- One row per event for ever. intent: written, not yet handed over.
CREATE TABLE notifications (
  ledger_id INTEGER PRIMARY KEY,
  notification_id TEXT NOT NULL, -- made from the event's id, kept so that it can never change
  base_rate REAL,                -- percent, as it stood when it was decided
  intent_ms INTEGER NOT NULL,    -- this computer's clock, ms since the epoch
  outcome TEXT NOT NULL,
  outcome_ms INTEGER,
  detail TEXT NOT NULL,
  attempts INTEGER NOT NULL
) STRICT;
CREATE INDEX notifications_open ON notifications (ledger_id) WHERE outcome IN ('intent', 'failed');

CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;
