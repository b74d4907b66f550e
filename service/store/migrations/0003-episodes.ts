// Service, store: migration 3, episodes out of Normal, and the regime flips of a symbol by time.
export const episodes = `
  -- One row per episode, from leaving Normal to coming back; kept up in the transaction that logs its transitions.
  CREATE TABLE episodes (
    id TEXT PRIMARY KEY,
    symbol TEXT NOT NULL,
    asset_class TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    peak_state INTEGER NOT NULL,
    regime TEXT,
    confidence REAL,
    note TEXT NOT NULL,
    -- JSON array of event_ids.
    transitions TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX episodes_by_time ON episodes (started_at, id);
  CREATE UNIQUE INDEX open_episodes ON episodes (symbol) WHERE ended_at IS NULL;

  CREATE INDEX flips_by_symbol ON events (symbol, occurred_at, seq) WHERE event = 'regime.flip';
`;
