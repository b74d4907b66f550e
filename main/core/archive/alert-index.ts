// Main, core: copies the text of alerts and notes from the ledger into the archive's search index.
import type { Database } from 'better-sqlite3';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import { createMetadata } from '../files/metadata.ts';

export interface AlertToIndex {
  readonly ledgerId: number;
  readonly transition: Transition;
  readonly note: string;
}

export interface AlertIndex {
  /** The last indexed entry of the ledger; ledgerId 0: none. */
  last(): { readonly ledgerId: number; readonly eventId: string };
  put(alerts: readonly AlertToIndex[], upTo: { readonly ledgerId: number; readonly eventId: string }): void;
  note(ledgerId: number, note: string): void;
  /** At most `limit` indexed ids after this one, in order. */
  ids(after: number, limit: number): number[];
  /** The ledger no longer has these. */
  remove(ledgerIds: readonly number[]): void;
  /** A new ledger begins: the indexed ids name other events. */
  clear(): void;
}

const alertTitle = ({ symbol, to_state }: Pick<Transition, 'symbol' | 'to_state'>): string =>
  `${symbol} ${stateLabel(to_state)}`;

export function createAlertIndex(db: Database): AlertIndex {
  // The event's id identifies the ledger: in a new one the same number names another event.
  const metadata = createMetadata<'alerts_upto'>(db);
  const insert = db.prepare(
    'INSERT INTO alerts (ledger_id, symbol, title, text, note, at_s) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const setNote = db.prepare('UPDATE alerts SET note = ? WHERE ledger_id = ? AND note <> ?');
  const put = db.transaction(
    (alerts: readonly AlertToIndex[], upTo: { readonly ledgerId: number; readonly eventId: string }) => {
      for (const { ledgerId, transition, note } of alerts) {
        const text = [transition.note, transition.regime === null ? '' : regimeLabel(transition.regime)]
          .filter((part) => part !== '')
          .join(' · ');
        insert.run(
          ledgerId,
          transition.symbol,
          alertTitle(transition),
          text,
          note,
          Math.floor(Date.parse(transition.occurred_at) / 1000),
        );
      }
      metadata.set('alerts_upto', `${upTo.ledgerId} ${upTo.eventId}`);
    },
  );
  const listIds = db
    .prepare<[number, number], number>('SELECT ledger_id FROM alerts WHERE ledger_id > ? ORDER BY ledger_id LIMIT ?')
    .pluck();
  const removals = [
    `INSERT INTO alerts_fts (alerts_fts, rowid, title, text) SELECT 'delete', ledger_id, title, text FROM alerts`,
    `INSERT INTO notes_fts (notes_fts, rowid, note) SELECT 'delete', ledger_id, note FROM alerts`,
    'DELETE FROM alerts',
  ].map((sql) => db.prepare<[string]>(`${sql} WHERE ledger_id IN (SELECT value FROM json_each(?))`));
  const remove = db.transaction((ledgerIds: readonly number[]) => {
    for (const removal of removals) removal.run(JSON.stringify(ledgerIds));
  });
  const clear = db.transaction(() => {
    db.exec(
      `DELETE FROM alerts; INSERT INTO alerts_fts (alerts_fts) VALUES ('rebuild'); INSERT INTO notes_fts (notes_fts) VALUES ('rebuild');`,
    );
    metadata.set('alerts_upto', '0 ');
  });
  return {
    last() {
      const [id, ...rest] = (metadata.get('alerts_upto') ?? '0 ').split(' ');
      return { ledgerId: Number(id), eventId: rest.join(' ') };
    },
    put: (alerts, upTo) => void put(alerts, upTo),
    note: (ledgerId, note) => void setNote.run(note, ledgerId, note),
    ids: (after, limit) => listIds.all(after, limit),
    remove(ledgerIds) {
      if (ledgerIds.length > 0) remove(ledgerIds);
    },
    clear: () => void clear(),
  };
}
