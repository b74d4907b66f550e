// Main, core: the record of what was told: intent, hand-over, outcome. One row per event for ever; its id is what the desktop replaces by.
import type { Database } from 'better-sqlite3';
import { type Handover, HandoverSchema } from '../../../shared/channels/state.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';

export interface Intent {
  /** Made from the event's id; what the desktop replaces by. */
  readonly id: string;
  readonly ledgerId: number;
  /** Percent, as it stood when it was decided; null where it was not known. */
  readonly baseRate: number | null;
  readonly attempts: number;
}

export interface NotificationStore {
  /** Writes the intent; one that exists stays as it is. `at`: ms. */
  intend(ledgerId: number, id: string, baseRate: number | null, at: number): void;
  /** Intents that nobody was seen to show, oldest event first, at most `limit`. */
  openIntents(limit: number): Intent[];
  record(ledgerId: number, outcome: Handover['outcome'], at: number, detail: string): void;
  handover(ledgerId: number): Handover | null;
}

export function createNotificationStore(db: Database): NotificationStore {
  const put = db.prepare(`INSERT INTO notifications (ledger_id, notification_id, base_rate, intent_ms, outcome, detail, attempts)
    VALUES (?, ?, ?, ?, 'intent', '', 0) ON CONFLICT DO NOTHING`);
  const open = db.prepare<[number], Intent>(
    `SELECT notification_id AS id, ledger_id AS ledgerId, base_rate AS baseRate, attempts FROM notifications
     WHERE outcome IN ('intent', 'failed') ORDER BY ledger_id LIMIT ?`,
  );
  const set = db.prepare('UPDATE notifications SET outcome = ?, outcome_ms = ?, detail = ?, attempts = attempts + 1 WHERE ledger_id = ?');
  const get = db.prepare<[number], { id: string; outcome: string; at: number; detail: string }>(
    'SELECT notification_id AS id, outcome, coalesce(outcome_ms, intent_ms) AS at, detail FROM notifications WHERE ledger_id = ?',
  );
  return {
    intend: (ledgerId, id, baseRate, at) => void put.run(ledgerId, id, baseRate, at),
    openIntents: (limit) => open.all(limit),
    record: (ledgerId, outcome, at, detail) => void set.run(outcome, at, detail.slice(0, 500), ledgerId),
    handover(ledgerId) {
      const row = get.get(ledgerId);
      if (row === undefined) return null;
      return HandoverSchema.parse({ notification_id: row.id, outcome: row.outcome, at: timestamp(row.at), detail: row.detail });
    },
  };
}
