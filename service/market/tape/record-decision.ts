// Service, market, tape: an operator's decision about a price, by a command beside the service.
import { existsSync } from 'node:fs';
import { DAY_MS, dateOf, HOUR_MS } from '../../../shared/lib/time.ts';
import type { Bar } from '../../engine/types.ts';
import { StoreError } from '../../store/store-error.ts';
import { isDecision } from './bar-actions.ts';
import type { TapeAction } from './tape-action.ts';
import { openDatabase } from './tape-database.ts';

/**
 * Adds an operator's decision to an existing tape, even while a service uses it.
 * @throws StoreError when the tape has no bar of that date and the session is not in progress
 */
export function recordDecision(file: string, action: TapeAction, receivedAt: number): void {
  if (!existsSync(file))
    throw new StoreError(`There is no tape of prices at ${file}. Start the service on its store once, and it is made.`);
  const database = openDatabase(file);
  try {
    const { symbol, date } = action;
    const bars = database.prepare<[string, string], Pick<Bar, 'date' | 'close'>>(
      `SELECT date, close, max(tape_seq) FROM tape WHERE kind = 'bar' AND symbol = ? AND date <= ?
       GROUP BY date ORDER BY date DESC LIMIT 2`,
    );
    const [bar, before] = bars.all(symbol, date);
    const isToday = bar !== undefined && bar.date < date && isInProgress(date, receivedAt);
    if (bar?.date !== date && !isToday) throw new StoreError(`${file} has no price of ${symbol} on ${date}.`);
    database
      .prepare(
        `INSERT INTO tape (kind, symbol, date, feed, received_at, revision, close, factor, note)
         VALUES (@kind, @symbol, @date, 'operator', @receivedAt, 0, @close, @factor, @note)`,
      )
      .run({ close: null, ...(isToday ? action : withDecidedPrice(action, bar, before)), receivedAt });
  } finally {
    database.close();
  }
}

/** Whether a session of that date may be in progress. Currencies begin tomorrow's three hours early. */
const isInProgress = (date: string, now: number): boolean =>
  date >= dateOf(now - DAY_MS) && date <= dateOf(now + 3 * HOUR_MS);

/** Adds the close and the move that a decision is about, if they are known. */
export function withDecidedPrice(
  action: TapeAction,
  bar?: Pick<Bar, 'close'>,
  before?: Pick<Bar, 'close'>,
): TapeAction {
  if (!isDecision(action.kind) || bar === undefined) return action;
  const factor = action.factor ?? (before === undefined ? null : bar.close / before.close);
  return { ...action, close: action.close ?? bar.close, factor };
}
