// Main, core: stores what the receivers of channels know of sent notifications: the message, and its end.
import type { Connection } from '../files/connection.ts';

/** What a receiver was told of the end. given_up: it cannot be told. */
export const SETTLEMENTS = ['acknowledged', 'over', 'given_up'] as const;
export type Settlement = (typeof SETTLEMENTS)[number];

/** A notification about alerts that the receiver of a channel accepted. */
export interface SentNotification {
  readonly id: string;
  readonly channel: string;
  /** Time of the decision, this computer's clock, ms. */
  readonly at: number;
  /** The receiver's name of the message; null: it has none. */
  readonly receipt: string | null;
  readonly settled: Settlement | null;
}

export interface SettlementStore {
  /** Sent since then, this computer's clock, ms; newest first, at most 500. */
  sent(since: number): SentNotification[];
  receiptOf(id: string): string | null;
  setReceipt(id: string, receipt: string): void;
  settle(id: string, settlement: Settlement): void;
  /** Whether its receiver was told of the end. */
  isSettled(id: string): boolean;
}

export function createSettlementStore(db: Connection): SettlementStore {
  const sent = db.prepare<[number], SentNotification>(
    `SELECT id, channel, intent_ms AS at, receipt, settled FROM notifications INDEXED BY notifications_sent
     WHERE channel <> 'desktop' AND outcome = 'sent' AND kind IN ('alert', 'again', 'digest') AND intent_ms >= ?
     ORDER BY intent_ms DESC LIMIT 500`,
  );
  const receipt = db.prepare<[string], string | null>('SELECT receipt FROM notifications WHERE id = ?').pluck();
  const setReceipt = db.prepare('UPDATE notifications SET receipt = ?, settled = NULL WHERE id = ?');
  const settle = db.prepare('UPDATE notifications SET settled = ? WHERE id = ?');
  const isSettled = db.prepare('SELECT 1 FROM notifications WHERE id = ? AND settled IS NOT NULL').pluck();
  return {
    sent: (since) => sent.all(since),
    receiptOf: (id) => receipt.get(id) ?? null,
    setReceipt: (id, value) => void setReceipt.run(value, id),
    settle: (id, settlement) => void settle.run(settlement, id),
    isSettled: (id) => isSettled.get(id) !== undefined,
  };
}
