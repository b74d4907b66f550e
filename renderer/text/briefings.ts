// Renderer: the English texts of the page Briefings; part of en.ts.
import type { BRIEFING_BOXES } from '../../shared/channels/archive.ts';
import type { BriefingType } from '../../shared/wire/briefings.ts';
import type { MarkReadPolicy, ReadingPreferences } from '../store/reading-preferences.ts';
import { count } from './format.ts';

const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);
const types: Readonly<Record<BriefingType, string>> = {
  'pre-market': 'Pre-market',
  midday: 'Midday',
  'after-hours': 'After-hours',
  weekly: 'Weekly',
  transition: 'Transition',
  deep: 'Deep',
};
const boxes: Readonly<Record<(typeof BRIEFING_BOXES)[number], string>> = {
  unread: 'Unread',
  starred: 'Starred',
  later: 'Read later',
  all: 'All',
};
/** By the reasons of markdown/render-result.ts. */
const plainWhy = {
  deep: 'The text is nested too deep to be laid out. It is shown as it was written.',
  large: 'The text has too many parts to be laid out. It is shown as it was written.',
  slow: 'The text could not be laid out within five seconds. It is shown as it was written.',
  broken: 'The text could not be laid out. It is shown as it was written.',
};
const fonts: Readonly<Record<ReadingPreferences['font'], string>> = {
  serif: 'Serif',
  sans: 'Sans',
  hyper: 'Hyperlegible',
};
const pages: Readonly<Record<'dark' | 'sepia' | 'light', string>> = { dark: 'Dark', sepia: 'Sepia', light: 'Light' };
const widths: Readonly<Record<ReadingPreferences['width'], string>> = {
  narrow: 'Narrow',
  medium: 'Medium',
  wide: 'Wide',
};
const leadings: Readonly<Record<ReadingPreferences['leading'], string>> = {
  close: 'Close',
  normal: 'Normal',
  open: 'Open',
};
const markReads: Readonly<Record<MarkReadPolicy, string>> = {
  'at-once': 'At once',
  'on-screen': 'After 4 s on screen',
  'by-hand': 'By hand',
};
const markReadNotes: Readonly<Record<MarkReadPolicy, string>> = {
  'at-once': 'Marked read at once.',
  'on-screen': 'Marked read after 4 s on screen.',
  'by-hand': 'Marked read by hand: M.',
};

