// Main, core: the tables of targets and of the events pending for them, in relay.sqlite.
// The ledger is the queue's source: a target has a position in it, and the transaction that advances the
// position writes the events up to it as rows here.
import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { type TargetFilter, TargetFilterSchema } from '../../../shared/channels/relay.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/lib/time.ts';
import { type Message, message, readStoredMessage, storedMessage } from '../../../shared/text/message.ts';

export interface StoredTarget {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly filter: TargetFilter;
  readonly allowPublic: boolean;
  /** Ledger id up to which rows were made. */
  readonly position: number;
  /** World time, seconds. */
  readonly since: number;
}

export interface PendingForward {
  readonly id: number;
  readonly eventId: string;
  readonly body: string;
  readonly attempts: number;
}

/** The outcome of one request to a target. */
export interface ForwardAttempt {
  /** This computer's clock, ms. */
  readonly at: number;
  /** HTTP status; null without an answer. */
  readonly status: number | null;
  /** null: delivered. */
  readonly error: Message | null;
}

/** Counts of one target. Times: this computer's clock, ms. */
export interface Tally {
  readonly queue: number;
  readonly delivered: number;
  readonly givenUp: number;
  /** When the next one is tried; null: nothing is pending. */
  readonly nextAt: number | null;
  readonly last: (ForwardAttempt & { readonly eventId: string }) | null;
}

export interface ForwardQueue {
  targets(): StoredTarget[];
  addTarget(target: StoredTarget): void;
  removeTarget(id: string): void;
  /** Makes rows for these events and advances the target's position, in one transaction. `now`: ms. */
  enqueue(
    target: string,
    position: number,
    events: readonly Pick<PendingForward, 'eventId' | 'body'>[],
    now: number,
  ): void;
  /** Resets every position beyond the ledger's end: the ledger was lost and is filled again. */
  rewind(highest: number): void;
  /**
   * The oldest due event. A due time too far ahead to be real, because the clock was set back, counts as due.
   */
  due(target: string, now: number): PendingForward | null;
  settle(id: number, outcome: 'delivered' | 'failed', attempt: ForwardAttempt): void;
  retry(id: number, dueAt: number, attempt: ForwardAttempt): void;
  /** Pauses a target that did not answer: its pending events wait, and no attempt is counted. */
  rest(target: string, id: number, until: number, attempt: ForwardAttempt): void;
  tally(target: string): Tally;
  /**
   * When its next pending event is due, ms; null: none is pending. Read after every event, so it must be
   * cheap.
   */
  nextAt(target: string): number | null;
  /** Deletes events settled before this instant, and gives up events pending since then, ms. */
  prune(before: number): void;
}

/** How long settled events are remembered, ms: as long as ids are unique. */
export const RETENTION = 30 * DAY_MS;
/** The condition of the index forwards_settled. */
const IS_SETTLED = "status <> 'pending'";
/** Longest wait between two attempts, ms. */
const LONGEST_WAIT = 2 * HOUR_MS;

const TargetRowSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    secret: z.string(),
    filter: z.string().transform((text) => TargetFilterSchema.parse(JSON.parse(text))),
    allow_public: z.number(),
    position: z.number(),
    since: z.number(),
  })
  .transform(({ allow_public, ...row }): StoredTarget => ({ ...row, allowPublic: allow_public === 1 }));

type StoredAttempt = Omit<NonNullable<Tally['last']>, 'error'> & { readonly error: string | null };

const stored = (error: Message | null): string | null => (error === null ? null : storedMessage(error));

