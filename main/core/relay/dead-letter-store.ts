// Main, core: the table of dead letters in relay.sqlite: signed deliveries that are not recorded.
import type { Database } from 'better-sqlite3';

export interface DeadLetter {
  readonly eventId: string;
  readonly body: string;
  readonly why: 'too_old' | 'ahead' | 'unreadable';
  /** This computer's clock, ms. */
  readonly receivedAt: number;
}

export interface DeadLetterStore {
  add(letter: DeadLetter): void;
  all(): DeadLetter[];
  count(): number;
  delete(eventId: string): void;
  /** Deletes those received before this instant, ms. */
  prune(before: number): void;
}

const MAX_DEAD_LETTERS = 1_000;

export function createDeadLetterStore(db: Database): DeadLetterStore {
  const insert = db.prepare(
    'INSERT INTO dead_letters (event_id, body, why, received_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const trim = db.prepare(
    'DELETE FROM dead_letters WHERE event_id IN (SELECT event_id FROM dead_letters ORDER BY received_ms DESC LIMIT -1 OFFSET ?)',
  );
  const select = db.prepare<[], DeadLetter>(
    'SELECT event_id AS eventId, body, why, received_ms AS receivedAt FROM dead_letters ORDER BY received_ms',
  );
  const count = db.prepare<[], number>('SELECT count(*) FROM dead_letters').pluck();
  const remove = db.prepare('DELETE FROM dead_letters WHERE event_id = ?');
  const prune = db.prepare('DELETE FROM dead_letters WHERE received_ms < ?');
  return {
    add: db.transaction(({ eventId, body, why, receivedAt }: DeadLetter) => {
      insert.run(eventId, body, why, receivedAt);
      trim.run(MAX_DEAD_LETTERS);
    }),
    all: () => select.all(),
    count: () => count.get() ?? 0,
    delete: (eventId) => void remove.run(eventId),
    prune: (before) => void prune.run(before),
  };
}
