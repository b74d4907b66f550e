// Main, core: stores what members of a desk did with alerts, this monitor's own acts until they are sent among them.
import { type DeskAct, DeskActSchema } from '../../../shared/wire/desk.ts';
import type { Connection } from '../files/connection.ts';

export interface DeskActStore {
  /** Adds an act of this monitor, to be sent. */
  add(act: DeskAct): void;
  /** Adds or replaces an act as the service has it: it is sent. */
  receive(act: DeskAct): void;
  /** It is not sent again. */
  sent(id: string): void;
  /** Oldest first. */
  unsent(limit: number): DeskAct[];
  /** In the order that every monitor of the desk agrees on: by time, then by id. */
  of(eventId: string): DeskAct[];
  /** False: nobody of the desk did anything yet. */
  hasAny(): boolean;
  /** The service lost what it had: all are to be sent. */
  sendAgain(): void;
  /** Removes sent acts from before `instant`, ms. */
  prune(instant: number): void;
}

export function createDeskActStore(db: Connection): DeskActStore {
  const put = (isSent: 0 | 1) =>
    db.prepare<[string, string, number, string]>(
      `INSERT INTO desk_acts (id, event_id, at_ms, body, is_sent) VALUES (?, ?, ?, ?, ${isSent})
       ON CONFLICT (id) DO UPDATE SET at_ms = excluded.at_ms, body = excluded.body, is_sent = max(is_sent, excluded.is_sent)`,
    );
  const add = put(0);
  const receive = put(1);
  const sent = db.prepare('UPDATE desk_acts SET is_sent = 1 WHERE id = ?');
  const unsent = db
    .prepare<[number], string>('SELECT body FROM desk_acts WHERE is_sent = 0 ORDER BY at_ms, id LIMIT ?')
    .pluck();
  const ofEvent = db
    .prepare<[string], string>('SELECT body FROM desk_acts WHERE event_id = ? ORDER BY at_ms, id')
    .pluck();
  const any = db.prepare('SELECT 1 FROM desk_acts LIMIT 1');
  const again = db.prepare('UPDATE desk_acts SET is_sent = 0');
  const prune = db.prepare('DELETE FROM desk_acts WHERE is_sent = 1 AND at_ms < ?');
  const columns = (act: DeskAct) => [act.id, act.event_id, Date.parse(act.at), JSON.stringify(act)] as const;
  return {
    add: (act) => void add.run(...columns(act)),
    receive: (act) => void receive.run(...columns(act)),
    sent: (id) => void sent.run(id),
    unsent: (limit) => unsent.all(limit).flatMap(read),
    of: (eventId) => ofEvent.all(eventId).flatMap(read),
    hasAny: () => any.get() !== undefined,
    sendAgain: () => void again.run(),
    prune: (instant) => void prune.run(instant),
  };
}

/** None where a row is unreadable: the alert that it is about must be shown all the same. */
const read = (body: string) => DeskActSchema.safeParse(JSON.parse(body)).data ?? [];
