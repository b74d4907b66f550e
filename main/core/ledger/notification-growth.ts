// Main, core: stores notifications that grow: further events join one, under its id.
// Each joined event increments the revision; the notification is pending until the newest revision is
// accepted.

import type { AssetClass } from '../../../shared/domain/instruments.ts';
import type { Connection } from '../files/connection.ts';

/** A notification of the desktop that a further event may join. */
export interface RecentNotification {
  readonly id: string;
  /** Time of the decision, or of the last joined event, this computer's clock, ms. */
  readonly at: number;
  /** Number of joined events, plus one. */
  readonly revision: number;
  /** World time of its event, seconds; null: it has no event. */
  readonly occurredAt: number | null;
  readonly isAcknowledged: boolean;
  /** Symbol and asset class of its leading event. */
  readonly symbol: string | null;
  readonly class: AssetClass | null;
}

export interface GrowthStore {
  /**
   * Notifications about events, decided in [since, until], this computer's clock, ms; newest first, at most
   * `most` (20).
   */
  recent(since: number, until: number, most?: number): RecentNotification[];
  /** Joins notifications to this one, which is sent again under its id; none: a reminder. Run it in a transaction. */
  grow(id: string, joined: readonly string[], at: number): void;
}

export function createGrowthStore(db: Connection): GrowthStore {
  type Row = Omit<RecentNotification, 'isAcknowledged'> & { isAcknowledged: number };
  // Notifications shown before a ledger loss have no display time and are not reopened.
  const recent = db.prepare<[number, number, number], Row>(
    `SELECT id, coalesce(grown_ms, intent_ms) AS at, revision,
       occurred_s AS occurredAt, acked_ms IS NOT NULL AS isAcknowledged, symbol, asset_class AS class
     FROM notifications INDEXED BY notifications_newest LEFT JOIN events USING (ledger_id) LEFT JOIN annotations USING (ledger_id)
     WHERE channel = 'desktop' AND outcome IN ('intent', 'failed', 'shown', 'in_app')
       AND kind IN ('alert', 'again', 'digest') AND (outcome <> 'shown' OR outcome_ms IS NOT NULL)
       AND reason NOT LIKE '{"code":"queued.watched"%' AND intent_ms BETWEEN ? AND ? ORDER BY intent_ms DESC LIMIT ?`,
  );
  const open = db.prepare(
    `UPDATE notifications SET revision = revision + 1, grown_ms = ?, attempts = 0, outcome = 'intent' WHERE id = ?`,
  );
  const join = db.prepare(
    `UPDATE notifications SET outcome = 'digest', digest_id = @id, batch = NULL, outcome_ms = @at,
       revision = (SELECT revision FROM notifications WHERE id = @id) WHERE id IN (SELECT value FROM json_each(@joined))`,
  );
  return {
    recent: (since, until, most = 20) =>
      recent.all(since, until, most).map((row) => ({ ...row, isAcknowledged: row.isAcknowledged === 1 })),
    grow(id, joined, at) {
      open.run(at, id);
      join.run({ id, at, joined: JSON.stringify(joined) });
    },
  };
}
