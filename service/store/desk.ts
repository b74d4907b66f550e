// Service, store: what members of a desk did with alerts, by account.
import type { Database } from 'better-sqlite3';
import type { DeskAct } from '../../shared/wire/desk.ts';

export interface DeskStore {
  /** Adds an act, once for its id. Call it within a transaction. @returns as it is kept, and whether it is new */
  add(account: string, act: DeskAct, receivedAt: number): { readonly act: DeskAct; readonly isNew: boolean };
  /** In the order of their arrival. @param id of the last known act; null: none. @returns null: no act has this id */
  after(account: string, id: string | null, limit: number): DeskAct[] | null;
  /** Deletes acts received before `instant`, wall ms. */
  prune(instant: number): void;
}

interface Row {
  readonly seq: number;
  readonly body: string;
}
const actOf = ({ body }: Row): DeskAct => JSON.parse(body) as DeskAct;

export function openDesk(database: Database): DeskStore {
  const insert = database.prepare(
    'INSERT INTO desk_acts (account, id, body, received_at) VALUES (?, ?, ?, ?) ON CONFLICT (account, id) DO NOTHING',
  );
  const byId = database.prepare<[string, string], Row>('SELECT seq, body FROM desk_acts WHERE account = ? AND id = ?');
  const after = database.prepare<[string, number, number], Row>(
    'SELECT seq, body FROM desk_acts WHERE account = ? AND seq > ? ORDER BY seq LIMIT ?',
  );
  const prune = database.prepare('DELETE FROM desk_acts WHERE received_at < ?');
  return {
    add(account, act, receivedAt) {
      const isNew = insert.run(account, act.id, JSON.stringify(act), receivedAt).changes > 0;
      const row = byId.get(account, act.id);
      if (row === undefined) throw new Error(`act ${act.id} can neither be written nor found`);
      return { act: actOf(row), isNew };
    },
    after(account, id, limit) {
      const known = id === null ? 0 : byId.get(account, id)?.seq;
      return known === undefined ? null : after.all(account, known, limit).map(actOf);
    },
    prune: (instant) => void prune.run(instant),
  };
}
