// Main, core: version 12 of the ledger adds columns for notifications that further events join.
// Such a notification keeps its id.

export const version = 12;

export const sql = `
-- Counts the events that joined it. Of an event that joined: the revision that names it first.
ALTER TABLE notifications ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
-- The newest revision that the desktop or the channel accepted; 0: none.
ALTER TABLE notifications ADD COLUMN taken_revision INTEGER NOT NULL DEFAULT 0;
-- When an event joined it last, this computer's clock, ms since the epoch; null: none did.
ALTER TABLE notifications ADD COLUMN grown_ms INTEGER;
UPDATE notifications SET taken_revision = 1 WHERE outcome IN ('shown', 'sent');
`;
