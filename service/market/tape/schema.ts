// Service, market, tape: the form of a tape's file, one numbered step at a time.
import { type FileForm, TAPE_ID } from '../../store/migrate.ts';

const BARS = `
  CREATE TABLE tape (
    tape_seq INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('bar', 'withdrawn', 'split', 'halt', 'resume', 'delisting', 'real', 'refuse', 'gap', 'quarantine')),
    symbol TEXT NOT NULL,
    -- Session date.
    date TEXT NOT NULL,
    feed TEXT NOT NULL,
    -- Wall ms.
    received_at INTEGER NOT NULL,
    -- 0 for the first row of a feed about a symbol's date.
    revision INTEGER NOT NULL,
    open REAL, high REAL, low REAL, close REAL, volume REAL,
    -- split: new level over old one.
    factor REAL,
    -- Why, in words: quarantine and gap; reason of a halt.
    note TEXT
  ) STRICT;
  CREATE INDEX tape_by_date ON tape (symbol, date);
`;

const MINUTES = `
  -- Closed prices within the day; of a symbol's start the newest revision counts. The only rows that end: see minutes.ts.
  CREATE TABLE minutes (
    tape_seq INTEGER PRIMARY KEY AUTOINCREMENT,
    symbol TEXT NOT NULL,
    -- UTC ms; the end is exclusive.
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    -- Session date.
    date TEXT NOT NULL,
    feed TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    open REAL NOT NULL, high REAL NOT NULL, low REAL NOT NULL, close REAL NOT NULL, volume REAL
  ) STRICT;
  CREATE INDEX minutes_by_start ON minutes (symbol, start);
  CREATE INDEX minutes_by_end ON minutes (end);
  -- From which date on a feed was asked for a symbol's daily bars, so that it is not asked again.
  CREATE TABLE history (
    symbol TEXT NOT NULL,
    feed TEXT NOT NULL,
    since TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    PRIMARY KEY (symbol, feed)
  ) STRICT;
`;

/** Two kinds more: SQLite cannot change a check. */
const DIVIDENDS = `
  ALTER TABLE tape RENAME TO tape_before;
  DROP INDEX tape_by_date;
  CREATE TABLE tape (
    tape_seq INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('bar', 'withdrawn', 'split', 'dividend', 'halt', 'resume', 'delisting', 'real', 'refuse', 'gap', 'quarantine', 'disagreement')),
    symbol TEXT NOT NULL,
    date TEXT NOT NULL,
    feed TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    open REAL, high REAL, low REAL, close REAL, volume REAL,
    factor REAL,
    -- dividend: money a share, at the level of the bar before its date.
    amount REAL,
    note TEXT
  ) STRICT;
  INSERT INTO tape
    SELECT tape_seq, kind, symbol, date, feed, received_at, revision, open, high, low, close, volume, factor, NULL, note
    FROM tape_before;
  DROP TABLE tape_before;
  CREATE INDEX tape_by_date ON tape (symbol, date);
`;

export const TAPE: FileForm = {
  applicationId: TAPE_ID,
  steps: [BARS, MINUTES, DIVIDENDS, 'DROP INDEX minutes_by_start'],
  foreign: ', and no tape of prices. Move it away.',
  newer: 'move the file away.',
};
