// Main, core: fourth form of the ledger: when the desktop was told last is asked before every alert of a sandbox beside a production profile, and
// must not read through all that was ever told.

export const version = 4;

export const sql = `
CREATE INDEX tellings_newest ON tellings (intent_ms) WHERE outlet = 'desktop' AND outcome IN ('intent', 'failed', 'shown', 'in_app');
`;
