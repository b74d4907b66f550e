// Main, core: version 20 of the ledger: one index lists price alerts and alerts of other programs.

export const version = 20;

export const sql = `
DROP INDEX events_crossings;
CREATE INDEX events_local ON events (ledger_id) WHERE event IN ('price.crossed', 'foreign.alert');
`;
