// Service, store: migration 6, news items, and the validators of each feed.
export const news = `
  CREATE TABLE news (
    id TEXT PRIMARY KEY,
    headline TEXT NOT NULL,
    summary TEXT NOT NULL,
    source TEXT NOT NULL,
    url TEXT NOT NULL,
    published_at INTEGER NOT NULL,
    -- JSON array.
    symbols TEXT NOT NULL,
    score REAL NOT NULL,
    label TEXT NOT NULL
  ) STRICT;
  CREATE INDEX news_by_time ON news (published_at, id);

  CREATE TABLE feeds (
    url TEXT PRIMARY KEY,
    etag TEXT,
    last_modified TEXT
  ) STRICT, WITHOUT ROWID;
`;
