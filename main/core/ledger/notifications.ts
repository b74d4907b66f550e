// Main, core: the outbox: one permanent row per notification, from the decision to the outcome.
// The desktop replaces a notification that has the same id.
import type { Database } from 'better-sqlite3';
import { type NotificationDispatch, NotificationDispatchSchema } from '../../../shared/channels/state.ts';
import type { Message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { messageColumn, readMessageColumn } from './message-column.ts';
import { createGrowthStore, type GrowthStore } from './notification-growth.ts';
import {
  createNotificationQueueStore,
  listOf,
  type NotificationKind,
  type NotificationQueueStore,
  type QueuedOutcome,
} from './notification-queue.ts';
import { createSoundStore, type SoundStore } from './notification-sounds.ts';

/** A notification as it is first written. */
export interface NewNotification {
  /** Derived from the event's id. */
  readonly id: string;
  readonly kind: NotificationKind;
  /** Ids of the rules that matched, in order. */
  readonly rules: readonly string[];
  /** Percent at the time of the decision; null when unknown. */
  readonly baseRate: number | null;
  /** shown: before the ledger was lost. */
  readonly outcome: 'intent' | 'dropped' | 'shown' | 'digest' | QueuedOutcome;
  /** Why it is queued or dropped; null when it is dispatched at once. */
  readonly reason: Message | null;
  /** Batch of a queued notification. */
  readonly batch: string | null;
  /** The notification that it joins; of the outcome digest alone. */
  readonly joins?: string;
}

/** To be dispatched now. */
export interface Intent {
  readonly id: string;
  /** 0: about no event. */
  readonly ledgerId: number;
  readonly kind: NotificationKind;
  /** "desktop", or the id of the rule whose channel it uses. */
  readonly channel: string;
  readonly baseRate: number | null;
  readonly reason: Message | null;
  readonly attempts: number;
  /** This computer's clock, ms. */
  readonly since: number;
  /** Grows with each event that joins it. */
  readonly revision: number;
  /** When the newest accepted revision was accepted, ms; null: none was. */
  readonly takenAt: number | null;
}

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

/** new_desktop: without those that the desktop was offered already. others: of every other channel. */
export type OpenIntents = 'all' | 'desktop' | 'new_desktop' | 'others';
const CONDITIONS: Readonly<Record<OpenIntents, string>> = {
  all: 'TRUE',
  desktop: "channel = 'desktop'",
  new_desktop: "channel = 'desktop' AND outcome = 'intent'",
  others: "channel <> 'desktop'",
};

export type DeliveryOutcome = NotificationDispatch['outcome'] | 'sent' | 'dropped';

export interface NotificationStore extends NotificationQueueStore, GrowthStore, SoundStore {
  /** Writes a desktop notification; keeps an existing one and returns false. `at`: ms. */
  write(ledgerId: number, notification: NewNotification, at: number): boolean;
  /** Copies a notification to the channel of a rule; a copy that exists is sent again with what joined since. */
  copyTo(rule: string, id: string, at: number): void;
  /** Notifications that no channel has confirmed, oldest event first, at most `limit`. */
  openIntents(limit: number, of?: OpenIntents): Intent[];
  /**
   * Records what became of a revision; absent: of the newest. An older one than the newest leaves the notification open.
   * @returns the events that this outcome is about: those that no accepted revision named before
   */
  record(id: string, outcome: DeliveryOutcome, at: number, detail: Message | null, revision?: number): number[];
  of(ledgerId: number): NotificationRow[];
  /** What is dispatched under this id, whether it was already or not; null: no notification has it. */
  intentOf(id: string): Intent | null;
  /** Its outcome; null: no notification has this id. */
  find(id: string): (Pick<NotificationRow, 'channel' | 'outcome' | 'detail'> & { readonly revision: number }) | null;
  /** Ids, oldest first, of the notifications about no event that begin with this. */
  idsAboutNoEvent(prefix: string): string[];
  /** How the desktop received it: alone or in a digest. */
  dispatchOf(ledgerId: number): NotificationDispatch | null;
  /** Events of a notification that the desktop or a window names. */
  eventsOf(id: string): number[];
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
  takenRevision: number;
}

const COLUMNS = `id, ledger_id AS ledgerId, kind, channel, rules, base_rate AS baseRate, intent_ms AS intentMs, outcome, reason, batch,
  digest_id AS digestId, outcome_ms AS outcomeMs, detail, attempts, revision, taken_revision AS takenRevision`;
const INTENT = `id, ledger_id AS ledgerId, kind, channel, base_rate AS baseRate, reason, attempts, intent_ms AS since, revision,
  CASE WHEN taken_revision > 0 THEN outcome_ms END AS takenAt`;
export function createNotificationStore(db: Database): NotificationStore {
  const put =
    db.prepare(`INSERT INTO notifications (id, ledger_id, channel, kind, rules, base_rate, intent_ms, outcome, reason, batch, detail, attempts, taken_revision)
    VALUES (?, ?, 'desktop', ?, ?, ?, ?, ?, ?, ?, '', 0, ?) ON CONFLICT DO NOTHING`);
  const copy =
    db.prepare(`INSERT INTO notifications (id, ledger_id, channel, kind, rules, base_rate, intent_ms, outcome, reason, batch, detail, attempts, revision)
    SELECT id || '@' || ?, ledger_id, ?, kind, rules, base_rate, ?, 'intent', reason, NULL, '', 0, revision FROM notifications WHERE id = ?
    ON CONFLICT DO UPDATE SET outcome = 'intent', revision = excluded.revision, attempts = 0
      WHERE revision < excluded.revision AND outcome <> 'dropped'`);
  const openOf = (of: OpenIntents) =>
    db.prepare<[number], Omit<Intent, 'reason'> & { readonly reason: string }>(
      `SELECT ${INTENT} FROM notifications
       WHERE outcome IN ('intent', 'failed') AND ${CONDITIONS[of]} ORDER BY ledger_id LIMIT ?`,
    );
  const open = {
    all: openOf('all'),
    desktop: openOf('desktop'),
    new_desktop: openOf('new_desktop'),
    others: openOf('others'),
  };
  const intent = db.prepare<[string], Omit<Intent, 'reason'> & { readonly reason: string }>(
    `SELECT ${INTENT} FROM notifications WHERE id = ?`,
  );
  // An abandoned notification stays so, whatever a running attempt returns.
  const set = db.prepare(
    "UPDATE notifications SET outcome = ?, outcome_ms = ?, detail = ?, attempts = attempts + 1 WHERE id = ? AND outcome <> 'dropped'",
  );
  const take = db.prepare(
    'UPDATE notifications SET taken_revision = @tried, outcome_ms = @at WHERE id = @id AND taken_revision < @tried',
  );
  const named = db.prepare<[string, number], { ledgerId: number }>(
    'SELECT ledger_id AS ledgerId FROM notifications WHERE digest_id = ? AND revision > ? ORDER BY ledger_id',
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

  const growth = createGrowthStore(db);
  const isOpen = (outcome: string): boolean => outcome === 'intent' || outcome === 'failed';
  /** The events that a revision after this one named first. `x@rule` is `x` on another channel. */
  const namedBy = (row: Row, after = 0): number[] => {
    const own = row.kind === 'digest' || row.ledgerId === 0 || after > 0 ? [] : [row.ledgerId];
    const [first = row.id] = row.id.split('@');
    return [...own, ...named.all(first, after).map(({ ledgerId }) => ledgerId)];
  };

  return {
    ...createNotificationQueueStore(db),
    ...growth,
    ...createSoundStore(db),
    intentOf(id) {
      const row = intent.get(id);
      return row === undefined ? null : { ...row, reason: readMessageColumn(row.reason) };
    },
    write(ledgerId, { id, kind, rules, baseRate, outcome, reason, batch, joins }, at) {
      const columns = [id, ledgerId, kind, rules.join(','), baseRate, at, outcome, messageColumn(reason), batch];
      const isNew = put.run(...columns, outcome === 'shown' ? 1 : 0).changes > 0;
      if (isNew && joins !== undefined) growth.grow(joins, [id], at);
      return isNew;
    },
    copyTo: (rule, id, at) => void copy.run(rule, rule, at, id),
    openIntents: (limit, of = 'all') =>
      open[of].all(limit).map((row) => ({ ...row, reason: readMessageColumn(row.reason) })),
    record(id, outcome, at, detail, revision) {
      const row = byId.get(id);
      if (row === undefined) return [];
      const about = namedBy(row, row.takenRevision);
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
      return row === undefined
        ? null
        : {
            channel: row.channel,
            outcome: row.outcome,
            detail: readMessageColumn(row.detail),
            revision: row.revision,
          };
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
      const isShown = isOpen(row.outcome) && row.takenRevision >= (row === own ? 1 : own.revision);
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
    newestOnDesktop: () => newest.get()?.at ?? null,
  };
}
