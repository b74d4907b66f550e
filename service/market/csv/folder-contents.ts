// Service, market: reads a folder of price files, with instruments.csv, actions.csv and mapping.json beside them.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  ARCHIVE_NAME,
  EVENT_FOLDER,
  PRICE_FILE_NAME,
  UNREAD_FILE_NAME,
} from '../../../shared/domain/price-file-names.ts';
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import { folderRefusal } from '../../../shared/lib/folder-refusal.ts';
import type { Progress } from '../../../shared/lib/progress.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { type DatedFile, fingerprintOf, type openDated } from '../../folder-files.ts';
import type { Steps } from '../../steps.ts';
import { openPriceFile, partsOf, unreadReason } from '../files/archive.ts';
import { MAPPING_FILE, NO_MAPPING, parseMapping } from '../files/mapping.ts';
import { givenBy, type OpenTable, openTableInSteps, type Question } from '../files/price-table.ts';
import type { Dialect, PriceRow } from '../files/row-reader.ts';
import { type Content, type CsvProblem, CUT_ROW, type Part } from '../files/table.ts';
import type { TapeAction } from '../tape/tape-action.ts';
import { ACTION_FILE, readActionFile } from './corporate-actions.ts';
import { INSTRUMENT_FILE, inferListing, type Listing, readListings } from './instruments.ts';
import { hasTimes, IntradayFolder } from './intraday.ts';
import { PriceFolder } from './prices.ts';
import { RowDates } from './row-dates.ts';

/** Rows of a file that are shown as they are read. */
const SHOWN_ROWS = 5;

/** Rows of a folder: the bars of more need more memory than programs have. */
export const MAX_ROWS = 20_000_000;

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

  constructor(message: string, { readFiles, problems }: Pick<FolderContents, 'readFiles' | 'problems'>) {
    super(message);
    this.name = 'NoPrices';
    this.readFiles = readFiles;
    this.problems = problems;
  }
}

/** What a folder has, as read at once. */
export interface FolderContents {
  readonly fingerprint: string;
  /** Fingerprint of actions.csv alone. */
  readonly actionPrint: string;
  readonly files: number;
  readonly prices: PriceFolder;
  readonly intraday: IntradayFolder;
  readonly listings: ReadonlyMap<string, Listing>;
  /** null: actions.csv cannot be read. */
  readonly actions: readonly TapeAction[] | null;
  /** False: actions.csv may end within a row. */
  readonly areActionsEnded: boolean;
  readonly problems: readonly CsvProblem[];
  readonly readFiles: readonly ReadFile[];
  /** False where files wait for a mapping.json that cannot be read, are no tables of prices, end within a row, or have too many rows. */
  readonly isWhole: boolean;
  /** Names of the files that could not be read. */
  readonly unread: readonly string[];
}

type FileOpener = typeof openDated | undefined;
export interface Reading {
  /** Default: from disk. */
  readonly open: FileOpener;
  /** Rows after which no further file is read. */
  readonly maxRows: number;
  /** Wall clock, ms; 0: no date is in the future. */
  readonly now: number;
  /** Name of the only file to read; undefined: every one, and what is not read beside them is a problem. */
  readonly only: string | undefined;
}

/** @throws NoPrices */
export function* readPricesInSteps(folder: string, names: string[], reading: Reading): Steps<FolderContents> {
  const contents = yield* new FolderReading(folder, names, reading).read();
  if (contents.prices.symbols.length > 0) return contents;
  const why = contents.problems[0];
  const none =
    reading.only === undefined
      ? 'it has no .csv file, nor .txt, .tsv, .zip or .xlsx'
      : `${reading.only} is no price file, which ends in .csv, .txt, .tsv, .zip or .xlsx`;
  const reason = why === undefined ? none : `${why.file}: ${why.reason}`;
  throw new NoPrices(`there are no prices in ${folder}: ${reason}`, contents);
}

/**
 * The names of the price files, sorted so that equal folders give equal contents: archives last, which may be
 * copies of earlier files.
 */
export function priceFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => PRICE_FILE_NAME.test(name) && name !== INSTRUMENT_FILE && name !== ACTION_FILE)
      .sort((a, b) => Number(ARCHIVE_NAME.test(a)) - Number(ARCHIVE_NAME.test(b)) || (a < b ? -1 : 1));
  } catch (error) {
    throw new Error(folderRefusal(`The price folder ${folder}`, error));
  }
}

