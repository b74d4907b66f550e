// Main, core: version 14 of the ledger: a mute has matchers in place of symbols.

export const version = 14;

export const sql = `
-- JSON: conditions that an alert meets, all of them; []: every alert.
ALTER TABLE mutes ADD COLUMN matchers TEXT NOT NULL DEFAULT '[]';
UPDATE mutes SET matchers = json_array(json_object('name', 'symbol', 'operator', 'is', 'values',
    json('["' || replace(symbols, ',', '","') || '"]')))
  WHERE symbols IS NOT NULL;
ALTER TABLE mutes DROP COLUMN symbols;
`;
