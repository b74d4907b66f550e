// Service, store: requests of cluster nodes to the leader, and its answers, both as JSON.
import type { Database } from 'better-sqlite3';

export interface RequestStore {
  ask(id: string, body: string): void;
  answer(id: string, answer: string): void;
  answerOf(id: string): string | null;
  /** Requests without an answer, by id. */
  open(): { readonly id: string; readonly body: string }[];
  /** Ids of all requests, answered or not. */
  all(): string[];
  remove(id: string): void;
}

export function openRequests(database: Database): RequestStore {
  const ask = database.prepare<[string, string]>('INSERT INTO requests (id, body) VALUES (?, ?)');
  const answer = database.prepare<[string, string]>('UPDATE requests SET answer = ? WHERE id = ?');
  const answerOf = database.prepare<[string], string | null>('SELECT answer FROM requests WHERE id = ?').pluck();
  const open = database.prepare<[], { id: string; body: string }>(
    'SELECT id, body FROM requests WHERE answer IS NULL ORDER BY id',
  );
  const all = database.prepare<[], string>('SELECT id FROM requests ORDER BY id').pluck();
  const remove = database.prepare<[string]>('DELETE FROM requests WHERE id = ?');
  return {
    ask: (id, body) => void ask.run(id, body),
    answer: (id, text) => void answer.run(text, id),
    answerOf: (id) => answerOf.get(id) ?? null,
    open: () => open.all(),
    all: () => all.all(),
    remove: (id) => void remove.run(id),
  };
}
