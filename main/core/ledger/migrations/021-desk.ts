// Main, core: version 21 of the ledger: what members of a desk did with alerts.

export const version = 21;

export const sql = `
CREATE TABLE desk_acts (
  id TEXT PRIMARY KEY,
  event_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  body TEXT NOT NULL,
  is_sent INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX desk_acts_event ON desk_acts (event_id, at_ms, id);
CREATE INDEX desk_acts_unsent ON desk_acts (at_ms, id) WHERE is_sent = 0;
`;
