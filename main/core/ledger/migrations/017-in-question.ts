// Main, core: version 17 of the ledger: whether a transition rests on a price that needs a decision.

export const version = 17;

export const sql = `
-- "open": it rests on such a price. "withdrawn": it takes back a state that did. null: neither.
ALTER TABLE events ADD COLUMN in_question TEXT;
`;
