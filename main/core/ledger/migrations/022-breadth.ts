// Main, core: version 22 of the ledger: crossed shares of lists are listed, and found by their condition.

export const version = 22;

export const sql = `
DROP INDEX events_local;
CREATE INDEX events_local ON events (ledger_id) WHERE event IN ('price.crossed', 'foreign.alert', 'breadth.crossed');
CREATE INDEX events_breadth ON events (title, ledger_id) WHERE event IN ('breadth.crossed', 'breadth.ended');
`;
