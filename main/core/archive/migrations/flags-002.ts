// Main, core: version 2 of the user's flags renames the tables and one JSON key.

export const version = 2;

export const sql = `
ALTER TABLE marks RENAME TO flags;
ALTER TABLE facts RENAME TO metadata;
-- The result of the last check: words became message.
UPDATE metadata SET value = json_set(json_remove(value, '$.words'), '$.message', value ->> '$.words')
  WHERE name = 'checked' AND json_valid(value);
`;
