// Main, core: version 3 of the archive renames tables, columns, indexes and triggers.

export const version = 3;

// A trigger names the hidden column of its index, which has the index's name: renaming the index would break
// the trigger.
export const sql = `
DROP TRIGGER briefings_in;
DROP TRIGGER briefings_out;
DROP TRIGGER briefings_anew;
DROP TRIGGER news_in;
DROP TRIGGER news_out;
DROP TRIGGER alerts_in;
DROP TRIGGER alerts_noted;
ALTER TABLE briefings_words RENAME TO briefings_fts;
ALTER TABLE news_words RENAME TO news_fts;
ALTER TABLE alerts_words RENAME TO alerts_fts;
ALTER TABLE notes_words RENAME TO notes_fts;

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
CREATE TRIGGER news_inserted AFTER INSERT ON news BEGIN
  INSERT INTO news_fts (rowid, headline, summary, source) VALUES (new.n, new.headline, new.summary, new.source);
END;
CREATE TRIGGER news_deleted AFTER DELETE ON news BEGIN
  INSERT INTO news_fts (news_fts, rowid, headline, summary, source) VALUES ('delete', old.n, old.headline, old.summary, old.source);
  DELETE FROM news_symbols WHERE n = old.n AND symbol IN (SELECT value FROM json_each('["' || replace(old.symbols, ',', '","') || '"]'));
END;
CREATE TRIGGER alerts_inserted AFTER INSERT ON alerts BEGIN
  INSERT INTO alerts_fts (rowid, title, text) VALUES (new.ledger_id, new.title, new.text);
  INSERT INTO notes_fts (rowid, note) VALUES (new.ledger_id, new.note);
END;
CREATE TRIGGER alerts_note_updated AFTER UPDATE OF note ON alerts BEGIN
  INSERT INTO notes_fts (notes_fts, rowid, note) VALUES ('delete', old.ledger_id, old.note);
  INSERT INTO notes_fts (rowid, note) VALUES (new.ledger_id, new.note);
END;

ALTER TABLE briefings RENAME COLUMN wanted TO text_pending;
DROP INDEX briefings_wanted;
CREATE INDEX briefings_text_pending ON briefings (text_pending) WHERE text_pending = 1;

ALTER TABLE facts RENAME TO metadata;
UPDATE metadata SET name = 'flags_version' WHERE name = 'marks_version';

-- The rows of the watchlists, as they were when the program last ran: heard_at became received_at.
UPDATE answers SET body = (
    SELECT json_group_array(json_set(json_remove(value, '$.heard_at'), '$.received_at', value ->> '$.heard_at') ORDER BY key)
    FROM json_each(answers.body)
  )
  WHERE name = 'rows' AND CASE WHEN json_valid(body) THEN json_type(body) = 'array' ELSE 0 END;
`;
