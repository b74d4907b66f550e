// Service, store: migration 5, published briefings.
export const briefings = `
  CREATE TABLE briefings (
    id TEXT PRIMARY KEY,
    -- desk: written by the service. editorial: from a file.
    source TEXT NOT NULL CHECK (source IN ('desk', 'editorial')),
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
  CREATE INDEX briefings_by_date ON briefings (date, id);
`;
