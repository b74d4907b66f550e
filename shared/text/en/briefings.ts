// Pure: the English texts of the page Briefings.
import type { BriefingType } from '../../wire/briefings.ts';
import { count } from '../format.ts';
import { plural } from './plural.ts';

const types: Readonly<Record<BriefingType, string>> = {
  'pre-market': 'Pre-market',
  midday: 'Midday',
  'after-hours': 'After-hours',
  weekly: 'Weekly',
  transition: 'Transition',
  deep: 'Deep',
};
/** An unknown type keeps the service's name. */
const typeLabel = (type: string): string => {
  if (Object.hasOwn(types, type)) return types[type as BriefingType];
  return type === '' ? 'Other' : `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
};
const boxes = {
  unread: 'Unread',
  starred: 'Starred',
  later: 'Read later',
  all: 'All',
};
/** Texts by reason; markdown/render-result.ts describes the reasons. */
const plainWhy = {
  deep: 'The text is nested too deeply to format. It is shown unformatted.',
  large: 'The text has too many parts to format. It is shown unformatted.',
  slow: 'The text could not be formatted within five seconds. It is shown unformatted.',
  broken: 'The text could not be formatted. It is shown unformatted.',
};
const fonts = {
  serif: 'Serif',
  sans: 'Sans',
  hyper: 'Hyperlegible',
};
const pages: Readonly<Record<'dark' | 'sepia' | 'light', string>> = { dark: 'Dark', sepia: 'Sepia', light: 'Light' };
const widths = {
  narrow: 'Narrow',
  medium: 'Medium',
  wide: 'Wide',
};
const leadings = {
  close: 'Close',
  normal: 'Normal',
  open: 'Open',
};
const markReads = {
  'at-once': 'At once',
  'on-screen': 'After 4 s on screen',
  'by-hand': 'Manually',
};
const markReadNotes = {
  'at-once': 'Marked read at once.',
  'on-screen': 'Marked read after 4 s on screen.',
  'by-hand': 'Press M to mark it read.',
  /** The page opened it. */
  preview: 'Unread until you open it.',
};

export const briefings = {
  archive: 'Archive',
  filters: 'Folders and filters',
  boxes,
  types,
  typeLabel,
  type: 'Type',
  author: 'Author',
  dates: 'Published',
  from: 'From',
  to: 'To',
  symbol: 'Symbol',
  symbolHint: 'SPY',
  badSymbol: 'Not a symbol. Use 1 to 15 letters, digits or . ^ = -',
  badDays: { order: 'From is after To.', no_day: 'Enter a date like 2026-11-21.' },
  clearOne: (what: string) => `${what}, remove this filter`,
  clear: 'Clear filters',
  since: (day: string) => `From ${day}`,
  until: (day: string) => `To ${day}`,

  onDisk: (all: number, textless: number) =>
    textless === 0
      ? `All ${count(all)} are stored here and can be read offline.`
      : `${count(all - textless)} of ${count(all)} are stored here and can be read offline; the service has no text for ${count(textless)}.`,
  filling: (done: string, of: string) => `${done} of ${of} are stored here.`,
  fillingWhat: 'Fetching briefings',
  partly: (count: string) => `${count} are listed; some texts are not downloaded yet.`,
  checked: (at: string) => `Checked ${at}.`,
  timesIn: (zone: string) => `Times: ${zone}. Titles are as the service wrote them.`,

  list: 'Briefings',
  search: 'Search briefings',
  searchHint: 'Search',
  hits: (count: string, ms: string) => `${count} ${count === '1' ? 'hit' : 'hits'}, ${ms} ms`,
  counted: (count: string) => count,
  clearSearch: 'Clear the search',
  unread: 'unread',
  starred: 'starred',
  later: 'read later',
  noTextHere: { awaited: 'text not downloaded yet', none: 'the service has no text' },
  minutes: (minutes: number) => `${minutes}\u00a0min`,
  loadingList: 'Loading the archive',
  noList: 'The archive could not be read',
  first: (count: string) => `The first ${count} are listed. Narrow the filters to see others.`,
  fetching: 'Fetching the briefings',
  fetchingHow: 'The newest are listed here within a minute, once the service has started.',
  emptyArchive: 'No briefings yet',
  emptyArchiveHow: 'The first one appears here when the service publishes it.',
  nothingIn: {
    unread: 'Nothing unread',
    starred: 'Nothing starred',
    later: 'Nothing to read later',
    all: 'No briefings',
  },
  nothingHow: {
    unread: (all: string) => `All has ${all} briefings.`,
    starred: () => 'Press F to star the open briefing.',
    later: () => 'Press L to add the open briefing.',
    all: () => '',
  },
  noMatch: 'No briefings match',
  hidden: (count: string, filters: number, box: string) =>
    `${count} ${plural(Number(count), 'briefing', 'briefings')} in ${box} ${plural(Number(count), 'is', 'are')} hidden by ${filters === 1 ? 'one filter' : `${filters} filters`}.`,

  pane: 'Reading pane',
  laterThanShown: 'This briefing was published after the shown moment.',
  choose: 'Choose a briefing.',
  chooseHow: 'J and K move through the list, Enter opens the text, Space turns the page.',
  loadingText: 'Loading the text',
  layingOut: 'Formatting the text',
  textPending: 'The text is still loading. Press Space again when it is shown.',
  textMissing: 'This text could not be shown. Press N for the next unread briefing.',
  noText: 'This briefing could not be read',
  plainWhy,
  cut: (all: string, shown: string) =>
    `The text has ${all} characters; the first ${shown} are shown. The export contains all of it.`,
  picture: (alt: string, address: string) =>
    `Picture, not loaded${alt === '' ? '' : `: ${alt}`}${address === '' ? '' : ` (${address})`}`,
  table: 'Table',
  code: 'Code',

  star: 'Star',
  keep: 'Later',
  quote: 'Quote',
  quoteTitle: 'Copy the selected text with source and date',
  quoted: 'Copied with source and date.',
  notCopied: 'Clipboard access is blocked. Select the text and press Ctrl C.',
  markRead: 'Mark read',
  markUnread: 'Mark unread',
  markAllRead: (count: number) => `Mark all ${count} read`,
  markListedRead: (count: number) => `Mark these ${count} read`,
  markedAllRead: (count: number) => `${count} ${plural(count, 'briefing', 'briefings')} marked read.`,
  noNext: 'No more unread briefings here.',
  find: 'Find in this briefing',
  findNext: 'Next',
  findPrevious: 'Previous',
  findCount: (at: number, of: number) => (of === 0 ? 'None' : `${at} of ${of}`),
  findClose: 'Close find',
  settings: 'Text and reading',
  font: 'Font',
  fonts,
  size: 'Text size',
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

  beside: 'Briefing details',
  thenNow: 'Its symbols: then, now',
  notKnown: 'not known',
  /** Between the symbol and its state now. */
  thenAndNow: (then: string) => `, then ${then}, now `,
  thenNowName: (symbol: string, then: string, now: string) => `${symbol}, then ${then}, now ${now}`,
  sinceAt: (state: string, at: string) => `${state} ${at}`,
  noSymbols: 'It names no symbols.',
  linked: 'Linked',
  moreLinked: (count: number) => `${count} more`,
  noLinked: 'Nothing linked.',
  turned: (symbol: string, state: string, at: string) => `${symbol} to ${state}, ${at}`,
  reading: 'Reading',
  markReadNotes,
  noRemote: 'No remote images, no scripts.',
  space: 'Space: next page, then next unread.',

  /** Source of a quotation and of an export. */
  sourceLine: (author: string, title: string, at: string, sandbox: boolean) =>
    `${author}, \u201c${title}\u201d, ${at}. ${sandbox ? 'SANDBOX: a simulated market. ' : ''}From Barograph.`,
} as const;
