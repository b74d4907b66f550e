// Service, store: the history of the form of a store, as numbered steps in SQL.

/** Number n of the list brings a store from version n-1 to n. A released step must never change; append a new one. */
export const STORE_MIGRATIONS: readonly string[] = [
  // 1: the event log, announced states, keys and settings.
  `
  -- Everything that was ever told. body is the envelope as it is sent; the other columns are what readers ask by.
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    event_id TEXT NOT NULL UNIQUE,
    event TEXT NOT NULL,
    occurred_at INTEGER NOT NULL,
    symbol TEXT,
    asset_class TEXT,
    to_state INTEGER,
    regime TEXT,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX transitions_by_time ON events (occurred_at, seq) WHERE to_state IS NOT NULL;
  CREATE INDEX transitions_by_symbol ON events (symbol, occurred_at, seq) WHERE to_state IS NOT NULL;
  CREATE INDEX events_by_time ON events (occurred_at);

  -- What stands announced per symbol, written together with the event that announced it.
  CREATE TABLE standings (
    symbol TEXT PRIMARY KEY,
    day TEXT,
    state INTEGER NOT NULL,
    since INTEGER NOT NULL,
    held_until INTEGER,
    regime TEXT,
    regime_since INTEGER,
    regime_held_until INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE keys (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    ending TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`,
  // 2: webhook subscriptions, their deliveries and attempts.
  `
  -- created_at and paused_at are world time; failing_since runs with the clock of the retries (see deliveries).
  CREATE TABLE subscriptions (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    symbols TEXT,
    -- url, events and symbols in one spelling: what makes a request a repeat.
    target TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'paused')),
    created_at INTEGER NOT NULL,
    paused_at INTEGER,
    paused_reason TEXT,
    failing_since INTEGER,
    -- 1 from the pause until its owner has been told.
    notice_due INTEGER NOT NULL DEFAULT 0,
    -- Needed in the clear, because a signature is made with it.
    secret TEXT NOT NULL,
    next_secret TEXT,
    -- Place in the log: every event up to it has its row in deliveries, or was not asked for.
    place INTEGER NOT NULL,
    -- World time: what occurred before it is not sent any more (a resume recovers what was kept).
    sent_from INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX subscriptions_by_target ON subscriptions (owner, target);

  -- created_at, due_at and settled_at are times of the clock of the retries: the world's, or the wall's while the world is frozen.
  CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    subscription_id TEXT NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    event TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('event', 'replay', 'test')),
    status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
    created_at INTEGER NOT NULL,
    due_at INTEGER,
    settled_at INTEGER,
    -- Attempts that the present run of the retry ladder has had.
    rung INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX deliveries_once ON deliveries (subscription_id, seq) WHERE kind = 'event';
  CREATE INDEX deliveries_due ON deliveries (subscription_id, due_at) WHERE status = 'pending';
  CREATE INDEX deliveries_listed ON deliveries (subscription_id, id);
  CREATE INDEX deliveries_settled ON deliveries (settled_at) WHERE settled_at IS NOT NULL;

  CREATE TABLE attempts (
    delivery_id INTEGER NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    status INTEGER,
    latency_ms INTEGER NOT NULL,
    error TEXT,
    response TEXT,
    PRIMARY KEY (delivery_id, number)
  ) STRICT, WITHOUT ROWID;

  -- Answers to requests that carried an Idempotency-Key, for a day of wall time.
  CREATE TABLE idempotent_answers (
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    request TEXT NOT NULL,
    created INTEGER NOT NULL,
    answer TEXT NOT NULL,
    subscription_id TEXT NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotent_answers_by_subscription ON idempotent_answers (subscription_id);
`,
  // 3: episodes out of Normal, and the regime flips of a symbol by time.
  `
  -- One row per episode, from leaving Normal to coming back; kept up in the transaction that logs its transitions.
  CREATE TABLE episodes (
    id TEXT PRIMARY KEY,
    symbol TEXT NOT NULL,
    asset_class TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    peak_state INTEGER NOT NULL,
    regime TEXT,
    confidence REAL,
    note TEXT NOT NULL,
    -- JSON array of event_ids.
    transitions TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX episodes_by_time ON episodes (started_at, id);
  CREATE UNIQUE INDEX open_episodes ON episodes (symbol) WHERE ended_at IS NULL;

  CREATE INDEX flips_by_symbol ON events (symbol, occurred_at, seq) WHERE event = 'regime.flip';
`,
  // 4: the accounts of keys, their plans and monthly calls.
  `
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
`,
  // 5: published briefings.
  `
  CREATE TABLE briefings (
    id TEXT PRIMARY KEY,
    -- desk: written by the service. editorial: from a file.
    source TEXT NOT NULL CHECK (source IN ('desk', 'editorial')),
    type TEXT NOT NULL,
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    -- World ms.
    date INTEGER NOT NULL,
    summary TEXT NOT NULL,
    -- JSON array.
    symbols TEXT NOT NULL,
    reading_minutes INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX briefings_by_date ON briefings (date, id);
`,
  // 6: news items, and the validators of each feed.
  `
  CREATE TABLE news (
    id TEXT PRIMARY KEY,
    headline TEXT NOT NULL,
    summary TEXT NOT NULL,
    source TEXT NOT NULL,
    url TEXT NOT NULL,
    published_at INTEGER NOT NULL,
    -- JSON array.
    symbols TEXT NOT NULL,
    score REAL NOT NULL,
    label TEXT NOT NULL
  ) STRICT;
  CREATE INDEX news_by_time ON news (published_at, id);

  CREATE TABLE feeds (
    url TEXT PRIMARY KEY,
    etag TEXT,
    last_modified TEXT
  ) STRICT, WITHOUT ROWID;
`,
  // 7: names of current states, positions and briefing sources as in code.
  `
  -- The current state per symbol, written together with the event that announced it.
  ALTER TABLE standings RENAME TO current_states;
  ALTER TABLE current_states RENAME COLUMN held_until TO hold_down_until;
  ALTER TABLE current_states RENAME COLUMN regime_held_until TO regime_hold_down_until;

  -- Position in the log: every event up to it has its row in deliveries, or was not asked for.
  ALTER TABLE subscriptions RENAME COLUMN place TO position;

  -- A CHECK cannot be altered, so the table is copied.
  ALTER TABLE briefings RENAME TO briefings_before;
  DROP INDEX briefings_by_date;
  CREATE TABLE briefings (
    id TEXT PRIMARY KEY,
    -- generated: written by the service. editorial: from a file.
    source TEXT NOT NULL CHECK (source IN ('generated', 'editorial')),
    type TEXT NOT NULL,
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    -- World ms.
    date INTEGER NOT NULL,
    summary TEXT NOT NULL,
    -- JSON array.
    symbols TEXT NOT NULL,
    reading_minutes INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  INSERT INTO briefings (id, source, type, title, author, date, summary, symbols, reading_minutes, body)
    SELECT id, iif(source = 'desk', 'generated', source), type, title, author, date, summary, symbols, reading_minutes, body
    FROM briefings_before ORDER BY rowid;
  DROP TABLE briefings_before;
  CREATE INDEX briefings_by_date ON briefings (date, id);
`,
  // 8: events of transitions have `state` beside `to_state`.
  `
  UPDATE events SET body = json_set(body, '$.data.state', to_state)
    WHERE to_state IS NOT NULL AND json_type(body, '$.data.state') IS NULL;
`,
  // 9: owners of accounts; the account scope, last use and request of keys.
  `
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
`,
  // 10: the event that the confidence of an episode applies to.
  `
  -- As \`confidence_of\` on the wire; null where the log has the transition no longer.
  ALTER TABLE episodes ADD COLUMN claim TEXT;
  UPDATE episodes SET claim = (
    SELECT json_extract(events.body, '$.data.confidence_of') FROM json_each(episodes.transitions) AS own
      JOIN events ON events.event_id = own.value
      WHERE events.to_state = episodes.peak_state ORDER BY events.seq LIMIT 1
  );
`,
  // 11: requests and lanes that the nodes of a cluster share.
  `
  -- Deliveries are divided into lanes by the hash of their subscription. The holder of a lane sends them.
  CREATE TABLE lanes (
    lane INTEGER PRIMARY KEY,
    holder TEXT NOT NULL
  ) STRICT;

  -- What nodes ask of the leader, and its answers. JSON.
  CREATE TABLE requests (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    answer TEXT
  ) STRICT, WITHOUT ROWID;
`,
  // 12: the price in question on which a state rests.
  `
  -- Its session date; null: the state rests on none.
  ALTER TABLE current_states ADD COLUMN rests_on TEXT;
`,
  // 13: what members of a desk did with alerts.
  `
  -- In the order of their arrival. body is the act as it is served.
  CREATE TABLE desk_acts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    account TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    -- Wall time.
    received_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX desk_acts_by_id ON desk_acts (account, id);
  CREATE INDEX desk_acts_by_account ON desk_acts (account, seq);
  CREATE INDEX desk_acts_by_time ON desk_acts (received_at);
`,
];
