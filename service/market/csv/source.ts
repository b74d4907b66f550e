// Service, market: a market source over a folder of CSV files: daily and intraday bars. Read-only.
import { messageOf } from '../../../shared/lib/result.ts';
import type { openDated } from '../../folder-files.ts';
import { inOneTurn, type Steps } from '../../steps.ts';
import type { BarList } from '../bar-series.ts';
import type { CsvProblem } from '../files/table.ts';
import { formingDay } from '../tape/forming-day.ts';
import { type Finding, inspectMarketInSteps } from '../tape/inspected-market.ts';
import type { FeedReceipt } from '../tape/minutes.ts';
import { openTape, type Tape } from '../tape/tape.ts';
import { decidedAction, OPERATOR, type TapeAction } from '../tape/tape-action.ts';
import type { Instrument, MarketSource } from '../types.ts';
import {
  type FolderContents,
  folderFingerprint,
  isReadable,
  MAX_ROWS,
  priceFiles,
  type ReadFile,
  readPricesInSteps,
} from './folder-contents.ts';
import { inferListing, type Listing, withoutExchange, withoutSignals } from './instruments.ts';
import type { PriceFolder } from './prices.ts';

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

export interface CsvSource extends MarketSource {
  /** A folder that cannot be read now; symbols without signals; refused rows, unreadable files and data faults. */
  readonly problems: readonly CsvProblem[];
  /** Symbols of files that were added after the start: they have no instrument before the next start. */
  added(): readonly string[];
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
  const readInSteps = (): Steps<FolderContents> =>
    readPricesInSteps(folder, names(), { open, maxRows, now: isReplay ? 0 : now(), only });
  const receipt = (): FeedReceipt => ({ feed: FEED, receivedAt: now() });
  let contents = yield* readInSteps();
  /** Why the folder cannot be read now, where it cannot. */
  let failure: readonly CsvProblem[] = [];
  const listings = new Map<string, Listing>();
  yield* recordInSteps(tape, contents, receipt(), true);
  for (const symbol of [...tape.bars.keys()].sort())
    listings.set(symbol, contents.listings.get(symbol) ?? inferListing(symbol));
  const withdrawActions = createWithdrawal(tape, receipt, contents.areActionsEnded);
  const market = yield* inspectMarketInSteps(tape, listings);
  const forming = formingDay(listings, market, () => contents.intraday);
  let findings: readonly CsvProblem[] = [];
  const inspected = (): void => {
    const found = market.findings();
    tape.recordFaults(found, receipt());
    findings = [...faultsIn(contents.prices, found), ...addedSince(listings, contents.prices)];
  };
  inspected();

  function* refreshInSteps(): Steps<boolean> {
    try {
      // A file that becomes readable may keep its size and time.
      const changed =
        folderFingerprint(folder, names()) !== contents.fingerprint ||
        contents.unread.some((name) => isReadable(folder, name, open));
      const read = changed ? yield* readInSteps() : null;
      // If recording throws, the contents are not used and are read again.
      if (read !== null) inOneTurn(recordInSteps(tape, read, receipt(), false));
      const withdrawn = withdrawActions(read ?? contents, contents);
      // Another process may have recorded an operator decision.
      const isDecided = tape.refresh();
      if (isDecided || changed || withdrawn) {
        yield* market.inspectInSteps();
        contents = read ?? contents;
        inspected();
      }
      failure = [];
      return isDecided || changed || withdrawn;
    } catch (error) {
      failure = [{ file: folder, line: 0, reason: messageOf(error) }];
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
      return [...failure, ...problemsIn([...listings.values()]), ...contents.problems, ...findings];
    },
    added: () => symbolsSince(listings, contents.prices),
    get counts() {
      return countsOf(contents);
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
    isPolled: true,
    forming: forming.forming,
    lastBar: (symbol, now) => market.daily(symbol, now).at(-1) ?? null,
    decisions: forming.decisions,
    available: () => failure.length === 0,
    refresh: () => inOneTurn(refreshInSteps()),
    refreshInSteps,
  };
}

/**
 * Withdraws actions that actions.csv no longer has once a second poll finds the same file: the first may see it half
 * written, as a start may. @param isDone whether the start withdrew them @returns whether any was
 */
function createWithdrawal(tape: Tape, receipt: () => FeedReceipt, isDone: boolean) {
  return ({ actions, actionPrint }: FolderContents, before: FolderContents): boolean => {
    const isSettled = actionPrint === before.actionPrint;
    const isDue = isSettled && !isDone;
    isDone = isSettled;
    return isDue && actions !== null && tape.recordActions(actions, receipt(), true) > 0;
  };
}

/** @param isStart whether rows and actions that the files lack are withdrawn */
function* recordInSteps(tape: Tape, read: FolderContents, receipt: FeedReceipt, isStart: boolean): Steps<void> {
  const { prices, actions, areActionsEnded, unread, readFiles } = read;
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
  if (actions !== null) tape.recordActions(actions, receipt, isStart && areActionsEnded);
}

/** Problems as a command prints them, one line each. */
export const problemLines = ({ problems }: Pick<CsvSource, 'problems'>): string[] =>
  problems.map(({ file, line, reason }) => `${file}${line === 0 ? '' : `:${line}`}: ${reason}`);

const countsOf = ({ files, prices: { rows, used, widened } }: FolderContents): CsvCounts => ({
  ...{ files, rows, used, widened },
  refused: rows - used,
});

const problemsIn = (all: readonly Listing[]): CsvProblem[] => [...withoutSignals(all), ...withoutExchange(all)];

const faultsIn = (prices: PriceFolder, found: readonly Finding[]): CsvProblem[] =>
  found.map(({ symbol, date, note }) => ({ ...prices.locationOf(symbol, date), reason: note }));

const symbolsSince = (listings: ReadonlyMap<string, Listing>, prices: PriceFolder): string[] =>
  prices.symbols.filter((symbol) => !listings.has(symbol)).sort();

/** Problems for symbols added after the start, which have no instrument yet. */
function addedSince(listings: ReadonlyMap<string, Listing>, prices: PriceFolder): CsvProblem[] {
  return symbolsSince(listings, prices).map((symbol) => ({
    ...prices.locationOf(symbol),
    reason: `${symbol} was added while the service runs; it has signals from the next start on`,
  }));
}
