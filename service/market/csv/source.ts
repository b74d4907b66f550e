// Service, market: a market source over a folder of CSV files: daily and intraday bars. Read-only.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ARCHIVE_NAME, PRICE_FILE_NAME } from '../../../shared/domain/price-file-names.ts';
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import { folderRefusal } from '../../../shared/lib/folder-refusal.ts';
import type { Progress } from '../../../shared/lib/progress.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { type DatedFile, fingerprintOf, type openDated } from '../../folder-files.ts';
import { inOneTurn, type Steps } from '../../steps.ts';
import type { BarList } from '../bar-series.ts';
import { openPriceFile, partsOf } from '../files/archive.ts';
import { MAPPING_FILE, NO_MAPPING, parseMapping } from '../files/mapping.ts';
import { givenBy, type OpenTable, openTableInSteps, type Question } from '../files/price-table.ts';
import type { Dialect, PriceRow } from '../files/row-reader.ts';
import type { Content, CsvProblem } from '../files/table.ts';
import { formingDay } from '../tape/forming-day.ts';
import { inspectMarketInSteps } from '../tape/inspected-market.ts';
import type { FeedReceipt } from '../tape/minutes.ts';
import { openTape, type Tape } from '../tape/tape.ts';
import { decidedAction, OPERATOR, type TapeAction } from '../tape/tape-action.ts';
import type { Instrument, MarketSource } from '../types.ts';
import { ACTION_FILE, readActionFile } from './corporate-actions.ts';
import {
  INSTRUMENT_FILE,
  inferListing,
  type Listing,
  readListings,
  withoutExchange,
  withoutSignals,
} from './instruments.ts';
import { hasTimes, IntradayFolder } from './intraday.ts';
import { PriceFolder } from './prices.ts';
import { RowDates } from './row-dates.ts';

/** Rows of a file that are shown as they are read. */
const SHOWN_ROWS = 5;

/** Rows of a folder: the bars of more need more memory than programs have. */
const MAX_ROWS = 20_000_000;

/** Symbols of a transaction: decades of each take some ms. */
const RECORDED_AT_ONCE = 4;

/** Name of the feed on the tape and in signals. */
const FEED = 'csv';

export interface CsvCounts {
  readonly files: number;
  readonly rows: number;
  readonly used: number;
  readonly refused: number;
  readonly widened: number;
}

/** How a file is read. */
export interface ReadFile {
  readonly file: string;
  readonly dialect: Dialect;
  /** Rows below the header; they wait while there are questions. */
  readonly rows: number;
  /** The first of them as read, or why not. */
  readonly first: readonly (PriceRow | string)[];
  readonly questions: readonly Question[];
}

/** A folder without a price that counts. */
export class NoPrices extends Error {
  readonly readFiles: readonly ReadFile[];
  readonly problems: readonly CsvProblem[];

  constructor(message: string, { readFiles, problems }: Pick<Contents, 'readFiles' | 'problems'>) {
    super(message);
    this.name = 'NoPrices';
    this.readFiles = readFiles;
    this.problems = problems;
  }
}

export interface CsvSource extends MarketSource {
  /** Symbols without signals; refused rows, unreadable files and data faults of the current contents. */
  readonly problems: readonly CsvProblem[];
  readonly counts: CsvCounts;
  readonly readFiles: readonly ReadFile[];
  /** All bars of a symbol that count, oldest first; empty for an unknown one. */
  bars(symbol: string): BarList;
  /**
   * Reads the folder again if a file was added, removed or changed. The instruments are fixed at the start.
   * @returns whether anything changed
   * @throws Error with one sentence when the folder is unreadable or has no price; the last contents remain
   */
  refresh(): boolean;
  /** Like `refresh`, in steps of some ms. Queries keep the previous contents until the last step. */
  refreshInSteps(): Steps<boolean>;
  /** Uses decisions that an operator sent to another node. */
  takeDecisions(actions: readonly TapeAction[]): void;
}

export interface CsvOptions {
  /** Records the contents of the files. Default: a tape in memory. */
  readonly tape?: Tape;
  /** Wall clock, ms, for times of receipt. Default: 0, not known. */
  readonly now?: () => number;
  /** Whether prices are replayed by another clock than the wall's: then no date is in the future. */
  readonly isReplay?: boolean;
  /** Name of the only price file to read. Default: every one. */
  readonly only?: string;
  /** Rows after which no further file is read. Default: MAX_ROWS. */
  readonly maxRows?: number;
  /** Called after an operator's decision. */
  readonly decided?: () => void;
  /** Opens a file. Default: from disk. */
  readonly open?: typeof openDated;
}

/**
 * Opens a folder of price files (see `files/price-table.ts`), with an optional instruments.csv, actions.csv and
 * mapping.json. Prices that look like data faults are not used: see `tape/inspect.ts`.
 * @throws Error with one sentence when the folder cannot be read; NoPrices when it has no usable row
 */