/** Names files of other forms, and folders with price files: these are not read. */
function unreadIn(folder: string): CsvProblem[] {
  const hasPrices = (name: string): boolean => {
    try {
      return readdirSync(join(folder, name)).some((one) => PRICE_FILE_NAME.test(one));
    } catch {
      return false;
    }
  };
  const others = readdirSync(folder, { withFileTypes: true }).filter(
    ({ name }) => !PRICE_FILE_NAME.test(name) && name !== EVENT_FOLDER && !name.startsWith('.'),
  );
  const files = others.filter(({ name }) => UNREAD_FILE_NAME.test(name));
  // A link may lead to a folder.
  const folders = others.filter((entry) => !entry.isFile() && hasPrices(entry.name));
  const more = folders.length === 1 ? '' : `, nor from ${folders.length - 1} more`;
  return [
    ...files.slice(0, 1).map(({ name }) => ({ file: name, line: 0, reason: unreadReason(files.length) })),
    ...folders.slice(0, 1).map(({ name }) => ({
      ...{ file: name, line: 0 },
      reason: `no prices are read from this folder${more}; move the files beside the others`,
    })),
  ];
}

/** Changes when a file of the folder may have changed. */
export const folderFingerprint = (folder: string, names: readonly string[]): string =>
  fingerprintOf(folder, [...names, INSTRUMENT_FILE, ACTION_FILE, MAPPING_FILE]);

/** @returns the file, or the reason why it cannot be read */
function openIn(folder: string, name: string, opener: FileOpener) {
  try {
    return openPriceFile(join(folder, name), opener);
  } catch (error) {
    return { reason: `the file cannot be read: ${messageOf(error)}` };
  }
}

export function isReadable(folder: string, name: string, opener: FileOpener): boolean {
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
  const { actions, isEnded, problems: actionProblems } = readActionFile(actionFile ?? null);
  const mapping = parseMapping(readIfThere(MAPPING_FILE) ?? null);
  const found = [...problems, ...actionProblems];
  if (!mapping.ok) found.push({ file: MAPPING_FILE, line: 0, reason: mapping.error });
  const known = actionFile === null ? null : actions;
  return { listings, actions: known, areActionsEnded: isEnded, mapping, problems: found };
}

/** One reading of a folder, file by file. */
class FolderReading {
  readonly #folder: string;
  readonly #files: readonly string[];
  readonly #options: Reading;
  /** Taken before the first file is read: what changes meanwhile is read again. */
  readonly #fingerprint: string;
  readonly #actionPrint: string;
  readonly #unreadable: CsvProblem[] = [];
  readonly #side: ReturnType<typeof readSideFiles>;
  readonly #prices: PriceFolder;
  readonly #intraday = new IntradayFolder();
  readonly #readFiles = new Map<string, ReadFile>();
  /** Parts with rows within the day, by their file. */
  readonly #later = new Map<string, Set<string>>();
  /** Whether rows may be left out, which then are not withdrawn. */
  #isCut = false;
  /** Files and parts of the current one that were read, and how many parts it has. */
  #done = 0;
  #parts = 0;
  #of = 1;

  constructor(folder: string, files: readonly string[], options: Reading) {
    this.#folder = folder;
    this.#files = files;
    this.#options = options;
    this.#fingerprint = folderFingerprint(folder, files);
    this.#actionPrint = fingerprintOf(folder, [ACTION_FILE]);
    this.#side = readSideFiles(folder, (name) => this.#opened(name));
    this.#prices = new PriceFolder(new RowDates((symbol) => this.#calendarOf(symbol), options.now));
  }

