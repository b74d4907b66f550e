// Main, core: version 11 of the ledger: the event that the confidence of a transition is about.

export const version = 11;

export const sql = `
-- "event" or "further_fall"; null: the service did not say, so it is the warned event.
ALTER TABLE events ADD COLUMN confidence_of TEXT;
`;
