// Service, market: a folder of CSV files as a market source: daily and intraday bars. Reads only.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nextClose, type SessionCalendar, sessionClose } from '../../../shared/domain/sessions.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { DAY_MS, dateOf } from '../../../shared/lib/time.ts';
import type { Bar } from '../../engine/types.ts';
import { fingerprintOf, readWhole } from '../../folder-files.ts';
import type { ClosedDay, Instrument, MarketSource } from '../types.ts';
import { INSTRUMENT_FILE, inferListing, type Listing, readListings } from './instruments.ts';
import { IntradayFolder, isIntraday } from './intraday.ts';
import { type CsvProblem, firstAfter, PriceFolder } from './prices.ts';

/** Limit for one file; a larger text may exceed the maximum length of a string. */
const MOST_BYTES = 256 * 1024 * 1024;

export interface CsvCounts {
  readonly files: number;
  readonly rows: number;
  readonly used: number;
  readonly refused: number;
  readonly widened: number;
}

export interface CsvSource extends MarketSource {
  /** All refused rows and unreadable files of the current contents. */
  readonly problems: readonly CsvProblem[];
  readonly counts: CsvCounts;
  /** All bars of a symbol, oldest first; empty for an unknown one. */
  bars(symbol: string): readonly Bar[];
  /**
   * Reads the folder again when a file was added, removed or changed. Instruments stay those of the start.
   * @returns whether anything changed
   * @throws Error with one sentence when the folder is unreadable or has no price; the last contents stay
   */
  refresh(): boolean;
}

/**
 * Opens a folder of price files (`symbol,date,open,high,low,close,volume`) with an optional instruments.csv.
 * @throws Error with one sentence when the folder cannot be read or has no usable row
 */
export function openCsvFolder(folder: string): CsvSource {
  let contents = readPrices(folder);
  let available = true;
  const listings = new Map<string, Listing>();
  for (const symbol of [...contents.prices.bars.keys()].sort()) {
    listings.set(symbol, contents.listings.get(symbol) ?? inferListing(symbol));
  }
  const barsOf = (symbol: string): readonly Bar[] => contents.prices.bars.get(symbol) ?? [];

  return {
    instruments: [...listings.values()].map((row): Instrument => row.instrument),
    get problems() {
      return contents.problems;
    },
    get counts() {
      const { rows, used, widened } = contents.prices;
      return { files: contents.files, rows, used, refused: rows - used, widened };
    },
    bars: barsOf,

    closedDays(after, now) {
      const partialDays = new Map<
        string,
        { at: number; date: string; closesAt: Map<string, number>; bars: Map<string, Bar> }
      >();
      for (const [symbol, { calendar }] of listings) {
        const bars = barsOf(symbol);
        for (let index = firstAfter(bars, after(symbol) ?? ''); index < bars.length; index++) {
          const bar = bars[index] as Bar;
          const at = sessionClose(calendar, bar.date);
          if (at > now) break;
          const key = `${bar.date} ${at}`;
          let part = partialDays.get(key);
          if (part === undefined) {
            part = { at, date: bar.date, closesAt: new Map(), bars: new Map() };
            partialDays.set(key, part);
          }
          part.closesAt.set(symbol, at);
          part.bars.set(symbol, bar);
        }
      }
      return [...partialDays.values()].sort((a, b) => a.at - b.at || (a.date < b.date ? -1 : 1)) satisfies ClosedDay[];
    },

    forming(symbol, now) {
      const listed = listings.get(symbol);
      return listed === undefined ? null : contents.intraday.forming(symbol, listed.calendar, barsOf(symbol), now);
    },

    nextClose(symbol, now) {
      const listed = listings.get(symbol);
      if (listed === undefined) return null;
      const bars = barsOf(symbol);
      // A close after `now` has a date later than two days before `now`, in every calendar.
      const dayBefore = dateOf(now - 2 * DAY_MS);
      for (let index = firstAfter(bars, dayBefore); index < bars.length; index++) {
        const at = sessionClose(listed.calendar, (bars[index] as Bar).date);
        if (at > now) return at;
      }
      return nextClose(listed.calendar, now);
    },

    decisions(symbol, from, to) {
      const listed = listings.get(symbol);
      return listed === undefined ? [] : contents.intraday.decisions(symbol, listed.calendar, barsOf(symbol), from, to);
    },

    available: () => available,

    refresh() {
      // Assigned last, so that it stays false after any failure here.
      available = false;
      const changed = fingerprintOf(folder, csvFiles(folder)) !== contents.fingerprint;
      if (changed) contents = readPrices(folder);
      available = true;
      return changed;
    },
  };
}

interface Contents {
  readonly fingerprint: string;
  readonly files: number;
  readonly prices: PriceFolder;
  readonly intraday: IntradayFolder;
  readonly listings: ReadonlyMap<string, Listing>;
  readonly problems: readonly CsvProblem[];
}

/** @throws Error with one sentence when the folder has no usable row */
function readPrices(folder: string): Contents {
  const contents = readFolder(folder);
  if (contents.prices.bars.size > 0) return contents;
  const why = contents.problems[0];
  const reason = why === undefined ? 'it has no .csv file' : `${why.file}: ${why.reason}`;
  throw new Error(`there are no prices in ${folder}: ${reason}`);
}

/** Price files sorted by name, so that the same folder always gives the same contents. */
function csvFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.toLowerCase().endsWith('.csv'))
      .sort();
  } catch (error) {
    throw new Error(`the price folder ${folder} cannot be read: ${messageOf(error)}`);
  }
}

function readFolder(folder: string): Contents {
  const print = fingerprintOf(folder, csvFiles(folder));
  const prices = new PriceFolder();
  const read = (name: string): Uint8Array | null => {
    try {
      return readWhole(join(folder, name), MOST_BYTES, 'split it');
    } catch (error) {
      prices.problems.push({ file: name, line: 0, reason: `the file cannot be read: ${messageOf(error)}` });
      return null;
    }
  };
  const names = csvFiles(folder);
  const files = names.filter((name) => name !== INSTRUMENT_FILE);
  const { listings, problems } = readListings(names.includes(INSTRUMENT_FILE) ? read(INSTRUMENT_FILE) : null);
  const within: [string, Uint8Array][] = [];
  for (const name of files) {
    const bytes = read(name);
    if (bytes === null) continue;
    if (isIntraday(bytes)) within.push([name, bytes]);
    else prices.add(name, bytes);
  }
  const intraday = new IntradayFolder();
  const calendarOf = (symbol: string): SessionCalendar | null =>
    prices.bars.has(symbol) ? (listings.get(symbol) ?? inferListing(symbol)).calendar : null;
  for (const [name, bytes] of within) intraday.add(name, bytes, calendarOf);
  return {
    fingerprint: print,
    files: files.length,
    prices,
    intraday,
    listings,
    problems: [...problems, ...prices.problems, ...intraday.problems],
  };
}
