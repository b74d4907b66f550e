// Main, core: finds the notifications that may sound, and the rules that each matched.
import type { Connection } from '../files/connection.ts';
import { listOf } from './notification-queue.ts';

/** A notification of the desktop about alerts. */
export interface AudibleNotification {
  readonly id: string;
  readonly revision: number;
  readonly outcome: 'intent' | 'failed' | 'shown' | 'in_app';
  /** Ids of the rules that matched its events. */
  readonly rules: readonly string[];
}

export interface SoundStore {
  /** Notifications decided in [since, until], this computer's clock, ms; newest first. */
  audible(since: number, until: number): AudibleNotification[];
  /** Ids of the rules that matched the events of a notification. */
  rulesOf(id: string): string[];
}

const MOST = 50;

export function createSoundStore(db: Connection): SoundStore {
  const recent = db.prepare<[number, number], Omit<AudibleNotification, 'rules'>>(
    `SELECT id, revision, outcome FROM notifications INDEXED BY notifications_newest
     WHERE channel = 'desktop' AND outcome IN ('intent', 'failed', 'shown', 'in_app') AND kind IN ('alert', 'again', 'digest', 'price')
       AND (outcome <> 'shown' OR outcome_ms IS NOT NULL) AND intent_ms BETWEEN ? AND ? ORDER BY intent_ms DESC LIMIT ${MOST}`,
  );
  const rules = db
    .prepare<[{ id: string }], string>(
      'SELECT DISTINCT rules FROM notifications WHERE id = @id UNION SELECT DISTINCT rules FROM notifications WHERE digest_id = @id',
    )
    .pluck();
  const rulesOf = (id: string): string[] => [...new Set(rules.all({ id }).flatMap(listOf))];
  return {
    audible: (since, until) => recent.all(since, until).map((row) => ({ ...row, rules: rulesOf(row.id) })),
    rulesOf,
  };
}
