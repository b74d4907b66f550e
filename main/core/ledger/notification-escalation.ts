// Main, core: stores the steps of escalations: copies of a notification that go to further channels.
import type { Connection } from '../files/connection.ts';
import type { SoundStore } from './notification-sounds.ts';

/** A notification about alerts, decided recently, whose escalation may have steps left. */
export interface EscalatingNotification {
  readonly id: string;
  /** Time of the decision, this computer's clock, ms. */
  readonly at: number;
  /** Time of the newest event that joined it, or of the last reminder. */
  readonly newestAt: number;
  /** Ids of the rules that matched its events. */
  readonly rules: readonly string[];
}

export interface EscalationStore {
  /** Decided in [since, until], this computer's clock, ms; oldest first. */
  escalating(since: number, until: number): EscalatingNotification[];
  /**
   * Copies a notification to the channel of a step, once: the same step again, also after a crash, adds nothing, but
   * where the earlier copy reached nobody and was dropped, and something joined since.
   * @returns whether it is sent
   */
  escalate(id: string, channel: string, stepMinutes: number, at: number): boolean;
}

export function createEscalationStore(db: Connection, { rulesOf }: Pick<SoundStore, 'rulesOf'>): EscalationStore {
  const recent = db.prepare<[number, number], Pick<EscalatingNotification, 'id' | 'at' | 'newestAt'>>(
    `SELECT id, intent_ms AS at, coalesce(grown_ms, intent_ms) AS newestAt FROM notifications INDEXED BY notifications_newest
     WHERE channel = 'desktop' AND outcome IN ('intent', 'failed', 'shown', 'in_app') AND kind IN ('alert', 'again', 'digest')
       AND intent_ms BETWEEN ? AND ? ORDER BY intent_ms`,
  );
  const add = db.prepare(
    `INSERT INTO notifications (id, ledger_id, channel, kind, rules, base_rate, intent_ms, outcome, reason, batch, detail, attempts,
       revision, step_minutes)
     SELECT id || '@' || @channel || '@' || CAST(@step AS INTEGER), ledger_id, @channel, kind, rules, base_rate, @at, 'intent', reason, NULL, '', 0,
       revision, @step FROM notifications WHERE id = @id
     ON CONFLICT DO UPDATE SET outcome = 'intent', intent_ms = excluded.intent_ms, revision = excluded.revision, attempts = 0
       WHERE revision < excluded.revision AND outcome = 'dropped'`,
  );
  return {
    escalating: (since, until) => recent.all(since, until).map((row) => ({ ...row, rules: rulesOf(row.id) })),
    escalate: (id, channel, step, at) => add.run({ id, channel, step, at }).changes > 0,
  };
}
