// Main, core: stores the outcome of each notification of the outbox, and finds the events it names.

import { type NotificationDispatch, NotificationDispatchSchema } from '../../../shared/channels/state.ts';
import type { Message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Connection } from '../files/connection.ts';
import { messageColumn, readMessageColumn } from './message-column.ts';
import { dispatchId } from './notification-ids.ts';
import { listOf, type NotificationKind } from './notification-queue.ts';

/** A notification as the inbox shows it. */
export interface NotificationRow {
  readonly id: string;
  readonly kind: NotificationKind;
  readonly channel: string;
  readonly rules: readonly string[];
  /** Percent at the decision; null: unknown. */
  readonly baseRate: number | null;
  readonly outcome: string;
  readonly reason: Message | null;
  readonly digestId: string | null;
  readonly at: number;
  readonly detail: Message | null;
}

export type DeliveryOutcome = NotificationDispatch['outcome'] | 'sent' | 'dropped';

export interface OutcomeStore {
  /**
   * Records the outcome of a revision; absent: the newest. The outcome of an older revision leaves the
   * notification pending.
   * @returns the events that no accepted revision named before
   */
  record(id: string, outcome: DeliveryOutcome, at: number, detail: Message | null, revision?: number): number[];
  of(ledgerId: number): NotificationRow[];
  /** Outcome of a notification and its time; null: no notification has this id. */
  find(
    id: string,
  ): (Pick<NotificationRow, 'channel' | 'outcome' | 'detail' | 'at'> & { readonly revision: number }) | null;
  /** Ids, oldest first, of the notifications about no event that begin with this. */
  idsAboutNoEvent(prefix: string): string[];
  /** The desktop notification about an event, alone or in a digest; null: there is none. */
  dispatchOf(ledgerId: number): NotificationDispatch | null;
  /** Events that a notification names. */
  eventsOf(id: string): number[];
  /**
   * Events that the user's answer is about: named by the first revision, or by one that the desktop or a
   * window accepted. Events that joined later are not on the screen yet.
   */
  answeredEventsOf(id: string): number[];
  /** Time of the decision about the newest market notification for the desktop, this computer's clock, ms. */
  newestOnDesktop(): number | null;
}

interface Row {
  id: string;
  ledgerId: number;
  kind: NotificationKind;
  channel: string;
  rules: string;
  baseRate: number | null;
  intentMs: number;
  outcome: string;
  reason: string;
  batch: string | null;
  digestId: string | null;
  outcomeMs: number | null;
  detail: string;
  attempts: number;
  revision: number;
  acceptedRevision: number;
}

const COLUMNS = `id, ledger_id AS ledgerId, kind, channel, rules, base_rate AS baseRate, intent_ms AS intentMs, outcome, reason, batch,
  digest_id AS digestId, outcome_ms AS outcomeMs, detail, attempts, revision, taken_revision AS acceptedRevision`;

const isOpen = (outcome: string): boolean => outcome === 'intent' || outcome === 'failed';

const outcomeOf = (row: Row) => ({
  channel: row.channel,
  outcome: row.outcome,
  detail: readMessageColumn(row.detail),
  at: row.outcomeMs ?? row.intentMs,
  revision: row.revision,
});

