// Main, core: version 2 of relay.sqlite renames tables and a column.

export const version = 2;

export const sql = `
ALTER TABLE targets RENAME COLUMN place TO position;
ALTER TABLE aside RENAME TO dead_letters;
ALTER TABLE facts RENAME TO metadata;
`;
