// Service: what can be read in a price folder, and how: for the window and the command line.
import type { PriceFormat } from '../shared/channels/profiles.ts';
import { messageOf } from '../shared/lib/result.ts';
import { openEditorials } from './briefings/editorial.ts';
import { NoPrices, type ReadFile } from './market/csv/folder-contents.ts';
import { inferListing } from './market/csv/instruments.ts';
import { type CsvSource, openCsvFolderInSteps } from './market/csv/source.ts';
import { sessionDate } from './market/files/dates.ts';
import { BY_SYMBOL } from './market/files/header.ts';
import { type MappingAnswer, writeAnswers } from './market/files/mapping.ts';
import type { Dialect, PriceRow } from './market/files/row-reader.ts';
import type { CsvProblem } from './market/files/table.ts';
import { defaultEventFolder, type EventFolder, openEventFolder } from './scheduled/event-folder.ts';
import { listedCalendars } from './scheduled/schedule.ts';
import type { Steps } from './steps.ts';

export interface FolderReport {
  /** Why a service over these folders is impossible; null when it is possible. */
  readonly refused: string | null;
  /** The folder that `refused` concerns. */
  readonly refused_at: 'folder' | 'editorial' | 'events' | null;
  readonly symbols: readonly string[];
  readonly from: string | null;
  readonly to: string | null;
  /** The earliest of the symbols' last days; `to` is the latest. */
  readonly earliest_end: string | null;
  /** The last day that at least half of the symbols reach. */
  readonly median_end: string | null;
  /** Files that were read: those that wait for an answer are in `formats`. */
  readonly files: number;
  readonly rows: number;
  readonly used: number;
  readonly problems: readonly { readonly file: string; readonly line: number; readonly reason: string }[];
  readonly formats: readonly PriceFormat[];
  /** Lists of what is due that a service would use: those that are named, or beside the prices; null: none. */
  readonly due: { readonly folder: string; readonly files: number; readonly events: number } | null;
}

/** The problems of a folder; what is asked is in its formats. */
function withoutQuestions({ problems, readFiles }: Pick<CsvSource, 'problems' | 'readFiles'>): readonly CsvProblem[] {
  const asked = new Set(readFiles.flatMap(({ questions }) => questions.map(({ text }) => text)));
  return problems.filter(({ reason }) => !asked.has(reason));
}

const isIn = (symbols: readonly string[]) => {
  const known = new Set(symbols);
  return (symbol: string): boolean => known.has(symbol);
};

const SIGNS: Readonly<Record<string, string>> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

function formatReports(files: readonly ReadFile[]): PriceFormat[] {
  const keyOf = ({ file, dialect: { header, dateFormat, decimal }, questions }: ReadFile): string =>
    [header, dateFormat, decimal, questions.some(({ kind }) => kind === 'symbol') ? file : ''].join('\n');
  return [...Map.groupBy(files, keyOf).values()].map((alike) => {
    const { file, dialect, first, questions } = alike[0] as ReadFile;
    const { source, delimiter, decimal, dateFormat, positions, zone, header, isIntraday, symbol, names } = dialect;
    const asks = new Set(questions.map(({ kind }) => kind));
    const parts = [
      source,
      delimiter === '' ? 'a sheet' : `${SIGNS[delimiter] ?? delimiter} between the cells`,
      names.some((name) => name !== '') ? null : 'without a header',
      header.endsWith(BY_SYMBOL) ? 'symbols side by side' : null,
      asks.has('dateFormat') || asks.has('columns') ? null : `dates ${dateFormat}`,
      isIntraday && !asks.has('zone') ? `times of ${zone ?? 'the exchange'}` : null,
      asks.has('decimal') || asks.has('columns') ? null : `decimal "${decimal}"`,
      positions.adjusted === -1 ? null : 'scaled to the adjusted close',
      symbol === null ? null : 'symbol from the file',
    ].filter((part) => part !== null);
    const rows = questions.length > 0 ? [] : first.map((row) => shownRow(row, dialect));
    const asked = questions.map(({ kind, what, choices }) => ({ kind, what, choices: [...choices] }));
    return { file, files: alike.length, header, found: parts.join(', '), rows, questions: asked };
  });
}

