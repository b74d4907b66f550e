// Main, core: briefings that the service listed and gives no text of are counted without reading all the others.

export const version = 2;

export const sql = `
CREATE INDEX briefings_textless ON briefings (n) WHERE wanted = 0 AND body IS NULL;
`;
