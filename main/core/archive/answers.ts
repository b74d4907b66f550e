// Main, core: stores the last good answer to each query of a window, for use while offline.
import type { Database } from 'better-sqlite3';

/** An answer, and when it was received, this computer's clock, ms. */
export interface Answer {
  readonly value: unknown;
  readonly at: number;
}

export interface AnswerStore {
  /** `name`: the channel; `key`: the query. */
  read(name: string, key: string): Answer | null;
  write(name: string, key: string, value: unknown, at: number): void;
}

export function createAnswerStore(db: Database): AnswerStore {
  const select = db.prepare<[string, string], { at_ms: number; body: string }>(
    'SELECT at_ms, body FROM answers WHERE name = ? AND key = ?',
  );
  const put = db.prepare('INSERT OR REPLACE INTO answers (name, key, at_ms, body) VALUES (?, ?, ?, ?)');
  return {
    read(name, key) {
      const row = select.get(name, key);
      return row === undefined ? null : { value: JSON.parse(row.body), at: row.at_ms };
    },
    write: (name, key, value, at) => void put.run(name, key, at, JSON.stringify(value)),
  };
}
