// Service, market: a market source over a folder of CSV files: daily and intraday bars. Read-only.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import type { Bar } from '../../engine/types.ts';
import { fingerprintOf, readDated } from '../../folder-files.ts';
import { inOneTurn, type Steps } from '../../steps.ts';
import { formingDay } from '../tape/forming-day.ts';
import { createInspectedMarket } from '../tape/inspected-market.ts';
import { openTape, type Tape } from '../tape/tape.ts';
import { decidedAction, OPERATOR, type TapeAction } from '../tape/tape-action.ts';
import type { Instrument, MarketSource } from '../types.ts';
import { ACTION_FILE, readActionFile } from './corporate-actions.ts';
import { INSTRUMENT_FILE, inferListing, type Listing, readListings, withoutSignals } from './instruments.ts';
import { IntradayFolder, isIntraday } from './intraday.ts';
import { type CsvProblem, PriceFolder } from './prices.ts';
import { RowDates } from './row-dates.ts';

/** Name of the feed on the tape and in signals. */
const FEED = 'csv';
/** Size limit of a file: a larger text may exceed the maximum length of a string. */
const MAX_BYTES = 256 * 1024 * 1024;

export interface CsvCounts {
  readonly files: number;
  readonly rows: number;
  readonly used: number;
  readonly refused: number;
  readonly widened: number;
}

export interface CsvSource extends MarketSource {
  /** Symbols without signals; refused rows, unreadable files and data faults of the current contents. */
  readonly problems: readonly CsvProblem[];
  readonly counts: CsvCounts;
  /** All bars of a symbol that count, oldest first; empty for an unknown one. */
  bars(symbol: string): readonly Bar[];
  /**
   * Reads the folder again if a file was added, removed or changed. The instruments are fixed at the start.
   * @returns whether anything changed
   * @throws Error with one sentence when the folder is unreadable or has no price; the last contents remain
   */
  refresh(): boolean;
  /** Like `refresh`, in steps of some ms. Queries keep the previous contents until the last step. */
  refreshInSteps(): Steps<boolean>;
}

export interface CsvOptions {
  /** Records the contents of the files. Default: a tape in memory. */
  readonly tape?: Tape;
  /** Wall clock, ms, for times of receipt. Default: 0, not known. */
  readonly now?: () => number;
  /** Whether prices are replayed by another clock than the wall's: then no date is in the future. */
  readonly isReplay?: boolean;
  /** Reads a file. Default: from disk. */
  readonly read?: typeof readDated;
}

/**
 * Opens a folder of price files (`symbol,date,open,high,low,close,volume`) with an optional instruments.csv
 * and an optional actions.csv. Prices that look like data faults are not used: see `tape/inspect.ts`.
 * @throws Error with one sentence when the folder cannot be read or has no usable row
 */
export function openCsvFolder(
  folder: string,
  { tape = openTape(null), now = () => 0, isReplay = false, read: readFile = readDated }: CsvOptions = {},
): CsvSource {
  const readInSteps = (): Steps<Contents> => readPricesInSteps(folder, readFile, isReplay ? 0 : now());
  let contents = inOneTurn(readInSteps());
  let available = true;
  const listings = new Map<string, Listing>();
  const record = ({ prices, actions, unread }: Contents, isWhole: boolean): void => {
    const receipt = { feed: FEED, receivedAt: now() };
    // An unreadable file must not withdraw its rows.
    tape.record(prices.takeBars(), receipt, isWhole && unread.length === 0);
    if (actions !== null) tape.recordActions(actions, receipt, isWhole);
  };
  record(contents, true);
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
  const market = createInspectedMarket(tape, listings);
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
        fingerprintOf(folder, csvFiles(folder)) !== contents.fingerprint ||
        contents.unread.some((name) => !('reason' in readIn(folder, name, readFile)));
      const read = changed ? yield* readInSteps() : null;
      // If recording throws, the contents are not used and are read again.
      if (read !== null) record(read, false);
      const withdrawn = withdraw(read ?? contents);
      // Another process may have recorded an operator decision.
      const decided = tape.refresh();
      if (decided || changed || withdrawn) {
        yield* market.inspectInSteps();
        contents = read ?? contents;
        inspected();
      }
      available = true;
      return decided || changed || withdrawn;
    } catch (error) {
      available = false;
      throw error;
    }
  }

  return {
    feed: FEED,
    instruments: [...listings.values()].map((row): Instrument => row.instrument),
    get problems() {
      return [...withoutSignals(listings.values()), ...contents.problems, ...findings];
    },
    get counts() {
      const { rows, used, widened } = contents.prices;
      return { files: contents.files, rows, used, refused: rows - used, widened };
    },
    bars: (symbol) => market.daily(symbol, Number.POSITIVE_INFINITY),
    closedDays: market.closedDays,
    nextClose: market.nextClose,
    fault: forming.fault,
    question: forming.question,
    decide(decision) {
      tape.recordActions([decidedAction(decision)], { feed: OPERATOR, receivedAt: now() });
      market.inspect();
      inspected();
    },
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
  /** Names of the files that could not be read. */
  readonly unread: readonly string[];
}