export const openCsvFolder = (folder: string, options?: CsvOptions): CsvSource =>
  inOneTurn(openCsvFolderInSteps(folder, options));

/** Like `openCsvFolder`, in steps. */
export function* openCsvFolderInSteps(
  folder: string,
  {
    tape = openTape(null),
    now = () => 0,
    isReplay = false,
    only,
    maxRows = MAX_ROWS,
    decided = () => undefined,
    open,
  }: CsvOptions = {},
): Steps<CsvSource> {
  const names = (): string[] => priceFiles(folder).filter((name) => only === undefined || name === only);
  const readInSteps = (): Steps<Contents> =>
    readPricesInSteps(folder, names(), { open, maxRows, now: isReplay ? 0 : now() });
  let contents = yield* readInSteps();
  let available = true;
  const listings = new Map<string, Listing>();
  yield* recordInSteps(tape, contents, { feed: FEED, receivedAt: now() }, true);
  for (const symbol of [...tape.bars.keys()].sort())
    listings.set(symbol, contents.listings.get(symbol) ?? inferListing(symbol));
  /** Whether the actions missing in the current actions.csv are withdrawn. */
  let isWithdrawn = true;
  /** Withdraws missing actions once a second poll finds the same file: the first may see it half written. */
  const withdraw = ({ actions, actionPrint }: Contents): boolean => {
    const isSettled = actionPrint === contents.actionPrint;
    const isDue = isSettled && !isWithdrawn;
    isWithdrawn = isSettled;
    return isDue && actions !== null && tape.recordActions(actions, { feed: FEED, receivedAt: now() }, true) > 0;
  };
  const market = yield* inspectMarketInSteps(tape, listings);
  const forming = formingDay(listings, market, () => contents.intraday);
  let findings: readonly CsvProblem[] = [];
  const inspected = (): void => {
    const found = market.findings();
    tape.recordFaults(found, { feed: FEED, receivedAt: now() });
    const faults = found.map(({ symbol, date, note }) => ({
      ...contents.prices.locationOf(symbol, date),
      reason: note,
    }));
    findings = [...faults, ...addedSince(listings, contents.prices)];
  };
  inspected();

  function* refreshInSteps(): Steps<boolean> {
    try {
      // A file that becomes readable may keep its size and time.
      const changed =
        fingerprintOf(folder, watched(names())) !== contents.fingerprint ||
        contents.unread.some((name) => isReadable(folder, name, open));
      const read = changed ? yield* readInSteps() : null;
      // If recording throws, the contents are not used and are read again.
      if (read !== null) inOneTurn(recordInSteps(tape, read, { feed: FEED, receivedAt: now() }, false));
      const withdrawn = withdraw(read ?? contents);
      // Another process may have recorded an operator decision.
      const isDecided = tape.refresh();
      if (isDecided || changed || withdrawn) {
        yield* market.inspectInSteps();
        contents = read ?? contents;
        inspected();
      }
      available = true;
      return isDecided || changed || withdrawn;
    } catch (error) {
      available = false;
      throw error;
    }
  }

  const takeDecisions = (actions: readonly TapeAction[]): void => {
    if (tape.recordActions(actions, { feed: OPERATOR, receivedAt: now() }) === 0) return;
    market.inspect();
    inspected();
  };

  return {
    feed: FEED,
    instruments: [...listings.values()].map((row): Instrument => row.instrument),
    get problems() {
      const all = [...listings.values()];
      return [...withoutSignals(all), ...withoutExchange(all), ...contents.problems, ...findings];
    },
    get counts() {
      const { rows, used, widened } = contents.prices;
      return { files: contents.files, rows, used, refused: rows - used, widened };
    },
    get readFiles() {
      return contents.readFiles;
    },
    bars: (symbol) => market.daily(symbol, Number.POSITIVE_INFINITY),
    closedDays: market.closedDays,
    nextClose: market.nextClose,
    fault: forming.fault,
    question: forming.question,
    decide(decision) {
      takeDecisions([decidedAction(decision)]);
      decided();
    },
    takeDecisions,
    holes: market.holes,
    revisions: market.revisions,
    // A row is written after its bar has closed, possibly much later.
    comesLate: true,
    forming: forming.forming,
    lastBar: (symbol, now) => market.daily(symbol, now).at(-1) ?? null,
    decisions: forming.decisions,

    available: () => available,

    refresh: () => inOneTurn(refreshInSteps()),
    refreshInSteps: refreshInSteps,
  };
}