export function createOutcomeStore(db: Connection): OutcomeStore {
  // A dropped notification stays dropped, whatever a running attempt returns.
  const set = db.prepare(
    "UPDATE notifications SET outcome = ?, outcome_ms = ?, detail = ?, attempts = attempts + 1 WHERE id = ? AND outcome <> 'dropped'",
  );
  const take = db.prepare(
    'UPDATE notifications SET taken_revision = @tried, outcome_ms = @at WHERE id = @id AND taken_revision < @tried',
  );
  const named = db.prepare<[string, number, number], { ledgerId: number }>(
    'SELECT ledger_id AS ledgerId FROM notifications WHERE digest_id = ? AND revision > ? AND revision <= ? ORDER BY ledger_id',
  );
  const ofEvent = db.prepare<[number], Row>(
    `SELECT ${COLUMNS} FROM notifications WHERE ledger_id = ? AND kind <> 'digest'`,
  );
  /**
   * Oldest first. Sorted here, because SQLite would create a sorter per event, and most events have no rows.
   */
  const rowsOf = (ledgerId: number): Row[] =>
    ofEvent.all(ledgerId).sort((a, b) => a.intentMs - b.intentMs || (a.id < b.id ? -1 : 1));
  const byId = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM notifications WHERE id = ?`);
  const aboutNoEvent = db
    .prepare<[string], string>(
      "SELECT id FROM notifications WHERE ledger_id = 0 AND id GLOB ? || '*' ORDER BY intent_ms, id",
    )
    .pluck();
  const newest = db.prepare<[], { at: number }>(
    `SELECT intent_ms AS at FROM notifications INDEXED BY notifications_newest
     WHERE channel = 'desktop' AND outcome IN ('intent', 'failed', 'shown', 'in_app') AND kind NOT IN ('self_test', 'outage') ORDER BY intent_ms DESC LIMIT 1`,
  );

  /** Events that were first named by a revision in (after, upTo]. */
  const namedBy = (row: Row, after = 0, upTo = Number.MAX_SAFE_INTEGER): number[] => {
    const own = row.kind === 'digest' || row.ledgerId === 0 || after > 0 ? [] : [row.ledgerId];
    return [...own, ...named.all(dispatchId(row), after, upTo).map(({ ledgerId }) => ledgerId)];
  };

  return {
    record(id, outcome, at, detail, revision) {
      const row = byId.get(id);
      if (row === undefined) return [];
      const about = namedBy(row, row.acceptedRevision);
      const tried = revision ?? row.revision;
      if (tried === row.revision || outcome === 'dropped') set.run(outcome, at, messageColumn(detail), id);
      if (outcome === 'shown' || outcome === 'sent') take.run({ id, tried, at });
      return about;
    },
    of: (ledgerId) =>
      rowsOf(ledgerId).map((row) => ({
        id: row.id,
        kind: row.kind,
        channel: row.channel,
        rules: listOf(row.rules),
        baseRate: row.baseRate,
        outcome: row.outcome,
        reason: readMessageColumn(row.reason),
        digestId: row.digestId,
        at: row.outcomeMs ?? row.intentMs,
        detail: readMessageColumn(row.detail),
      })),
    find(id) {
      const row = byId.get(id);
      return row === undefined ? null : outcomeOf(row);
    },
    idsAboutNoEvent: (prefix) => aboutNoEvent.all(prefix),
    dispatchOf(ledgerId) {
      const own = rowsOf(ledgerId).findLast(
        ({ channel, outcome }) => channel === 'desktop' && outcome !== 'muted' && outcome !== 'dropped',
      );
      if (own === undefined) return null;
      const row = own.digestId === null ? own : (byId.get(own.digestId) ?? own);
      const isWaiting = row.outcome === 'batched' || row.outcome === 'pending';
      // A growing notification is pending again; events named by an accepted revision were shown.
      const isShown = isOpen(row.outcome) && row.acceptedRevision >= (row === own ? 1 : own.revision);
      const dispatch = {
        notification_id: row.id,
        outcome: isWaiting ? 'intent' : isShown ? 'shown' : row.outcome,
        at: timestamp(row.outcomeMs ?? row.intentMs),
        detail: readMessageColumn(row.detail),
      };
      // An outcome of another version counts as none.
      return NotificationDispatchSchema.safeParse(dispatch).data ?? null;
    },
    eventsOf(id) {
      const row = byId.get(id);
      return row === undefined ? [] : namedBy(row);
    },
    answeredEventsOf(id) {
      const row = byId.get(id);
      if (row === undefined) return [];
      return namedBy(row, 0, row.outcome === 'in_app' ? row.revision : Math.max(row.acceptedRevision, 1));
    },
    newestOnDesktop: () => newest.get()?.at ?? null,
  };
}
