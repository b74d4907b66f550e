// Main, core: stores snoozes and silences; they survive a restart and end on time.

import { type Matchers, MatchersSchema } from '../../../shared/domain/matchers.ts';
import type { Connection } from '../files/connection.ts';

/** A snooze (of notified symbols) or a silence (by matcher). Times: world time, ms. */
export interface Mute {
  readonly id: number;
  readonly kind: 'snooze' | 'silence';
  /** Empty: every alert, and events without a symbol. */
  readonly matchers: Matchers;
  /**
   * time: ends at `untilAt` only. change: at the symbol's next transition. recovery: at its return to Normal,
   * which ends every snooze.
   */
  readonly until: 'time' | 'change' | 'recovery';
  /** Start; of a snooze: when the snoozed alert occurred, at the latest when it was snoozed. */
  readonly from: number;
  /** End; null: no time ends it. */
  readonly untilAt: number | null;
  readonly comment: string;
  /** This computer's clock, ms. */
  readonly madeAt: number;
}

export interface MuteStore {
  /** Active mutes, oldest first. */
  active(): readonly Mute[];
  /** `at`: this computer's clock, ms. Returns its id. */
  add(mute: Omit<Mute, 'id' | 'madeAt'>, at: number): number;
  /** Replaces matchers, times and comment of an active mute. */
  change(id: number, to: Pick<Mute, 'matchers' | 'from' | 'untilAt' | 'comment'>): void;
  /** `at`: world time, ISO. */
  end(id: number, at: string, why: string): void;
  /** Discards the changes of a failed transaction. */
  reload(): void;
}

interface Row {
  id: number;
  kind: Mute['kind'];
  matchers: string;
  until: Mute['until'];
  from_at: string;
  until_at: string | null;
  comment: string;
  made_ms: number;
}

export function createMuteStore(db: Connection): MuteStore {
  const read = db.prepare<[], Row>(
    'SELECT id, kind, matchers, until, from_at, until_at, comment, made_ms FROM mutes WHERE ended_at IS NULL ORDER BY id',
  );
  const put = db.prepare(
    'INSERT INTO mutes (kind, matchers, until, from_at, until_at, comment, made_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const close = db.prepare('UPDATE mutes SET ended_at = ?, ended_why = ? WHERE id = ? AND ended_at IS NULL');
  const replace = db.prepare(
    'UPDATE mutes SET matchers = ?, from_at = ?, until_at = ?, comment = ? WHERE id = ? AND ended_at IS NULL',
  );
  let active: readonly Mute[] = [];
  const reload = (): void => {
    active = read.all().flatMap((row) => {
      const matchers = readMatchers(row.matchers);
      // A damaged row mutes nothing: one alert too many does less harm than one too few.
      if (matchers === null) return [];
      return {
        id: row.id,
        kind: row.kind,
        matchers,
        until: row.until,
        from: Date.parse(row.from_at),
        untilAt: row.until_at === null ? null : Date.parse(row.until_at),
        comment: row.comment,
        madeAt: row.made_ms,
      };
    });
  };
  reload();
  return {
    active: () => active,
    add({ kind, matchers, until, from, untilAt, comment }, at) {
      const made = put.run(
        kind,
        JSON.stringify(matchers),
        until,
        iso(from),
        untilAt === null ? null : iso(untilAt),
        comment,
        at,
      );
      reload();
      return Number(made.lastInsertRowid);
    },
    change(id, { matchers, from, untilAt, comment }) {
      replace.run(JSON.stringify(matchers), iso(from), untilAt === null ? null : iso(untilAt), comment, id);
      reload();
    },
    end(id, at, why) {
      close.run(at, why, id);
      reload();
    },
    reload,
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** null: unreadable. */
function readMatchers(json: string): Matchers | null {
  try {
    return MatchersSchema.parse(JSON.parse(json));
  } catch {
    return null;
  }
}