  *read(): Steps<FolderContents> {
    for (const file of this.#files) {
      yield* this.#addFile(file, null);
      this.#done += 1;
      yield this.#progress(0);
    }
    // Rows within the day need the daily ones. Their files are read again: an archive of them is not kept in memory.
    for (const [file, names] of this.#later) yield* this.#addFile(file, names);
    const { listings, actions, areActionsEnded, mapping, problems } = this.#side;
    const found = [problems, this.#unreadable, this.#prices.problems, this.#intraday.problems].flat();
    return {
      ...{ listings, actions, areActionsEnded },
      fingerprint: this.#fingerprint,
      actionPrint: this.#actionPrint,
      files: this.#files.length,
      prices: this.#prices,
      intraday: this.#intraday,
      problems: this.#options.only === undefined ? [...found, ...unreadIn(this.#folder)] : found,
      readFiles: [...this.#readFiles.values()],
      isWhole: mapping.ok && !this.#isCut,
      unread: this.#unreadable.map(({ file }) => file),
    };
  }

  /** @param only the parts that are added; null: all, but those with rows within the day */
  *#addFile(file: string, only: ReadonlySet<string> | null): Steps<void> {
    const found = this.#opened(file);
    if (found === null) return;
    try {
      for (const part of partsOf(file, found)) {
        if (part === undefined) yield this.#progress(0);
        if (part === undefined || only?.has(part.name) === false) continue;
        if (this.#prices.rows >= this.#options.maxRows) {
          this.#leaveOut(part.name, file);
          return;
        }
        this.#of = part.of ?? 1;
        this.#isCut ||= part.isLost === true;
        yield* this.#addPart(file, part, only === null, found.writtenAt);
        this.#parts += 1;
        yield this.#progress(0);
      }
    } finally {
      found.close();
      this.#parts = 0;
    }
  }

  /** @param isDaily whether rows within the day are left for later; otherwise only they are added */
  *#addPart(file: string, { name, content }: Part, isDaily: boolean, writtenAt: number): Steps<void> {
    if (typeof content === 'string') {
      this.#report(name, content);
      return;
    }
    const isTimed = isDaily && content instanceof Uint8Array && hasTimes(content);
    const table = isTimed ? undefined : yield* this.#open(name, content);
    if (table === null) return;
    if (table?.dialect.isIntraday === false)
      yield* this.#prices.addInSteps(name, table, writtenAt, (share) => this.#progress(share));
    else if (isDaily) this.#later.set(file, (this.#later.get(file) ?? new Set()).add(name));
    else if (table !== undefined)
      this.#intraday.add(name, table, (symbol) => (this.#prices.has(symbol) ? this.#calendarOf(symbol) : null));
  }

  /** @returns null, with the reason among the problems, for what is no table or waits for an answer */
  *#open(name: string, content: Content): Steps<OpenTable | null> {
    const { mapping } = this.#side;
    const table = yield* openTableInSteps(content, name, givenBy(mapping.ok ? mapping.value : NO_MAPPING, name));
    if (typeof table === 'string') {
      // Its program may be writing it, or have saved an answer without prices in its place.
      this.#isCut = true;
      this.#report(name, table);
      return null;
    }
    // It may have said that another column is the close.
    if (!mapping.ok && !table.dialect.isOwn) {
      this.#report(name, `it waits for ${MAPPING_FILE}, which cannot be read`);
      return null;
    }
    const { dialect, questions, rows, cut } = table;
    // A file with rows within the day is opened twice.
    if (cut !== null && !this.#readFiles.has(name)) this.#report(name, CUT_ROW, cut);
    this.#isCut ||= cut !== null;
    const first = rows.slice(0, SHOWN_ROWS).map(table.read);
    this.#readFiles.set(name, { file: name, dialect, rows: rows.length, first, questions });
    for (const { text } of questions) this.#report(name, text);
    return questions.length > 0 ? null : table;
  }

  /** @returns null, with the reason among the unreadable files, if it cannot be read */
  #opened(name: string): DatedFile | null {
    const found = openIn(this.#folder, name, this.#options.open);
    if (!('reason' in found)) return found;
    this.#unreadable.push({ file: name, line: 0, reason: found.reason });
    return null;
  }

  #leaveOut(name: string, file: string): void {
    const { rows } = this.#prices;
    const most = this.#options.maxRows;
    this.#report(
      name,
      `it is not read, nor what follows in ${file}: files before it have ${rows} rows, and ${most} are the most; split the folder`,
    );
    this.#isCut = true;
  }

  #report(file: string, reason: string, line = 0): void {
    this.#prices.problems.push({ file, line, reason });
  }

  #calendarOf(symbol: string): SessionCalendar {
    return (this.#side.listings.get(symbol) ?? inferListing(symbol)).calendar;
  }

  /** @param share of the current part */
  #progress(share: number): Progress {
    const done = this.#done + Math.min(1, (this.#parts + share) / this.#of);
    return { what: 'reading', done, total: this.#files.length };
  }
}