function shownRow(row: PriceRow | string, { zone, isIntraday }: Dialect): string[] {
  if (typeof row === 'string') return [row];
  const { symbol, when, open, high, low, close, volume } = row;
  const day = sessionDate(when, inferListing(symbol).calendar, zone);
  const time = isIntraday && when.minute !== null ? ` ${clockTime(when.minute)}` : '';
  return [
    symbol,
    `${day}${time}`,
    ...[open, high, low, close].map((price) => String(Number(price.toPrecision(9)))),
    String(volume ?? ''),
  ];
}

const clockTime = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');

function dueOf(folder: string | null, lists: EventFolder | null): FolderReport['due'] {
  if (folder === null || lists === null || lists.lists.length === 0) return null;
  const events = lists.lists.reduce((sum, list) => sum + list.events.length, 0);
  return { folder, files: lists.lists.length, events };
}

/**
 * Reports in steps the usable contents of a price folder, of a folder of editorials, and of one of what is due.
 * @param answers are written to its mapping.json before
 * @param only name of the only price file to read
 */
export function* reportFolders(
  {
    folder,
    editorial,
    events,
  }: { readonly folder: string; readonly editorial: string | null; readonly events?: string | undefined },
  answers: readonly MappingAnswer[] = [],
  only?: string,
): Steps<FolderReport> {
  const noDays = { from: null, to: null, earliest_end: null, median_end: null };
  const none = { symbols: [], ...noDays, files: 0, rows: 0, used: 0, problems: [], formats: [], due: null };
  try {
    if (answers.length > 0) writeAnswers(folder, answers);
    const source = yield* openCsvFolderInSteps(folder, { now: Date.now, ...(only === undefined ? {} : { only }) });
    const { instruments, bars, counts, readFiles } = source;
    const problems = withoutQuestions(source);
    const symbols = instruments.map(({ symbol }) => symbol);
    const ends = symbols
      .flatMap((symbol) => [bars(symbol).at(0)?.date ?? [], bars(symbol).at(-1)?.date ?? []].flat())
      .sort();
    const lastDays = symbols.flatMap((symbol) => bars(symbol).at(-1)?.date ?? []).sort();
    const { files, rows, used } = counts;
    const ground = {
      symbols,
      from: ends[0] ?? null,
      to: ends.at(-1) ?? null,
      earliest_end: lastDays[0] ?? null,
      median_end: lastDays[lastDays.length >> 1] ?? null,
      files: files - readFiles.filter(({ questions }) => questions.length > 0).length,
      rows,
      used,
      formats: formatReports(readFiles),
    };
    let at: 'editorial' | 'events' = 'editorial';
    try {
      const letters = editorial === null ? [] : openEditorials(editorial).problems;
      at = 'events';
      const context = { calendarOf: listedCalendars('production', instruments), knows: isIn(symbols) };
      // A single file is read without what lies beside it.
      const listed = events ?? (only === undefined ? defaultEventFolder(folder) : null);
      const lists = listed === null ? null : openEventFolder(listed, { ...context, mayLack: events === undefined });
      const all = [...problems, ...letters, ...(lists?.problems ?? [])];
      return { ...ground, due: dueOf(listed, lists), refused: null, refused_at: null, problems: all };
    } catch (error) {
      return { ...ground, due: null, refused: messageOf(error), refused_at: at, problems };
    }
  } catch (error) {
    const left =
      error instanceof NoPrices ? { problems: withoutQuestions(error), formats: formatReports(error.readFiles) } : {};
    return { ...none, ...left, refused: messageOf(error), refused_at: 'folder' };
  }
}
