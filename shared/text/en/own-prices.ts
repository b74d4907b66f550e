// Pure: the English texts of the dialog that adds price files.
import { count } from '../format.ts';
import { firstOf, plural } from './plural.ts';

export const ownPrices = {
  heading: 'Add your own prices',
  why: 'Barograph computes signals from your files, on this computer. It opens as production, in a window of its own.',
  folder: 'Price folder',
  folders: 'Your folders',
  folderHint: '/home/you/prices',
  folderForm: 'Files as vendors and brokers export them. It is watched for new rows.',
  choose: 'Choose files',
  drop: 'Or drop files or a folder here: they are copied into the data folder.',
  copying: (name: string) => `Copying ${name}`,
  leftOut: (names: readonly string[]) =>
    `Not copied, because only .csv, .txt, .tsv, .gz, .zip and .xlsx are read: ${firstOf(names)}.`,
  unread: (name: string, why: string) =>
    `${name} cannot be read: ${why} Close it in other programs, or look at its rights, and drop it again.`,
  formats: 'As they are read',
  fileAndMore: (file: string, more: number) => (more === 0 ? file : `${file} and ${more} more`),
  asRead: (file: string) => `First rows of ${file}`,
  columns: ['Symbol', 'Date', 'Open', 'High', 'Low', 'Close', 'Volume'],
  roles: {
    symbol: 'Symbol',
    date: 'Date',
    time: 'Time, if apart',
    open: 'Open',
    high: 'High',
    low: 'Low',
    close: 'Close',
    volume: 'Volume',
  },
  noColumn: 'None',
  choice: (value: string, means: string) => (means === '' ? value : `${means} (${value})`),
  ask: { symbol: 'Symbol', zone: 'Time zone' },
  answer: 'Use these answers',
  answerWhy: 'These files wait until then. Answers are kept beside them, in mapping.json.',
  editorial: 'Briefings folder (optional)',
  events: 'Folder of what is due (optional)',
  eventsHint: 'Default: events in the price folder',
  editorialForm: 'Markdown files with title, author and date on top. They appear among the briefings.',
  check: 'Check folder',
  checking: 'Reading the folder',
  checkingFolder: (folder: string) => `Reading ${folder}. Many years take a while.`,
  noFolder: 'Enter the full path of a folder, like /home/you/prices.',
  rows: (used: string, rows: string, files: number) =>
    `${used} of ${rows} rows in ${files} ${plural(files, 'file', 'files')} can be read.`,
  symbols: (count: number, list: string) => `${count} ${plural(count, 'symbol', 'symbols')}: ${list}`,
  listed: (most: number) =>
    `The first ${most} are watched. Nothing notifies you of the others before you add them to a watchlist.`,
  due: (folder: string, events: number, files: number) =>
    `What is due: ${count(events)} ${plural(events, 'event', 'events')} from ${files} ${plural(files, 'file', 'files')} in ${folder}.`,
  span: (from: string, to: string) => `${from} to ${to}.`,
  clean: 'No problems found.',
  /** Files whose form is in question; their rows are not used before an answer. */
  waiting: (count: number) =>
    `${count} ${plural(count, 'file is', 'files are')} not read before you answer what ${plural(count, 'it leaves', 'they leave')} open.`,
  /**
   * Number of lines that are not used or that follow missing days; the reason of each line is beside it.
   */
  problems: (count: number) => `${count} ${plural(count, 'line', 'lines')} to check`,
  more: (count: number) => `and ${count} more`,
  location: 'Location',
  reason: 'Why',
  wholeFile: (file: string) => `${file}, whole file`,
  line: (file: string, line: number) => `${file}, line ${line}`,
  old: (youngest: string, oldest: string, days: number) =>
    youngest === oldest
      ? `The newest row is ${youngest} ${plural(days, 'day', 'days')} old.`
      : `The newest rows are ${youngest} to ${oldest} days old.`,
  oldWhy: 'Barograph cannot warn of anything with old prices.',
  replayInstead: 'Replay them instead',
  replay: 'Replay past prices',
  replayWhy: 'Everything is marked REPLAY.',
  from: 'From',
  fromHint: 'YYYY-MM-DD',
  fromWrong: (first: string, last: string) => `A day from ${first} to ${last}, written like 2020-02-14.`,
  speed: 'Speed factor',
  speedWrong: 'A number from 1 to 100,000. 3600 plays an hour in a second.',
  add: 'Add and watch',
  adding: 'The service reads the prices. Many years take a while.',
};
