// Main, core: version 3 of the ledger: an index on alias events.
// Every start asks whether there is one, and must not scan an old ledger.

export const version = 3;

export const sql = `
CREATE INDEX events_alias ON events (ledger_id) WHERE event = 'signal.created';
`;