/** @param isStart whether rows and actions that the files lack are withdrawn */
function* recordInSteps(tape: Tape, read: Contents, receipt: FeedReceipt, isStart: boolean): Steps<void> {
  const { prices, actions, unread, readFiles } = read;
  // A file that cannot be read, or waits for an answer, must not withdraw its rows.
  const isRead = read.isWhole && unread.length === 0 && readFiles.every(({ questions }) => questions.length === 0);
  const whole = isStart && isRead;
  const bars = prices.takeBars();
  const symbols = whole ? [...new Set([...bars.keys(), ...tape.bars.keys()])] : [...bars.keys()];
  for (let done = 0; done < symbols.length; done += RECORDED_AT_ONCE) {
    yield { what: 'recording', done, total: symbols.length };
    const some = symbols
      .slice(done, done + RECORDED_AT_ONCE)
      .map((symbol) => [symbol, bars.get(symbol) ?? []] as const);
    tape.record(new Map(some), receipt, whole);
  }
  if (actions !== null) tape.recordActions(actions, receipt, isStart);
}

/** Problems as a command prints them, one line each. */
export const problemLines = ({ problems }: Pick<CsvSource, 'problems'>): string[] =>
  problems.map(({ file, line, reason }) => `${file}${line === 0 ? '' : `:${line}`}: ${reason}`);

interface Contents {
  readonly fingerprint: string;
  /** Fingerprint of actions.csv alone. */
  readonly actionPrint: string;
  readonly files: number;
  readonly prices: PriceFolder;
  readonly intraday: IntradayFolder;
  readonly listings: ReadonlyMap<string, Listing>;
  /** null: actions.csv cannot be read. */
  readonly actions: readonly TapeAction[] | null;
  readonly problems: readonly CsvProblem[];
  readonly readFiles: readonly ReadFile[];
  /** False where files wait for a mapping.json that cannot be read, are damaged, or have too many rows. */
  readonly isWhole: boolean;
  /** Names of the files that could not be read. */
  readonly unread: readonly string[];
}

type FileOpener = typeof openDated | undefined;
interface Reading extends Required<Pick<CsvOptions, 'maxRows'>> {
  readonly open: FileOpener;
  readonly now: number;
}

/** @throws NoPrices */
function* readPricesInSteps(folder: string, names: string[], reading: Reading): Steps<Contents> {
  const contents = yield* readFolderInSteps(folder, names, reading);
  if (contents.prices.symbols.length > 0) return contents;
  const why = contents.problems[0];
  const reason =
    why === undefined ? 'it has no .csv file, nor .txt, .tsv, .zip or .xlsx' : `${why.file}: ${why.reason}`;
  throw new NoPrices(`there are no prices in ${folder}: ${reason}`, contents);
}

/** Problems for symbols added after the start, which have no instrument yet. */
function addedSince(listings: ReadonlyMap<string, Listing>, prices: PriceFolder): CsvProblem[] {
  const added = prices.symbols.filter((symbol) => !listings.has(symbol)).sort();
  return added.map((symbol) => ({
    ...prices.locationOf(symbol),
    reason: `${symbol} was added while the service runs; it has signals from the next start on`,
  }));
}

/**
 * The names of the price files, sorted so that equal folders give equal contents: archives last, which may be
 * copies of earlier files.
 */
function priceFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => PRICE_FILE_NAME.test(name) && name !== INSTRUMENT_FILE && name !== ACTION_FILE)
      .sort((a, b) => Number(ARCHIVE_NAME.test(a)) - Number(ARCHIVE_NAME.test(b)) || (a < b ? -1 : 1));
  } catch (error) {
    throw new Error(folderRefusal(`The price folder ${folder}`, error));
  }
}

const watched = (names: readonly string[]): string[] => [...names, INSTRUMENT_FILE, ACTION_FILE, MAPPING_FILE];

/** @returns the file, or the reason why it cannot be read */
function openIn(folder: string, name: string, opener: FileOpener) {
  try {
    return openPriceFile(join(folder, name), opener);
  } catch (error) {
    return { reason: `the file cannot be read: ${messageOf(error)}` };
  }
}

function isReadable(folder: string, name: string, opener: FileOpener): boolean {
  const file = openIn(folder, name, opener);
  if ('close' in file) file.close();
  return 'close' in file;
}

/** What lies beside the price files. @param opened opens a file; null: it cannot be read */
function readSideFiles(folder: string, opened: (name: string) => DatedFile | null) {
  /** undefined: there is none; null: it cannot be read. */
  const readIfThere = (name: string): Uint8Array | null | undefined => {
    const file = existsSync(join(folder, name)) ? opened(name) : undefined;
    const bytes = file?.read(0, file.size);
    file?.close();
    return file === null ? null : bytes;
  };
  const { listings, problems } = readListings(readIfThere(INSTRUMENT_FILE) ?? null);
  const actionFile = readIfThere(ACTION_FILE);
  const { actions, problems: actionProblems } = readActionFile(actionFile ?? null);
  const mapping = parseMapping(readIfThere(MAPPING_FILE) ?? null);
  const found = [...problems, ...actionProblems];
  if (!mapping.ok) found.push({ file: MAPPING_FILE, line: 0, reason: mapping.error });
  return { listings, actions: actionFile === null ? null : actions, mapping, problems: found };
}

