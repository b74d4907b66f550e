// Main, core: version 2 of the archive: an index on listed briefings without text.

export const version = 2;

export const sql = `
CREATE INDEX briefings_textless ON briefings (n) WHERE wanted = 0 AND body IS NULL;
`;
