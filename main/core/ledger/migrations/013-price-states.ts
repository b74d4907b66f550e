// Main, core: version 13 of the ledger: the states of price conditions.

export const version = 13;

export const sql = `
CREATE TABLE price_states (
  id TEXT PRIMARY KEY,           -- rule and symbol
  rule TEXT NOT NULL,
  symbol TEXT NOT NULL,
  state TEXT NOT NULL            -- JSON: which side the price is on, since when, the highs and lows of a window
) STRICT;
CREATE INDEX events_crossings ON events (ledger_id) WHERE event = 'price.crossed';
CREATE INDEX events_crossings_symbol ON events (symbol, ledger_id) WHERE event = 'price.crossed';
`;
