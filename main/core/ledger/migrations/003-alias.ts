// Main, core: third form of the ledger: whether an alias event was ever heard is asked at every start, and must not read through an old ledger.

export const version = 3;

export const sql = `
CREATE INDEX events_alias ON events (ledger_id) WHERE event = 'signal.created';
`;
