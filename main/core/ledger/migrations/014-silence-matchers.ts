// Main, core: version 14 of the ledger: a mute has matchers in place of symbols.

export const version = 14;

export const sql = `
-- JSON: conditions that an alert meets, all of them; []: every alert.
ALTER TABLE mutes RENAME COLUMN symbols TO matchers;
UPDATE mutes SET matchers = CASE WHEN matchers IS NULL THEN '[]' ELSE
  json_array(json_object('name', 'symbol', 'operator', 'is', 'values', json('["' || replace(matchers, ',', '","') || '"]'))) END;
`;
