// Service, store: webhook subscriptions with their secrets and their positions in the log.
// A secret leaves this file only to sign and to be shown once.
import type { Database } from 'better-sqlite3';
import type { EventName } from '../../shared/wire/events.ts';

/** Times in ms; the migration names the clock of each. */
export interface StoredSubscription {
  readonly id: string;
  readonly owner: string;
  readonly url: string;
  readonly events: readonly EventName[];
  readonly symbols: readonly string[] | null;
  readonly target: string;
  readonly status: 'active' | 'paused';
  readonly createdAt: number;
  readonly pausedAt: number | null;
  readonly pausedReason: string | null;
  readonly failingSince: number | null;
  readonly secret: string;
  readonly nextSecret: string | null;
  readonly position: number;
  /** World ms: after a resume no earlier event is sent; 0 once the end of the log was reached: all are. */
  readonly sentFrom: number;
}

export type NewSubscription = Pick<
  StoredSubscription,
  'id' | 'owner' | 'url' | 'events' | 'symbols' | 'target' | 'createdAt' | 'secret' | 'position'
>;

export interface IdempotentAnswer {
  /** The request that was answered, as text. */
  readonly request: string;
  readonly created: boolean;
  readonly answer: string;
}

export interface SubscriptionStore {
  add(subscription: NewSubscription): void;
  find(id: string): StoredSubscription | null;
  findTarget(owner: string, target: string): StoredSubscription | null;
  /** Newest first, below `below` (null: from the newest). */
  list(owner: string, below: { createdAt: number; id: string } | null, limit: number): StoredSubscription[];
  count(owner: string): number;
  active(): StoredSubscription[];
  /** Deletes it with all its deliveries. */
  remove(id: string): void;
  setPosition(id: string, position: number, sentFrom: number): void;
  setFailingSince(id: string, since: number | null): void;
  setSecrets(id: string, secret: string, nextSecret: string | null): void;
  /** Marks its owner's notice as due. */
  pause(id: string, at: number, reason: string): void;
  resume(id: string, sentFrom: number): void;
  noticesDue(): StoredSubscription[];
  noticeGiven(id: string): void;
  /** Active subscriptions without a success since a failure at `instant` or earlier. */
  failingSinceBefore(instant: number): StoredSubscription[];
  answerFor(owner: string, key: string, since: number): IdempotentAnswer | null;
  keepAnswer(owner: string, key: string, subscriptionId: string, at: number, answer: IdempotentAnswer): void;
  pruneAnswers(before: number): void;
}

/** A row: `events` and `symbols` are JSON. */
type Row = Omit<StoredSubscription, 'events' | 'symbols'> & {
  readonly events: string;
  readonly symbols: string | null;
};
const COLUMNS = `id, owner, url, events, symbols, target, status, created_at AS createdAt, paused_at AS pausedAt,
  paused_reason AS pausedReason, failing_since AS failingSince, secret, next_secret AS nextSecret, position,
  sent_from AS sentFrom`;

const stored = ({ events, symbols, ...row }: Row): StoredSubscription => ({
  ...row,
  events: JSON.parse(events) as EventName[],
  symbols: symbols === null ? null : (JSON.parse(symbols) as string[]),
});

export function openSubscriptions(database: Database): SubscriptionStore {
  const rows = <Given extends unknown[]>(rest: string) =>
    database.prepare<Given, Row>(`SELECT ${COLUMNS} FROM subscriptions ${rest}`);
  const change = <Given extends unknown[]>(rest: string) =>
    database.prepare<Given>(`UPDATE subscriptions SET ${rest} WHERE id = ?`);
  const add = database.prepare(
    `INSERT INTO subscriptions (id, owner, url, events, symbols, target, status, created_at, secret, position)
     VALUES (:id, :owner, :url, :events, :symbols, :target, 'active', :createdAt, :secret, :position)`,
  );
  const byId = rows<[string]>('WHERE id = ?');
  const byTarget = rows<[string, string]>('WHERE owner = ? AND target = ?');
  const listed = rows<[string, number, string, number]>(
    'WHERE owner = ? AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?',
  );
  const count = database.prepare<[string], number>('SELECT count(*) FROM subscriptions WHERE owner = ?').pluck();
  const active = rows<[]>("WHERE status = 'active' ORDER BY id");
  const remove = database.prepare<[string]>('DELETE FROM subscriptions WHERE id = ?');
  const setPosition = change<[number, number, string]>('position = ?, sent_from = ?');
  const setFailing = change<[number | null, string]>('failing_since = ?');
  const setSecrets = change<[string, string | null, string]>('secret = ?, next_secret = ?');
  const pause = change<[number, string, string]>("status = 'paused', paused_at = ?, paused_reason = ?, notice_due = 1");
  const resume = change<[number, string]>(
    "status = 'active', paused_at = NULL, paused_reason = NULL, failing_since = NULL, notice_due = 0, sent_from = ?",
  );
  const due = rows<[]>('WHERE notice_due = 1 ORDER BY id');
  const given = change<[string]>('notice_due = 0');
  const failing = rows<[number]>("WHERE status = 'active' AND failing_since <= ? ORDER BY id");
  const answer = database.prepare<[string, string, number], { request: string; created: number; answer: string }>(
    'SELECT request, created, answer FROM idempotent_answers WHERE owner = ? AND key = ? AND at >= ?',
  );
  const keep = database.prepare<[string, string, string, number, string, string, number]>(
    'INSERT OR REPLACE INTO idempotent_answers (owner, key, request, created, answer, subscription_id, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const pruneAnswers = database.prepare<[number]>('DELETE FROM idempotent_answers WHERE at < ?');

  const one = (row: Row | undefined): StoredSubscription | null => (row === undefined ? null : stored(row));
  return {
    add: (subscription) =>
      void add.run({
        ...subscription,
        events: JSON.stringify(subscription.events),
        symbols: subscription.symbols === null ? null : JSON.stringify(subscription.symbols),
      }),
    find: (id) => one(byId.get(id)),
    findTarget: (owner, target) => one(byTarget.get(owner, target)),
    list: (owner, below, limit) =>
      listed.all(owner, below?.createdAt ?? Number.MAX_SAFE_INTEGER, below?.id ?? '', limit).map(stored),
    count: (owner) => count.get(owner) ?? 0,
    active: () => active.all().map(stored),
    remove: (id) => void remove.run(id),
    setPosition: (id, position, sentFrom) => void setPosition.run(position, sentFrom, id),
    setFailingSince: (id, since) => void setFailing.run(since, id),
    setSecrets: (id, secret, nextSecret) => void setSecrets.run(secret, nextSecret, id),
    pause: (id, at, reason) => void pause.run(at, reason, id),
    resume: (id, sentFrom) => void resume.run(sentFrom, id),
    noticesDue: () => due.all().map(stored),
    noticeGiven: (id) => void given.run(id),
    failingSinceBefore: (instant) => failing.all(instant).map(stored),
    answerFor(owner, key, since) {
      const row = answer.get(owner, key, since);
      return row === undefined ? null : { request: row.request, created: row.created === 1, answer: row.answer };
    },
    keepAnswer: (owner, key, subscriptionId, at, { request, created, answer: text }) =>
      void keep.run(owner, key, request, created ? 1 : 0, text, subscriptionId, at),
    pruneAnswers: (before) => void pruneAnswers.run(before),
  };
}
