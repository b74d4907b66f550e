// Service, store: migration 11, requests and lanes that the nodes of a cluster share.
export const cluster = `
  -- Deliveries are divided into lanes by the hash of their subscription. The holder of a lane sends them.
  CREATE TABLE lanes (
    lane INTEGER PRIMARY KEY,
    holder TEXT NOT NULL
  ) STRICT;

  -- What nodes ask of the leader, and its answers. JSON.
  CREATE TABLE requests (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    answer TEXT
  ) STRICT, WITHOUT ROWID;
`;
