// Main, core: version 4 of the ledger: an index on the newest desktop notification.
// A sandbox beside a production profile reads it before every alert, and must not scan all notifications.

export const version = 4;

export const sql = `
CREATE INDEX tellings_newest ON tellings (intent_ms) WHERE outlet = 'desktop' AND outcome IN ('intent', 'failed', 'shown', 'in_app');
`;
