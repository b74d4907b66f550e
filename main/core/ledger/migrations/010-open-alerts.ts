// Main, core: version 10 of the ledger: an index on High Risk, and the start of open alerts.

export const version = 10;

export const sql = `
CREATE INDEX events_high ON events (symbol, occurred_s, ledger_id) WHERE to_state = 2;
-- Alerts up to here left the list with their state; later ones stay until a person has dealt with them.
INSERT OR IGNORE INTO metadata (name, value) SELECT 'open_after', coalesce(max(ledger_id), 0) FROM events;
`;
