// Service, market, tape: the intraday rows of a tape, and the requested history of each feed.
import { DAY_MS } from '../../../shared/lib/time.ts';
import type { IntradayBar } from './intraday-series.ts';
import type { TapeDatabase } from './tape-database.ts';

/** Minutes that a service reads: those of the forming day, and of a day that closes late. */
export const MINUTES_READ_MS = 2 * DAY_MS;
/** A week of minutes explains past events. */
export const WEEK_MS = 7 * DAY_MS;
/** Rows that one transaction deletes: after days without a service there are millions. */
const PRUNED_ROWS = 2_000;

export interface FeedReceipt {
  readonly feed: string;
  /** Wall ms. */
  readonly receivedAt: number;
}

export interface MinuteRow extends IntradayBar {
  readonly symbol: string;
}

export interface NewMinute {
  readonly symbol: string;
  readonly minute: IntradayBar;
  /** Whether the tape has no row of this symbol and start yet. Absent: not known. */
  readonly isFirst?: boolean;
}

export interface MinuteTape {
  /** Rows that end after an instant, ms, in order of receipt: a later row replaces an equal start. */
  since(instant: number): MinuteRow[];
  /** Rows that other nodes have added since the last call, or since `since`. */
  added(): MinuteRow[];
  /** Adds rows and deletes old ones, in one transaction. */
  record(rows: readonly NewMinute[], receipt: FeedReceipt): void;
  /** First date of the daily history requested from a feed for a symbol; null: none was requested. */
  historySince(symbol: string, feed: string): string | null;
  /** Records that the feed has sent all its daily bars of a symbol from a date on. */
  recordHistory(symbol: string, since: string, receipt: FeedReceipt): void;
}

/** @param storage null: in memory */
export function createMinuteTape(storage: TapeDatabase | null): MinuteTape {
  if (storage === null) return inMemory();
  const { database, atomic, minutesMs } = storage;
  const insert = database.prepare(
    `INSERT INTO minutes (symbol, start, end, date, feed, received_at, revision, open, high, low, close, volume)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const revision = database
    .prepare<[number, string, number], number>(
      'SELECT coalesce(max(revision) + 1, 0) FROM minutes WHERE end = ? AND symbol = ? AND start = ?',
    )
    .pluck();
  const prune = database.prepare(
    `DELETE FROM minutes WHERE tape_seq IN (SELECT tape_seq FROM minutes WHERE end < ? ORDER BY end LIMIT ${PRUNED_ROWS})`,
  );
  const select = database.prepare<[number], MinuteRow>(
    'SELECT symbol, start, end, date, open, high, low, close, volume FROM minutes WHERE end > ? ORDER BY tape_seq',
  );
  const newest = database.prepare<[], number>('SELECT coalesce(max(tape_seq), 0) FROM minutes').pluck();
  const after = database.prepare<[number], MinuteRow>(
    'SELECT symbol, start, end, date, open, high, low, close, volume FROM minutes WHERE tape_seq > ? ORDER BY tape_seq',
  );
  let readTo = 0;
  const since = database.prepare<[string, string], string>('SELECT since FROM history WHERE symbol = ? AND feed = ?');
  const ask = database.prepare(
    `INSERT INTO history (symbol, feed, since, received_at) VALUES (@symbol, @feed, @since, @receivedAt)
     ON CONFLICT DO UPDATE SET since = excluded.since, received_at = excluded.received_at`,
  );
  return {
    since(instant) {
      readTo = newest.get() ?? 0;
      return select.all(instant);
    },
    added() {
      const rows = after.all(readTo);
      readTo = newest.get() ?? 0;
      return rows;
    },
    record: (rows, { feed, receivedAt }) =>
      atomic(() => {
        // Positional parameters, and a query for corrections alone: a market has hundreds of rows a second.
        for (const { symbol, minute, isFirst = false } of rows) {
          const { start, end, date, open, high, low, close, volume } = minute;
          const number = isFirst ? 0 : (revision.get(end, symbol, start) ?? 0);
          insert.run(symbol, start, end, date, feed, receivedAt, number, open, high, low, close, volume);
        }
        prune.run(receivedAt - minutesMs);
      }),
    historySince: (symbol, feed) => since.pluck().get(symbol, feed) ?? null,
    recordHistory: (symbol, from, receipt) => atomic(() => void ask.run({ symbol, since: from, ...receipt })),
  };
}

function inMemory(): MinuteTape {
  const history = new Map<string, string>();
  let rows: MinuteRow[] = [];
  return {
    since: (instant) => rows.filter(({ end }) => end > instant),
    added: () => [],
    record(added, { receivedAt }) {
      for (const { symbol, minute } of added) rows.push({ symbol, ...minute });
      if ((rows[0]?.end ?? receivedAt) < receivedAt - 2 * WEEK_MS)
        rows = rows.filter(({ end }) => end >= receivedAt - WEEK_MS);
    },
    historySince: (symbol, feed) => history.get(`${symbol} ${feed}`) ?? null,
    recordHistory: (symbol, since, { feed }) => void history.set(`${symbol} ${feed}`, since),
  };
}
