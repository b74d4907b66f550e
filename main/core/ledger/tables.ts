// Main, core: the tables of ledger.sqlite in this version; creates a new file.
// Migrations bring a file of an earlier version to the same tables; a test compares the two. Added columns
// are last.

/** World times are the service's; ms since the epoch are this computer's, unless a comment differs. */
export const LEDGER_TABLES = `
CREATE TABLE events (
  ledger_id INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL UNIQUE,
  seq INTEGER,
  log INTEGER NOT NULL,                -- which of the service's logs the seq counts in: a service that is replaced begins another
  event TEXT NOT NULL,
  symbol TEXT,
  to_state INTEGER,                    -- signal.* only: the state entered
  occurred_s INTEGER NOT NULL,         -- world time, whole seconds since the epoch
  duplicate_index INTEGER NOT NULL,    -- 0, or n for the n-th event that one log itself lists twice under the second key
  received_ms INTEGER NOT NULL,
  sources TEXT NOT NULL,               -- how it arrived, first one first, comma list
  decision TEXT,                       -- of a signal.* and a crossed price: why it was notified or not
  assumptions TEXT,                    -- what had to be assumed while reading it, comma list; "id": it came without one
  body TEXT NOT NULL,
  asset_class TEXT,                    -- from here on the content of the body, which is parsed once; null where it has none
  from_state INTEGER,
  state_name TEXT,
  note TEXT,
  occurred_ms INTEGER,                 -- world time, ms since the epoch
  confidence REAL,
  regime TEXT,                         -- of a regime.flip: the one entered
  model_version TEXT,                  -- of a model.version: the one that begins
  type TEXT,                           -- of a briefing
  title TEXT,                          -- of a briefing; of breadth.*: the key of its condition
  confidence_of TEXT,                  -- event, further_fall; null: the service did not say, so it is the warned event
  in_question TEXT                     -- open: it rests on a price that needs a decision; withdrawn: it takes that back
) STRICT;
CREATE UNIQUE INDEX events_second_key ON events (symbol, occurred_s, to_state, duplicate_index) WHERE to_state IS NOT NULL;
CREATE INDEX events_time ON events (occurred_s) WHERE to_state IS NOT NULL;
CREATE INDEX events_alias ON events (ledger_id) WHERE event = 'signal.created';
CREATE INDEX events_high ON events (symbol, occurred_s, ledger_id) WHERE to_state = 2;
CREATE INDEX events_crossings_rule ON events (symbol, decision, ledger_id) WHERE event = 'price.crossed';
CREATE INDEX events_local ON events (ledger_id) WHERE event IN ('price.crossed', 'foreign.alert', 'breadth.crossed');
CREATE INDEX events_breadth ON events (title, ledger_id) WHERE event IN ('breadth.crossed', 'breadth.ended');

-- Other ids under which the service listed an event.
CREATE TABLE aliases (event_id TEXT PRIMARY KEY, ledger_id INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX aliases_event ON aliases (ledger_id);

-- Up to where everything was received.
CREATE TABLE cursor (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  log INTEGER NOT NULL,
  event_id TEXT,
  seq INTEGER
) STRICT;
INSERT INTO cursor VALUES (1, 1, NULL, NULL);
-- Received, but not everything before them.
CREATE TABLE pending_events (seq INTEGER PRIMARY KEY, event_id TEXT NOT NULL) STRICT;

CREATE TABLE gaps (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,                  -- downtime, hole, lost (the service has no record: never closed)
  from_at TEXT NOT NULL,               -- world time
  to_at TEXT,
  cause TEXT NOT NULL,
  closed INTEGER NOT NULL,
  filled INTEGER NOT NULL              -- events that back-fill brought
) STRICT;
CREATE INDEX gaps_open ON gaps (closed) WHERE closed = 0;

CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO metadata VALUES ('open_after', '0');

CREATE TABLE notifications (
  id TEXT PRIMARY KEY,                 -- made from the event's id, so that it can never change; what the desktop replaces by
  ledger_id INTEGER NOT NULL,          -- the event; of a digest: the gravest that it names; 0: about no event
  channel TEXT NOT NULL,               -- desktop, or the id of its channel
  kind TEXT NOT NULL,                  -- alert, again (a mute ended and it still stands), digest, notice
  rules TEXT NOT NULL,                 -- ids of the rules that matched, first one first, comma list
  base_rate REAL,                      -- percent, as it stood when it was decided
  intent_ms INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  reason TEXT NOT NULL,                -- why it waits, why it was not notified alone, or not at all; empty: notified at once
  batch TEXT,                          -- of those that wait: what they wait for together
  digest_id TEXT,                      -- the row that names it
  outcome_ms INTEGER,
  detail TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  -- Counts the events that joined it. Of an event that joined: the revision that names it first.
  revision INTEGER NOT NULL DEFAULT 1,
  taken_revision INTEGER NOT NULL DEFAULT 0, -- the newest that the desktop or the channel accepted; 0: none
  grown_ms INTEGER,                    -- when an event joined it last; null: none did
  step_minutes INTEGER NOT NULL DEFAULT 0, -- of a step of an escalation: minutes after the notification; 0: none
  receipt TEXT,                        -- the receiver's name of the message, to change it later; null: it has none
  settled TEXT                         -- what the receiver knows of the end: acknowledged, over, given_up; null: nothing yet
) STRICT;
CREATE INDEX notifications_event ON notifications (ledger_id);
CREATE INDEX notifications_open ON notifications (ledger_id) WHERE outcome IN ('intent', 'failed');
CREATE INDEX notifications_waiting ON notifications (batch) WHERE outcome IN ('batched', 'pending', 'muted');
CREATE INDEX notifications_digest ON notifications (digest_id) WHERE digest_id IS NOT NULL;
CREATE INDEX notifications_newest ON notifications (intent_ms)
  WHERE channel = 'desktop' AND outcome IN ('intent', 'failed', 'shown', 'in_app');
CREATE INDEX notifications_sent ON notifications (intent_ms) WHERE channel <> 'desktop' AND outcome = 'sent';

-- What happened with an event, step by step.
CREATE TABLE trace (
  id INTEGER PRIMARY KEY,
  ledger_id INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  step TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX trace_event ON trace (ledger_id);

CREATE TABLE mutes (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,                  -- snooze, silence
  matchers TEXT,                       -- JSON: conditions that an alert meets, all of them; []: every alert
  until TEXT NOT NULL,                 -- time, change, recovery
  from_at TEXT NOT NULL,
  until_at TEXT,                       -- null: no time ends it
  comment TEXT NOT NULL,
  made_ms INTEGER NOT NULL,
  ended_at TEXT,
  ended_why TEXT
) STRICT;
CREATE INDEX mutes_active ON mutes (id) WHERE ended_at IS NULL;

-- What the user did with an event.
CREATE TABLE annotations (
  ledger_id INTEGER PRIMARY KEY,
  acked_ms INTEGER,
  note TEXT NOT NULL
) STRICT;

-- Retention removed these; they are known when they come again.
CREATE TABLE removed_events (
  hash INTEGER PRIMARY KEY,            -- 53 bits of the SHA-256 of the id, or of the second key
  log INTEGER NOT NULL,                -- which of the service's logs the seq counts in
  seq INTEGER,                         -- of an id
  content INTEGER,                     -- of an id: 53 bits of the SHA-256 of symbol and state; null: unknown
  occurred_s INTEGER NOT NULL          -- world time, whole seconds since the epoch
) STRICT;

CREATE TABLE price_states (
  id TEXT PRIMARY KEY,                 -- rule and symbol
  rule TEXT NOT NULL,
  symbol TEXT NOT NULL,
  state TEXT NOT NULL                  -- JSON: which side the price is on, since when, the highs and lows of a window
) STRICT;

CREATE TABLE symbol_notes (
  id INTEGER PRIMARY KEY,
  symbol TEXT NOT NULL,
  at TEXT NOT NULL,                    -- world time, ISO
  note TEXT NOT NULL,
  made_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX symbol_notes_symbol ON symbol_notes (symbol, at);

-- What members of a desk did with alerts.
CREATE TABLE desk_acts (
  id TEXT PRIMARY KEY,
  event_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,              -- the clock of who did it
  body TEXT NOT NULL,                  -- JSON, as the service has it
  is_sent INTEGER NOT NULL             -- 0: an act of this monitor that the service does not have yet
) STRICT, WITHOUT ROWID;
CREATE INDEX desk_acts_event ON desk_acts (event_id, at_ms, id);
CREATE INDEX desk_acts_unsent ON desk_acts (at_ms, id) WHERE is_sent = 0;
`;
