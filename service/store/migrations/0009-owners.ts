// Service, store: migration 9: owners of accounts; the account scope, last use and request of keys.
export const owners = `
  -- Where notices to the owner of the account go.
  ALTER TABLE accounts ADD COLUMN owner_email TEXT;

  -- A CHECK cannot be altered, so the table is copied.
  ALTER TABLE keys RENAME TO keys_before;
  CREATE TABLE keys (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    ending TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    account TEXT REFERENCES accounts (id),
    scope TEXT NOT NULL DEFAULT 'webhooks' CHECK (scope IN ('read', 'webhooks', 'account')),
    -- Wall time; set when a rotation gives the key an end.
    expires_at INTEGER,
    -- Wall time, some seconds late.
    last_used_at INTEGER,
    -- The Idempotency-Key of the request that issued it, and that request. The answer is not kept: it had the key.
    request_key TEXT,
    request TEXT
  ) STRICT, WITHOUT ROWID;
  INSERT INTO keys (hash, id, ending, created_at, revoked_at, account, scope, expires_at)
    SELECT hash, id, ending, created_at, revoked_at, account, scope, expires_at FROM keys_before;
  DROP TABLE keys_before;
  CREATE INDEX keys_by_account ON keys (account, created_at, id);
`;