export function createForwardQueue(db: Database): ForwardQueue {
  const selectTargets = db.prepare(
    'SELECT id, url, secret, filter, allow_public, position, since_s AS since FROM targets ORDER BY rowid',
  );
  const insertTarget = db.prepare(
    'INSERT INTO targets (id, url, secret, filter, allow_public, position, since_s) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const deleteTarget = db.prepare('DELETE FROM targets WHERE id = ?');
  const deleteForwards = db.prepare('DELETE FROM forwards WHERE target_id = ?');
  const insertForward = db.prepare(`INSERT INTO forwards (target_id, event_id, body, status, attempts, made_ms, due_ms)
    SELECT id, ?, ?, 'pending', 0, ?, ? FROM targets WHERE id = ? ON CONFLICT DO NOTHING`);
  const rewindPositions = db.prepare('UPDATE targets SET position = 0 WHERE position > ?');
  const setPosition = db.prepare('UPDATE targets SET position = ? WHERE id = ?');
  const selectDue = db.prepare<[string, number, number], PendingForward>(
    `SELECT id, event_id AS eventId, body, attempts FROM forwards
     WHERE target_id = ? AND status = 'pending' AND (due_ms <= ? OR due_ms > ?) ORDER BY id LIMIT 1`,
  );
  const update = db.prepare(
    'UPDATE forwards SET status = ?, attempts = attempts + 1, due_ms = ?, last_ms = ?, last_status = ?, last_error = ? WHERE id = ?',
  );
  const setUnanswered = db.prepare('UPDATE forwards SET last_ms = ?, last_status = NULL, last_error = ? WHERE id = ?');
  const postpone = db.prepare("UPDATE forwards SET due_ms = max(due_ms, ?) WHERE target_id = ? AND status = 'pending'");
  const giveUp = db.prepare(
    "UPDATE forwards SET status = 'failed', body = NULL, last_ms = ?, last_error = ? WHERE status = 'pending' AND made_ms < ?",
  );
  const dropBody = db.prepare('UPDATE forwards SET body = NULL WHERE id = ?');
  const selectNext = db
    .prepare<[string], number | null>("SELECT min(due_ms) FROM forwards WHERE target_id = ? AND status = 'pending'")
    .pluck();
  // There may be hundreds of thousands of settled rows: each part reads one index.
  const count = (condition: string): ((target: string) => number) => {
    const statement = db
      .prepare<[string], number>(`SELECT count(*) FROM forwards WHERE target_id = ? AND ${condition}`)
      .pluck();
    return (target) => statement.get(target) ?? 0;
  };
  const countPending = count("status = 'pending'");
  const countSettled = count(IS_SETTLED);
  const countFailed = count("status = 'failed'");
  const latestOf = (condition: string): string =>
    `SELECT * FROM (SELECT last_ms AS at, event_id AS eventId, last_status AS status, last_error AS error FROM forwards
     WHERE target_id = @target AND ${condition} AND last_ms IS NOT NULL ORDER BY last_ms DESC LIMIT 1)`;
  const selectLatest = db.prepare<{ target: string }, StoredAttempt>(
    `${latestOf(IS_SETTLED)} UNION ALL ${latestOf("status = 'pending'")} ORDER BY at DESC LIMIT 1`,
  );
  const deleteSettled = db.prepare("DELETE FROM forwards WHERE status <> 'pending' AND last_ms < ?");
  return {
    targets: () => selectTargets.all().map((row) => TargetRowSchema.parse(row)),
    addTarget: ({ id, url, secret, filter, allowPublic, position, since }) =>
      void insertTarget.run(id, url, secret, JSON.stringify(filter), allowPublic ? 1 : 0, position, since),
    removeTarget: db.transaction((id: string) => {
      deleteTarget.run(id);
      deleteForwards.run(id);
    }),
    enqueue: db.transaction<ForwardQueue['enqueue']>((target, position, events, now) => {
      for (const { eventId, body } of events) insertForward.run(eventId, body, now, now, target);
      setPosition.run(position, target);
    }),
    rewind: (highest) => void rewindPositions.run(highest),
    due: (target, now) => selectDue.get(target, now, now + LONGEST_WAIT) ?? null,
    settle: db.transaction<ForwardQueue['settle']>((id, outcome, { at, status, error }) => {
      update.run(outcome, 0, at, status, stored(error), id);
      dropBody.run(id);
    }),
    retry: (id, dueAt, { at, status, error }) => void update.run('pending', dueAt, at, status, stored(error), id),
    rest: db.transaction<ForwardQueue['rest']>((target, id, until, { at, error }) => {
      setUnanswered.run(at, stored(error), id);
      postpone.run(until, target);
    }),
    nextAt: (target) => selectNext.get(target) ?? null,
    tally(target) {
      const last = selectLatest.get({ target });
      const givenUp = countFailed(target);
      return {
        queue: countPending(target),
        delivered: countSettled(target) - givenUp,
        givenUp,
        nextAt: selectNext.get(target) ?? null,
        last:
          last === undefined ? null : { ...last, error: last.error === null ? null : readStoredMessage(last.error) },
      };
    },
    prune(before) {
      deleteSettled.run(before);
      giveUp.run(before, storedMessage(message('target.given_up')), before);
    },
  };
}
