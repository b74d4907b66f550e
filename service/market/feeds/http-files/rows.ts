// Service, price files over HTTP: parses a file into daily prices by symbol.
// Skips bad rows and reports their line numbers.
import { dayStatus, type SessionCalendar } from '../../../../shared/domain/sessions.ts';
import type { Bar } from '../../../engine/types.ts';
import { inOneTurn } from '../../../steps.ts';
import { partsOf } from '../../files/archive.ts';
import { COLUMN_ROLES } from '../../files/columns.ts';
import { sessionDate } from '../../files/dates.ts';
import type { GivenFormat } from '../../files/mapping.ts';
import { NO_VALUE, widened } from '../../files/numbers.ts';
import { openTableInSteps } from '../../files/price-table.ts';
import { CUT_ROW, type FileProblem, type Part } from '../../files/table.ts';
import { sourceOf } from '../../files/zip.ts';
import type { FileSettings } from './settings.ts';

export interface FileContents {
  /** Bars by the symbol's name in the file, in upper case, oldest first; by '' in a file of one symbol. */
  readonly bars: ReadonlyMap<string, readonly Bar[]>;
  readonly problems: readonly FileProblem[];
}

/** Whether rows name their symbol. */
export const hasSymbolColumn = ({ url, columns, symbols }: FileSettings): boolean =>
  columns === undefined ? !url.includes('{symbol}') && Object.keys(symbols).length > 1 : columns.symbol !== undefined;

/** A symbol for the reader; names of symbols in these files may have any form. */
const ANY = 'X';

function givenOf({ columns, ...settings }: FileSettings): GivenFormat {
  const { hasHeader, delimiter, decimal, dateFormat, zone } = settings;
  // Named columns are all that count.
  const named = columns && Object.fromEntries(COLUMN_ROLES.map((role) => [role, columns[role] ?? null]));
  const given = { columns: named, hasHeader, delimiter, decimal, dateFormat, zone, place: 'its settings', symbol: ANY };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** @returns the prices, or one sentence about why the file has none */
export function readFile(bytes: Uint8Array, settings: FileSettings, calendar: SessionCalendar): FileContents | string {
  const given = givenOf(settings);
  const parts: Part[] = [];
  // A second one suffices: others stay packed.
  for (const part of partsOf('archive', sourceOf(bytes))) if (part !== undefined && parts.push(part) === 2) break;
  const [part, other] = parts;
  if (other !== undefined)
    return `it has several files, such as ${part?.name} and ${other.name}; keep them in a price folder`;
  const content = part?.content ?? 'it has no sheet';
  if (typeof content === 'string') return content;
  const table = inOneTurn(openTableInSteps(content, '', () => given));
  if (typeof table === 'string') return table;
  const { positions, zone } = table.dialect;
  const isNamed = hasSymbolColumn(settings);
  if (isNamed && positions.symbol === -1) return 'column symbol is missing; name it in columns.symbol';
  // Every row of these files is of a day.
  const open = table.questions.find(({ kind }) => kind !== 'zone');
  if (open !== undefined) return open.text;
  const bars = new Map<string, Map<string, Bar>>();
  const problems: FileProblem[] = table.cut === null ? [] : [{ line: table.cut, reason: CUT_ROW }];
  for (const written of table.rows) {
    const { line, cells } = written;
    const cell = (at: number): string => (cells[at] ?? '').trim();
    // No error: a holiday, or a price that is not known yet.
    if (NO_VALUE.test(cell(positions.close))) continue;
    const row = table.read(written);
    const date = typeof row === 'string' ? '' : sessionDate(row.when, calendar, zone);
    const name = isNamed ? cell(positions.symbol).toUpperCase() : '';
    const known = bars.get(name) ?? new Map<string, Bar>();
    if (typeof row === 'string') problems.push({ line, reason: row });
    else if (dayStatus(calendar, date) === 'closed')
      problems.push({
        line,
        reason: `${date} is no session of the calendar ${calendar}; are date format, zone and calendar right?`,
      });
    else if (known.has(date)) problems.push({ line, reason: `${date} is there already; the first row is kept` });
    else {
      const { open, close, volume } = row;
      const { high, low } = widened(row);
      bars.set(name, known.set(date, { date, open, high, low, close, volume }));
    }
  }
  if (bars.size === 0) {
    const [first] = problems;
    return first === undefined
      ? 'it has no row with a price'
      : `none of its rows is a price; line ${first.line}: ${first.reason}`;
  }
  const sorted = [...bars].map(
    ([name, list]) => [name, [...list.values()].sort((a, b) => (a.date < b.date ? -1 : 1))] as const,
  );
  return { bars: new Map(sorted), problems };
}
