// Service, market: reads actions.csv of a price folder: splits, halts, delistings, decisions.
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { splitFactor } from '../../../shared/domain/price-questions.ts';
import { type DateFormat, formatsOf, isDate, readWritten } from '../files/dates.ts';
import { type NamedRow, readNamedTable } from '../files/named-table.ts';
import { type Decimal, decimalOf, readNumber, writtenNumber } from '../files/numbers.ts';
import type { CsvProblem } from '../files/table.ts';
import { ACTION_KINDS, type ActionKind, type TapeAction } from '../tape/tape-action.ts';

export const ACTION_FILE = 'actions.csv';
const ACTION_HEADER = 'symbol,date,action,ratio,note';

/**
 * @param bytes null for a folder without the file
 * @returns actions: null if the file is not a valid table; isEnded: false where it may end within a row
 */
export function readActionFile(bytes: Uint8Array | null): {
  readonly actions: TapeAction[] | null;
  readonly isEnded: boolean;
  readonly problems: CsvProblem[];
} {
  const actions: TapeAction[] = [];
  const problems: CsvProblem[] = [];
  if (bytes === null) return { actions, isEnded: true, problems };
  const table = readNamedTable(bytes, ['symbol', 'date', 'action'], ACTION_HEADER);
  if (typeof table === 'string')
    return { actions: null, isEnded: true, problems: [{ file: ACTION_FILE, line: 0, reason: table }] };
  problems.push(...table.problems.map((one) => ({ file: ACTION_FILE, ...one })));
  const formats = formatsOf(
    table.rows.map(({ cell }) => ({ symbol: cell('symbol'), text: cell('date') })),
    null,
  );
  const marks = (some: readonly NamedRow[]): Decimal | null =>
    decimalOf(
      some.flatMap(({ cell }) => cell('ratio').split(':')),
      table.delimiter === ',',
    );
  const decimal = marks(table.rows);
  for (const row of table.rows) {
    const read = actionIn(row, formats, decimal ?? marks([row]));
    if (typeof read === 'string') problems.push({ file: ACTION_FILE, line: row.line, reason: read });
    else actions.push(read);
  }
  return { actions, isEnded: table.isEnded, problems };
}

/**
 * @param formats several: nothing in the file says which
 * @param decimal null: likewise
 */
function actionIn({ cell }: NamedRow, formats: readonly DateFormat[], decimal: Decimal | null): TapeAction | string {
  const [date, ratio] = [cell('date'), cell('ratio')];
  const days = [...new Set(formats.flatMap((format) => readWritten(date, format)?.date || []))];
  if (days.length > 1) return `${date} may be ${days.join(' or ')}; write it as 2020-02-24`;
  if (decimal === null) {
    const [longer, whole] = [ratio.replaceAll(/\d[.,]\d+/g, '$&0'), ratio.replaceAll(/(?<=\d)[.,](?=\d)/g, '')];
    return `ratio "${ratio.slice(0, 30)}" may have decimals or thousands; write ${longer} or ${whole}`;
  }
  const parts = ratio.split(':').map((part) => writtenNumber(part.trim(), decimal) ?? part);
  return actionOf(cell('symbol'), days[0] ?? date, cell('action').toLowerCase(), parts.join(':'), cell('note'));
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