export const briefings = {
  badge: (count: number) => `${count} unread`,
  archive: 'Archive',
  filters: 'Boxes and filters',
  boxes,
  types,
  type: 'Type',
  author: 'Author',
  dates: 'Published',
  from: 'From',
  to: 'To',
  symbol: 'Symbol',
  symbolHint: 'SPY',
  badSymbol: 'No symbol: 1 to 15 letters, digits or . ^ = -',
  badDays: { order: 'From is after To.', no_day: 'A day is written 2026-11-21.' },
  clearOne: (what: string) => `${what}, remove this filter`,
  clear: 'Clear filters',
  since: (day: string) => `From ${day}`,
  until: (day: string) => `To ${day}`,

  onDisk: (all: number, textless: number) =>
    textless === 0
      ? `All ${count(all)} are on this disk and can be read offline.`
      : `${count(all - textless)} of ${count(all)} are on this disk and can be read offline; of ${count(textless)} the service has no text.`,
  filling: (done: string, of: string) => `${done} of ${of} are on this disk.`,
  fillingWhat: 'Fetching briefings',
  partly: (count: string) => `${count} are listed; some texts are still to be fetched.`,
  checked: (at: string) => `Checked ${at}.`,
  timesIn: (zone: string) => `Times: ${zone}. Titles are as the service wrote them.`,
  offline: 'No connection to the service: this is what is on this disk.',

  list: 'Briefings',
  search: 'Search briefings',
  searchHint: 'Search',
  hits: (count: string, ms: string) => `${count} ${count === '1' ? 'hit' : 'hits'}, ${ms} ms`,
  counted: (count: string) => count,
  clearSearch: 'Clear the search',
  unread: 'unread',
  starred: 'starred',
  later: 'read later',
  noTextHere: { awaited: 'text not here yet', none: 'no text at the service' },
  minutes: (minutes: number) => `${minutes}\u00a0min`,
  loadingList: 'Reading the archive',
  noList: 'The archive could not be read',
  first: (count: string) => `The first ${count} are listed. Narrow the filters to see others.`,
  emptyArchive: 'No briefings yet',
  emptyArchiveHow: 'The first one appears here when the service publishes it.',
  nothingIn: {
    unread: 'Nothing unread',
    starred: 'Nothing starred',
    later: 'Nothing to read later',
    all: 'No briefings',
  },
  nothingHow: {
    unread: (all: string) => `${all} briefings lie under All.`,
    starred: () => 'F stars the briefing that is open.',
    later: () => 'L keeps the briefing that is open for later.',
    all: () => '',
  },
  noMatch: 'No briefings match',
  hidden: (count: string, filters: number, box: string) =>
    `${count} ${plural(Number(count), 'briefing', 'briefings')} in ${box} ${plural(Number(count), 'is', 'are')} hidden by ${filters === 1 ? 'one filter' : `${filters} filters`}.`,

  pane: 'Reading pane',
  choose: 'Choose a briefing.',
  chooseHow: 'J and K go through the list, Enter goes to the text, Space turns the page.',
  loadingText: 'Fetching the text',
  layingOut: 'Laying out the text',
  textPending: 'The text is not here yet. Space goes on when it is.',
  textMissing: 'This text was not shown. N goes to the next unread.',
  noText: 'This briefing could not be read',
  plainWhy,
  cut: (all: string, shown: string) =>
    `The text has ${all} characters; the first ${shown} are shown. The export holds all of it.`,
  picture: (alt: string, address: string) =>
    `Picture, not loaded${alt === '' ? '' : `: ${alt}`}${address === '' ? '' : ` (${address})`}`,
  table: 'Table',
  code: 'Code',

  star: 'Star',
  keep: 'Later',
  quote: 'Quote',
  quoteTitle: 'Copy the selected words with source and date',
  quoted: 'Copied with source and date.',
  notCopied: 'This window may not write to the clipboard. Select the words and press Ctrl C.',
  markRead: 'Mark read',
  markUnread: 'Mark unread',
  noNext: 'Nothing more is unread here.',
  find: 'Find in this briefing',
  findNext: 'Next',
  findPrevious: 'Previous',
  findCount: (at: number, of: number) => (of === 0 ? 'None' : `${at} of ${of}`),
  findClose: 'Close find',
  settings: 'Text and reading',
  font: 'Font',
  fonts,
  size: 'Size of the text',
  smaller: 'Smaller text',
  larger: 'Larger text',
  smallerLabel: 'A\u2212',
  largerLabel: 'A+',
  page: 'Page',
  pages,
  width: 'Width',
  widths,
  leading: 'Line height',
  leadings,
  markReadWhen: 'Mark read',
  markReads,
  export: 'Export and print',
  markdown: 'Markdown',
  html: 'Web page (HTML)',
  print: 'Print, or save as PDF',
  back: 'List',

  beside: 'Beside the briefing',
  thenNow: 'In this briefing: then, now',
  notKnown: 'not known',
  /** Between the symbol and its state now. */
  thenAndNow: (then: string) => `, then ${then}, now `,
  thenNowName: (symbol: string, then: string, now: string) => `${symbol}, then ${then}, now ${now}`,
  sinceAt: (state: string, at: string) => `${state} ${at}`,
  noSymbols: 'It names no symbols.',
  linked: 'Linked',
  moreLinked: (count: number) => `${count} more`,
  noLinked: 'Nothing near it.',
  turned: (symbol: string, state: string, at: string) => `${symbol} to ${state}, ${at}`,
  reading: 'Reading',
  markReadNotes,
  noRemote: 'No remote images, no scripts.',
  space: 'Space: next page, then next unread.',

  /** Source of a quotation and of an export. */
  sourceLine: (author: string, title: string, at: string, sandbox: boolean) =>
    `${author}, \u201c${title}\u201d, ${at}. ${sandbox ? 'SANDBOX: a simulated market. ' : ''}From Barograph.`,
} as const;
