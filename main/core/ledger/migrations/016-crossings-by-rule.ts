// Main, core: version 16 of the ledger: the index on crossed prices finds the newest of each rule.

export const version = 16;

export const sql = `
DROP INDEX events_crossings_symbol;
CREATE INDEX events_crossings_rule ON events (symbol, decision, ledger_id) WHERE event = 'price.crossed';
`;
