// Service, market, tape: the recorded actions that their feed has not withdrawn. Pure.
import type { TapeAction } from './tape-action.ts';

/** Revision of a row that withdraws an earlier action: rows are never deleted. */
export const WITHDRAWN = 1;

/** @param rows in order of recording; an action recorded again after its withdrawal is in force */
export function presentActions<Row extends TapeAction & { readonly revision: number }>(rows: readonly Row[]): Row[] {
  let present: Row[] = [];
  for (const row of rows) {
    const isSame = (one: Row): boolean => one.feed === row.feed && actionKey(one) === actionKey(row);
    if (row.revision === WITHDRAWN) present = present.filter((one) => !isSame(one));
    else present.push(row);
  }
  return present;
}

/** The known actions of a feed that are missing in `present`, its current ones. */
export function missingIn(present: readonly TapeAction[], known: readonly TapeAction[], feed: string): TapeAction[] {
  const keys = new Set(present.map(keyWithoutClose));
  return known.filter((one) => one.feed === feed && !keys.has(keyWithoutClose(one)));
}

/**
 * Identifies an action. Halts of one day differ by their notes, decisions about one date by their closes.
 */
export function actionKey({ kind, symbol, date, factor, close = null, amount = null, note }: TapeAction): string {
  const own = kind === 'halt' || kind === 'resume' ? note : null;
  return JSON.stringify([kind, symbol, date, isDecision(kind) ? null : factor, close, amount, own]);
}

/** Key without the close, because files do not state it. */
export const keyWithoutClose = (action: TapeAction): string => actionKey({ ...action, close: null });

export const isDecision = (kind: string): boolean => kind === 'real' || kind === 'refuse';
