// Main, core: version 9 of the ledger: identities of events that retention removed.

export const version = 9;

export const sql = `
-- One row for each id of a removed event (its own, and further ones), and one for its second key: by these a repeat is
-- known. The rest of the event is gone.
CREATE TABLE removed_events (
  hash INTEGER PRIMARY KEY,      -- 53 bits of the SHA-256 of the id, or of the second key
  log INTEGER NOT NULL,          -- which of the service's logs the seq counts in
  seq INTEGER,                   -- of an id
  content INTEGER,               -- of an id: 53 bits of the SHA-256 of symbol and state; null: unknown
  occurred_s INTEGER NOT NULL    -- world time, whole seconds since the epoch
) STRICT;
CREATE INDEX aliases_event ON aliases (ledger_id);
`;
