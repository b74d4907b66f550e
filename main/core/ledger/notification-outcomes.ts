// Main, core: what became of each notification of the outbox, and which events it names.
import type { Database } from 'better-sqlite3';
import { type NotificationDispatch, NotificationDispatchSchema } from '../../../shared/channels/state.ts';
import type { Message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { messageColumn, readMessageColumn } from './message-column.ts';
import { dispatchId } from './notification-ids.ts';
import { listOf, type NotificationKind } from './notification-queue.ts';

/** A notification as the inbox shows it. */
export interface NotificationRow {
  readonly id: string;
  readonly kind: NotificationKind;
  readonly channel: string;
  readonly rules: readonly string[];
  readonly outcome: string;
  readonly reason: Message | null;
  readonly digestId: string | null;
  readonly at: number;
  readonly detail: Message | null;
}

export type DeliveryOutcome = NotificationDispatch['outcome'] | 'sent' | 'dropped';

export interface OutcomeStore {
  /**
   * Records what became of a revision; absent: of the newest. An older one than the newest leaves the notification open.
   * @returns the events that this outcome is about: those that no accepted revision named before
   */
  record(id: string, outcome: DeliveryOutcome, at: number, detail: Message | null, revision?: number): number[];
  of(ledgerId: number): NotificationRow[];
  /** Its outcome, and when it had that; null: no notification has this id. */
  find(
    id: string,
  ): (Pick<NotificationRow, 'channel' | 'outcome' | 'detail' | 'at'> & { readonly revision: number }) | null;
  /** Ids, oldest first, of the notifications about no event that begin with this. */
  idsAboutNoEvent(prefix: string): string[];
  /** How the desktop received it: alone or in a digest. */
  dispatchOf(ledgerId: number): NotificationDispatch | null;
  /** Events of a notification that the desktop or a window names. */
  eventsOf(id: string): number[];
  /**
   * Those that an answer of the user is about: a revision named them that the desktop or a window accepted, or the
   * first one did. What joined since is not on the screen yet.
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

export function createOutcomeStore(db: Database): OutcomeStore {
  // An abandoned notification stays so, whatever a running attempt returns.
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
   * Oldest first, sorted here: a sorter in SQLite would be made for every event, and most events have no
   * rows.
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

  /** The events that a revision after this one, and at most the other, named first. */
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
      // A growing notification is open again; what an accepted revision named was shown.
      const isShown = isOpen(row.outcome) && row.acceptedRevision >= (row === own ? 1 : own.revision);
      const dispatch = {
        notification_id: row.id,
        outcome: isWaiting ? 'intent' : isShown ? 'shown' : row.outcome,
        at: timestamp(row.outcomeMs ?? row.intentMs),
        detail: readMessageColumn(row.detail),
      };
      // An outcome of another version is none.
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
