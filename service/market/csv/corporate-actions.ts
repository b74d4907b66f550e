// Service, market: reads actions.csv of a price folder: splits, halts, delistings, decisions.

import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { splitFactor } from '../../../shared/domain/price-questions.ts';
import { isDate } from '../files/dates.ts';
import { readNumber } from '../files/numbers.ts';
import { type CsvProblem, readTable } from '../files/table.ts';
import { ACTION_KINDS, type ActionKind, type TapeAction } from '../tape/tape-action.ts';

export const ACTION_FILE = 'actions.csv';
const ACTION_HEADER = 'symbol,date,action,ratio,note';

/**
 * @param bytes null for a folder without the file
 * @returns actions: null if the file is not a valid table
 */
export function readActionFile(bytes: Uint8Array | null): { actions: TapeAction[] | null; problems: CsvProblem[] } {
  const actions: TapeAction[] = [];
  const problems: CsvProblem[] = [];
  if (bytes === null) return { actions, problems };
  const table = readTable(bytes, ['symbol', 'date', 'action'], ACTION_HEADER);
  if (typeof table === 'string') return { actions: null, problems: [{ file: ACTION_FILE, line: 0, reason: table }] };
  for (const { line, cells } of table.rows) {
    const cell = (name: string): string => (cells[table.columns.get(name) ?? -1] ?? '').trim();
    const read = actionOf(cell('symbol'), cell('date'), cell('action').toLowerCase(), cell('ratio'), cell('note'));
    if (typeof read === 'string') problems.push({ file: ACTION_FILE, line, reason: read });
    else actions.push(read);
  }
  return { actions, problems };
}

/**
 * Parses one row.
 * @param ratio split: "4:1" gives four shares for one; dividend: cash per share
 * @returns the action, or one sentence about why the row is invalid
 */
export function actionOf(name: string, date: string, kind: string, ratio: string, note: string): TapeAction | string {
  const symbol = normalizeSymbol(name);
  if (!isSymbol(symbol)) return `"${symbol.slice(0, 30)}" is no symbol; use 1 to 15 of A-Z 0-9 . ^ = -`;
  if (!isDate(date)) return `"${date.slice(0, 30)}" is no date; write it as 2020-02-24`;
  if (!isActionKind(kind)) return `action "${kind.slice(0, 30)}" is unknown; use ${ACTION_KINDS.join(', ')}`;
  const factor = kind === 'split' ? splitFactor(ratio) : null;
  const amount = kind === 'dividend' ? readNumber(ratio) : null;
  if (kind === 'split' && factor === null)
    return `ratio "${ratio.slice(0, 30)}" is none; write 4:1 for four shares in place of one`;
  if (kind === 'dividend' && !(amount !== null && amount > 0))
    return `ratio "${ratio.slice(0, 30)}" is no dividend; write the money a share: 0.24`;
  return { kind, symbol, date, factor, ...(amount === null ? {} : { amount }), note: note === '' ? null : note };
}

const isActionKind = (text: string): text is ActionKind => (ACTION_KINDS as readonly string[]).includes(text);
