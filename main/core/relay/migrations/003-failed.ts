// Main, core: version 3 of relay.sqlite: an index on the events that were given up.
// The view counts them after every event, and must not read all that were delivered.

export const version = 3;

export const sql = `
CREATE INDEX IF NOT EXISTS forwards_failed ON forwards (target_id) WHERE status = 'failed';
`;