function* readFolderInSteps(folder: string, files: string[], { open: opener, maxRows, now }: Reading): Steps<Contents> {
  const fingerprint = fingerprintOf(folder, watched(files));
  const actionPrint = fingerprintOf(folder, [ACTION_FILE]);
  const unreadable: CsvProblem[] = [];
  const opened = (name: string): DatedFile | null => {
    const found = openIn(folder, name, opener);
    if (!('reason' in found)) return found;
    unreadable.push({ file: name, line: 0, reason: found.reason });
    return null;
  };
  const { listings, actions, mapping, problems } = readSideFiles(folder, opened);
  const calendarOf = (symbol: string): SessionCalendar => (listings.get(symbol) ?? inferListing(symbol)).calendar;
  const prices = new PriceFolder(new RowDates(calendarOf, now));
  const readFiles = new Map<string, ReadFile>();
  const open = function* (name: string, content: Content): Steps<OpenTable | null> {
    const table = yield* openTableInSteps(content, name, givenBy(mapping.ok ? mapping.value : NO_MAPPING, name));
    if (typeof table === 'string') {
      prices.problems.push({ file: name, line: 0, reason: table });
      return null;
    }
    // It may have said that another column is the close.
    if (!mapping.ok && !table.dialect.isOwn) {
      prices.problems.push({ file: name, line: 0, reason: `it waits for ${MAPPING_FILE}, which cannot be read` });
      return null;
    }
    const { dialect, questions, rows } = table;
    const first = rows.slice(0, SHOWN_ROWS).map(table.read);
    readFiles.set(name, { file: name, dialect, rows: rows.length, first, questions });
    prices.problems.push(...questions.map(({ text }) => ({ file: name, line: 0, reason: text })));
    return questions.length > 0 ? null : table;
  };
  const intraday = new IntradayFolder();
  const calendarOfDaily = (symbol: string): SessionCalendar | null => (prices.has(symbol) ? calendarOf(symbol) : null);
  let [done, parts, of] = [0, 0, 1];
  const progress = (share: number): Progress => ({
    ...{ what: 'reading', done: done + Math.min(1, (parts + share) / of), total: files.length },
  });
  /** Whether rows may be left out, which then are not withdrawn. */
  let isCut = false;
  /** Parts with rows within the day, by their file. */
  const later = new Map<string, Set<string>>();
  /** @param only the parts that are added; null: all, but those with rows within the day */
  const addFile = function* (file: string, only: ReadonlySet<string> | null): Steps<void> {
    const found = opened(file);
    if (found === null) return;
    try {
      for (const part of partsOf(file, found)) {
        if (part === undefined) yield progress(0);
        if (part === undefined || only?.has(part.name) === false) continue;
        const { name, content } = part;
        if (prices.rows >= maxRows) {
          const reason = `it is not read, nor what follows in ${file}: files before it have ${prices.rows} rows, and ${maxRows} are the most; split the folder`;
          prices.problems.push({ file: name, line: 0, reason });
          isCut = true;
          return;
        }
        of = part.of ?? 1;
        isCut ||= part.isLost === true;
        if (typeof content === 'string') prices.problems.push({ file: name, line: 0, reason: content });
        else {
          const isTimed = only === null && content instanceof Uint8Array && hasTimes(content);
          const table = isTimed ? undefined : yield* open(name, content);
          if (table !== undefined && table?.dialect.isIntraday !== true) {
            if (table !== null) yield* prices.addInSteps(name, table, found.writtenAt, progress);
          } else if (only === null) later.set(file, (later.get(file) ?? new Set()).add(name));
          else if (table !== undefined) intraday.add(name, table, calendarOfDaily);
        }
        parts += 1;
        yield progress(0);
      }
    } finally {
      found.close();
      parts = 0;
    }
  };
  for (const file of files) {
    yield* addFile(file, null);
    done += 1;
    yield progress(0);
  }
  // Rows within the day need the daily ones. Their files are read again: an archive of them is not kept in memory.
  for (const [file, names] of later) yield* addFile(file, names);
  return {
    fingerprint,
    actionPrint,
    files: files.length,
    prices,
    intraday,
    listings,
    actions,
    problems: [...problems, ...unreadable, ...prices.problems, ...intraday.problems],
    readFiles: [...readFiles.values()],
    isWhole: mapping.ok && !isCut,
    unread: unreadable.map(({ file }) => file),
  };
}
