// Service, store: migration 4, the accounts of keys, their plans and monthly calls.
export const accounts = `
  CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    -- NULL: the plan that the service is started with.
    plan TEXT CHECK (plan IN ('pro', 'desk', 'institutional')),
    hard_cap INTEGER NOT NULL DEFAULT 0,
    -- JSON: what an Institutional contract says differently.
    contract TEXT,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- A key that was there before accounts were is an account of its own, and what it made stays its own.
  INSERT INTO accounts (id, created_at) SELECT 'acct_' || substr(id, 5), created_at FROM keys;
  ALTER TABLE keys ADD COLUMN account TEXT REFERENCES accounts (id);
  ALTER TABLE keys ADD COLUMN scope TEXT NOT NULL DEFAULT 'webhooks' CHECK (scope IN ('read', 'webhooks'));
  -- Wall time; set when a rotation gives the key an end.
  ALTER TABLE keys ADD COLUMN expires_at INTEGER;
  UPDATE keys SET account = 'acct_' || substr(id, 5);
  UPDATE subscriptions SET owner = 'acct_' || substr(owner, 5) WHERE owner LIKE 'key\\_%' ESCAPE '\\';
  UPDATE idempotent_answers SET owner = 'acct_' || substr(owner, 5) WHERE owner LIKE 'key\\_%' ESCAPE '\\';

  -- month as 2026-03, UTC.
  CREATE TABLE usage (
    account TEXT NOT NULL REFERENCES accounts (id),
    month TEXT NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (account, month)
  ) STRICT, WITHOUT ROWID;
`;
