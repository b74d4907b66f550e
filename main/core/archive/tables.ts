// Main, core: the tables of archive.sqlite, from which a new file is made, and how an earlier form gets them.
import type { Database } from 'better-sqlite3';
import type { Migration } from '../files/migrate.ts';

export const ARCHIVE_NAME = 'archive.sqlite';

const FLAG_TABLES_SQL = `-- What the user read, starred and put aside, which no service can restore. It outlives the briefings themselves.
CREATE TABLE flags (
  id TEXT PRIMARY KEY,                 -- of the briefing, as the service names it
  unread INTEGER NOT NULL,
  starred INTEGER NOT NULL,
  later INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER flags_written AFTER INSERT ON flags BEGIN
  UPDATE briefings SET unread = new.unread, starred = new.starred, later = new.later WHERE id = new.id;
END;
`;

/** Some files of form 5 lack it. */
const POINTS_SQL = `CREATE TABLE IF NOT EXISTS points (
  series TEXT NOT NULL,
  symbol TEXT NOT NULL,
  at_ms INTEGER NOT NULL,              -- the service's time of the point
  body TEXT NOT NULL,
  PRIMARY KEY (series, symbol, at_ms)
) STRICT, WITHOUT ROWID;
`;

export const ARCHIVE_TABLES = `
-- Newest first is the order of the tables themselves: n is the time of publication, ms since the epoch, times 1000, plus a number.
CREATE TABLE briefings (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  author TEXT NOT NULL,
  summary TEXT NOT NULL,
  symbols TEXT NOT NULL,               -- comma list
  reading_minutes INTEGER NOT NULL,
  unread INTEGER NOT NULL,             -- these three follow the table flags
  starred INTEGER NOT NULL,
  later INTEGER NOT NULL,
  text_pending INTEGER NOT NULL,       -- 1: its text is to be fetched
  content_type TEXT,                   -- null until its text is here
  body TEXT,                           -- as the service gave it
  plain TEXT NOT NULL                  -- its words alone, for the search
) STRICT;
CREATE INDEX briefings_tally ON briefings (type, author, unread, starred, later);
CREATE INDEX briefings_unread ON briefings (unread) WHERE unread = 1;
CREATE INDEX briefings_starred ON briefings (starred) WHERE starred = 1;
CREATE INDEX briefings_later ON briefings (later) WHERE later = 1;
CREATE INDEX briefings_textless ON briefings (n) WHERE text_pending = 0 AND body IS NULL;
CREATE INDEX briefings_text_pending ON briefings (text_pending) WHERE text_pending = 1;
CREATE TABLE briefing_symbols (symbol TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (symbol, n)) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE briefings_fts USING fts5 (
  title, summary, author, plain, content = 'briefings', content_rowid = 'n', tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO briefings_fts (briefings_fts, rank) VALUES ('rank', 'bm25(8.0, 3.0, 2.0, 1.0)');
CREATE TRIGGER briefings_inserted AFTER INSERT ON briefings BEGIN
  INSERT INTO briefings_fts (rowid, title, summary, author, plain) VALUES (new.n, new.title, new.summary, new.author, new.plain);
END;
CREATE TRIGGER briefings_deleted AFTER DELETE ON briefings BEGIN
  INSERT INTO briefings_fts (briefings_fts, rowid, title, summary, author, plain)
    VALUES ('delete', old.n, old.title, old.summary, old.author, old.plain);
  DELETE FROM briefing_symbols WHERE n = old.n AND symbol IN (SELECT value FROM json_each('["' || replace(old.symbols, ',', '","') || '"]'));
END;
CREATE TRIGGER briefings_updated AFTER UPDATE OF title, summary, author, plain ON briefings BEGIN
  INSERT INTO briefings_fts (briefings_fts, rowid, title, summary, author, plain)
    VALUES ('delete', old.n, old.title, old.summary, old.author, old.plain);
  INSERT INTO briefings_fts (rowid, title, summary, author, plain) VALUES (new.n, new.title, new.summary, new.author, new.plain);
END;

CREATE TABLE news (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  headline TEXT NOT NULL,
  summary TEXT NOT NULL,
  source TEXT NOT NULL,
  url TEXT NOT NULL,
  symbols TEXT NOT NULL,
  score REAL NOT NULL,
  label TEXT NOT NULL
) STRICT;
CREATE INDEX news_source ON news (source);
CREATE INDEX news_label ON news (label);
CREATE TABLE news_symbols (symbol TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (symbol, n)) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE news_fts USING fts5 (
  headline, summary, source, content = 'news', content_rowid = 'n', tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO news_fts (news_fts, rank) VALUES ('rank', 'bm25(8.0, 3.0, 1.0)');
CREATE TRIGGER news_inserted AFTER INSERT ON news BEGIN
  INSERT INTO news_fts (rowid, headline, summary, source) VALUES (new.n, new.headline, new.summary, new.source);
END;
CREATE TRIGGER news_deleted AFTER DELETE ON news BEGIN
  INSERT INTO news_fts (news_fts, rowid, headline, summary, source) VALUES ('delete', old.n, old.headline, old.summary, old.source);
  DELETE FROM news_symbols WHERE n = old.n AND symbol IN (SELECT value FROM json_each('["' || replace(old.symbols, ',', '","') || '"]'));
END;

-- Words of the ledger's alerts and of the user's notes on them. The ledger itself keeps no index of words.
CREATE TABLE alerts (
  ledger_id INTEGER PRIMARY KEY,
  symbol TEXT NOT NULL,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  note TEXT NOT NULL,
  at_s INTEGER NOT NULL                -- world time, seconds since the epoch
) STRICT;
CREATE VIRTUAL TABLE alerts_fts USING fts5 (title, text, content = 'alerts', content_rowid = 'ledger_id', tokenize = 'unicode61 remove_diacritics 2');
INSERT INTO alerts_fts (alerts_fts, rank) VALUES ('rank', 'bm25(4.0, 1.0)');
CREATE VIRTUAL TABLE notes_fts USING fts5 (note, content = 'alerts', content_rowid = 'ledger_id', tokenize = 'unicode61 remove_diacritics 2');
CREATE TRIGGER alerts_inserted AFTER INSERT ON alerts BEGIN
  INSERT INTO alerts_fts (rowid, title, text) VALUES (new.ledger_id, new.title, new.text);
  INSERT INTO notes_fts (rowid, note) VALUES (new.ledger_id, new.note);
END;
CREATE TRIGGER alerts_note_updated AFTER UPDATE OF note ON alerts BEGIN
  INSERT INTO notes_fts (notes_fts, rowid, note) VALUES ('delete', old.ledger_id, old.note);
  INSERT INTO notes_fts (rowid, note) VALUES (new.ledger_id, new.note);
END;

-- A copy of the ledger's, written anew as a whole: there are few.
CREATE TABLE symbol_notes (
  id INTEGER PRIMARY KEY,              -- the ledger's
  symbol TEXT NOT NULL,
  note TEXT NOT NULL,
  at TEXT NOT NULL                     -- world time, ISO
) STRICT;
CREATE VIRTUAL TABLE symbol_notes_fts USING fts5 (
  symbol, note, content = 'symbol_notes', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);

${FLAG_TABLES_SQL}
-- The last good answer to what windows read when they need it; times are this computer's.
CREATE TABLE answers (
  name TEXT NOT NULL,
  key TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (name, key)
) STRICT, WITHOUT ROWID;

${POINTS_SQL}
CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Gives a file of forms 1 to 3 the present tables, with its briefings and news. */
const rebuild = (db: Database): void => {
  db.exec(`CREATE TEMP TABLE former_briefings AS SELECT * FROM briefings;
    CREATE TEMP TABLE former_news AS SELECT * FROM news;`);
  const tables = (condition: string): string[] =>
    db.prepare<[], string>(`SELECT name FROM main.sqlite_schema WHERE type = 'table' AND ${condition}`).pluck().all();
  // An index of terms takes its own tables with it.
  for (const name of tables("sql LIKE 'CREATE VIRTUAL%'")) db.exec(`DROP TABLE ${name}`);
  for (const name of tables("name NOT LIKE 'sqlite_%'")) db.exec(`DROP TABLE ${name}`);
  db.exec(ARCHIVE_TABLES);
  for (const [table, symbols] of [
    ['briefings', 'briefing_symbols'],
    ['news', 'news_symbols'],
  ])
    db.exec(`INSERT INTO ${table} SELECT * FROM former_${table};
      INSERT INTO ${symbols} SELECT DISTINCT value, n FROM ${table}, json_each('["' || replace(symbols, ',', '","') || '"]')
        WHERE symbols <> '';
      DROP TABLE former_${table};`);
};

/**
 * Form 4 had the flags in a file of their own. Forms 1 to 3 had other names for some tables too, in the same
 * columns: briefings and news are taken over, and everything else is a copy that is made again.
 */
const fill = (db: Database): void => {
  const isOfFormFour = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'symbol_notes'").get() !== undefined;
  if (isOfFormFour) db.exec(FLAG_TABLES_SQL);
  else rebuild(db);
};

export const ARCHIVE_MIGRATIONS: readonly Migration[] = [
  { version: 5, sql: '', fill },
  { version: 6, sql: POINTS_SQL },
];
