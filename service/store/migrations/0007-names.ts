// Service, store: migration 7, names of current states, positions and briefing sources as in code.
export const names = `
  -- The current state per symbol, written together with the event that announced it.
  ALTER TABLE standings RENAME TO current_states;
  ALTER TABLE current_states RENAME COLUMN held_until TO hold_down_until;
  ALTER TABLE current_states RENAME COLUMN regime_held_until TO regime_hold_down_until;

  -- Position in the log: every event up to it has its row in deliveries, or was not asked for.
  ALTER TABLE subscriptions RENAME COLUMN place TO position;

  -- A CHECK cannot be altered, so the table is copied.
  ALTER TABLE briefings RENAME TO briefings_before;
  DROP INDEX briefings_by_date;
  CREATE TABLE briefings (
    id TEXT PRIMARY KEY,
    -- generated: written by the service. editorial: from a file.
    source TEXT NOT NULL CHECK (source IN ('generated', 'editorial')),
    type TEXT NOT NULL,
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    -- World ms.
    date INTEGER NOT NULL,
    summary TEXT NOT NULL,
    -- JSON array.
    symbols TEXT NOT NULL,
    reading_minutes INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  INSERT INTO briefings (id, source, type, title, author, date, summary, symbols, reading_minutes, body)
    SELECT id, iif(source = 'desk', 'generated', source), type, title, author, date, summary, symbols, reading_minutes, body
    FROM briefings_before ORDER BY rowid;
  DROP TABLE briefings_before;
  CREATE INDEX briefings_by_date ON briefings (date, id);
`;
