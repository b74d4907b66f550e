// Main, core: version 2 of the ledger: notifications become rows.
// One event may be notified again, through another channel, or in a digest.

export const version = 2;

export const sql = `
-- One row per telling for ever. It is written with the event, in one transaction, and only moves on:
-- held, gathered, muted (they wait) -> intent -> shown, in_app, sent; or digest (named in another row), or dropped with its reason.
CREATE TABLE tellings (
  id TEXT PRIMARY KEY,           -- made from the event's id, kept so that it can never change; what the desktop replaces by
  ledger_id INTEGER NOT NULL,    -- the event; of a digest: the gravest that it names; 0: about no event
  outlet TEXT NOT NULL,          -- desktop, or the id of the rule whose outlet it goes to
  kind TEXT NOT NULL,            -- alert, again (a mute ended and it still stands), digest, notice
  rules TEXT NOT NULL,           -- ids of the rules that matched, first one first, comma list
  base_rate REAL,                -- percent, as it stood when it was decided
  intent_ms INTEGER NOT NULL,    -- this computer's clock, ms since the epoch
  outcome TEXT NOT NULL,
  reason TEXT NOT NULL,          -- why it waits, why it was not told alone, or not at all; empty: told at once
  bin TEXT,                      -- of those that wait: what they wait for together
  digest_id TEXT,                -- the row that names it
  outcome_ms INTEGER,
  detail TEXT NOT NULL,
  attempts INTEGER NOT NULL
) STRICT;
CREATE INDEX tellings_event ON tellings (ledger_id);
CREATE INDEX tellings_open ON tellings (ledger_id) WHERE outcome IN ('intent', 'failed');
CREATE INDEX tellings_waiting ON tellings (bin) WHERE outcome IN ('gathered', 'held', 'muted');
CREATE INDEX tellings_digest ON tellings (digest_id) WHERE digest_id IS NOT NULL;
INSERT INTO tellings (id, ledger_id, outlet, kind, rules, base_rate, intent_ms, outcome, reason, outcome_ms, detail, attempts)
  SELECT notification_id, ledger_id, 'desktop', 'alert', 'high-risk', base_rate, intent_ms, outcome, '', outcome_ms, detail, attempts FROM notifications;
DROP TABLE notifications;

-- What befell an event after it was received, in order. Receiving itself stands in its own row of events.
CREATE TABLE trace (
  id INTEGER PRIMARY KEY,
  ledger_id INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,        -- this computer's clock, ms since the epoch
  step TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX trace_event ON trace (ledger_id);

-- Snoozes and silences. Times are world time, ISO.
CREATE TABLE mutes (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,            -- snooze, silence
  symbols TEXT,                  -- comma list; null: every symbol
  until TEXT NOT NULL,           -- time, change, recovery
  from_at TEXT NOT NULL,
  until_at TEXT,                 -- null: no time ends it
  comment TEXT NOT NULL,
  made_ms INTEGER NOT NULL,      -- this computer's clock
  ended_at TEXT,
  ended_why TEXT
) STRICT;
CREATE INDEX mutes_active ON mutes (id) WHERE ended_at IS NULL;

-- What the user did with an event.
CREATE TABLE marks (
  ledger_id INTEGER PRIMARY KEY,
  acked_ms INTEGER,              -- this computer's clock
  note TEXT NOT NULL
) STRICT;
`;