/** @throws Error with one sentence when the folder has no usable row */
function* readPricesInSteps(folder: string, readFile: typeof readDated, now: number): Steps<Contents> {
  const contents = yield* readFolderInSteps(folder, readFile, now);
  if (contents.prices.symbols.length > 0) return contents;
  const why = contents.problems[0];
  const reason = why === undefined ? 'it has no .csv file' : `${why.file}: ${why.reason}`;
  throw new Error(`there are no prices in ${folder}: ${reason}`);
}

/** Problems for symbols added after the start, which have no instrument yet. */
function addedSince(listings: ReadonlyMap<string, Listing>, prices: PriceFolder): CsvProblem[] {
  const added = prices.symbols.filter((symbol) => !listings.has(symbol)).sort();
  return added.map((symbol) => ({
    ...prices.locationOf(symbol),
    reason: `${symbol} was added while the service runs; it has signals from the next start on`,
  }));
}

/** The CSV files, sorted by name so that equal folders give equal contents. */
function csvFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.toLowerCase().endsWith('.csv'))
      .sort();
  } catch (error) {
    throw new Error(`the price folder ${folder} cannot be read: ${messageOf(error)}`);
  }
}

/** @returns the contents, or the reason why the file cannot be read */
function readIn(folder: string, name: string, readFile: typeof readDated) {
  try {
    return readFile(join(folder, name), MAX_BYTES, 'split it');
  } catch (error) {
    return { reason: `the file cannot be read: ${messageOf(error)}` };
  }
}

function* readFolderInSteps(folder: string, readFile: typeof readDated, now: number): Steps<Contents> {
  const fingerprint = fingerprintOf(folder, csvFiles(folder));
  const actionPrint = fingerprintOf(folder, [ACTION_FILE]);
  const unreadable: CsvProblem[] = [];
  const read = (name: string): { readonly bytes: Uint8Array; readonly writtenAt: number } | null => {
    const found = readIn(folder, name, readFile);
    if (!('reason' in found)) return found;
    unreadable.push({ file: name, line: 0, reason: found.reason });
    return null;
  };
  const names = csvFiles(folder);
  const files = names.filter((name) => name !== INSTRUMENT_FILE && name !== ACTION_FILE);
  const { listings, problems } = readListings(
    names.includes(INSTRUMENT_FILE) ? (read(INSTRUMENT_FILE)?.bytes ?? null) : null,
  );
  const actionFile = names.includes(ACTION_FILE) ? read(ACTION_FILE) : undefined;
  const { actions, problems: actionProblems } = readActionFile(actionFile?.bytes ?? null);
  const calendarOf = (symbol: string): SessionCalendar => (listings.get(symbol) ?? inferListing(symbol)).calendar;
  const prices = new PriceFolder(new RowDates(calendarOf, now));
  const within: [string, Uint8Array][] = [];
  for (const name of files) {
    const file = read(name);
    if (file === null) continue;
    if (isIntraday(file.bytes)) within.push([name, file.bytes]);
    else yield* prices.addInSteps(name, file.bytes, file.writtenAt);
    yield;
  }
  const intraday = new IntradayFolder();
  const daily = new Set(prices.symbols);
  const calendarOfDaily = (symbol: string): SessionCalendar | null => (daily.has(symbol) ? calendarOf(symbol) : null);
  for (const [name, bytes] of within) {
    intraday.add(name, bytes, calendarOfDaily);
    yield;
  }
  return {
    fingerprint,
    actionPrint,
    files: files.length,
    prices,
    intraday,
    listings,
    actions: actionFile === null ? null : actions,
    problems: [...problems, ...actionProblems, ...unreadable, ...prices.problems, ...intraday.problems],
    unread: unreadable.map(({ file }) => file),
  };
}
