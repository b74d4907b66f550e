// Service, market, tape: which recorded actions count: those that their feed has not withdrawn. Pure.
import type { TapeAction } from './tape-action.ts';

/** Revision of a row that withdraws what its feed has told; rows are only ever added. */
export const WITHDRAWN = 1;

/** @param rows as they are recorded; one that is told again after it was withdrawn stands, as the newest */
export function presentActions<Row extends TapeAction & { readonly revision: number }>(rows: readonly Row[]): Row[] {
  let present: Row[] = [];
  for (const row of rows) {
    const isSame = (one: Row): boolean => one.feed === row.feed && actionKey(one) === actionKey(row);
    if (row.revision === WITHDRAWN) present = present.filter((one) => !isSame(one));
    else present.push(row);
  }
  return present;
}

/** Those of a feed that are not among the ones that it has now. */
export function missingIn(present: readonly TapeAction[], known: readonly TapeAction[], feed: string): TapeAction[] {
  const keys = new Set(present.map(keyWithoutClose));
  return known.filter((one) => one.feed === feed && !keys.has(keyWithoutClose(one)));
}

/**
 * Identifies an action. A symbol may be halted several times a day; its notes tell them apart. Several decisions about a
 * date are about other prices.
 */
export function actionKey({ kind, symbol, date, factor, close = null, amount = null, note }: TapeAction): string {
  const own = kind === 'halt' || kind === 'resume' ? note : null;
  return JSON.stringify([kind, symbol, date, isDecision(kind) ? null : factor, close, amount, own]);
}

/** As a file says it, which knows no close that a decision is about. */
export const keyWithoutClose = (action: TapeAction): string => actionKey({ ...action, close: null });

export const isDecision = (kind: string): boolean => kind === 'real' || kind === 'refuse';
