// Service, store: migration 2, webhook subscriptions, their deliveries and attempts.
export const webhooks = `
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
`;
