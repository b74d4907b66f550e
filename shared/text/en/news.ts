// Pure: the English texts of the page News, and of external links.
import type { SENTIMENT_LABELS } from '../../wire/news.ts';
import { plural } from './plural.ts';

const sentiments: Readonly<Record<(typeof SENTIMENT_LABELS)[number], string>> = {
  negative: 'Negative',
  neutral: 'Neutral',
  positive: 'Positive',
};

export const news = {
  heading: 'News',
  filters: 'Filters',
  search: 'Search news',
  searchHint: 'Search',
  count: (count: string) => `${count} ${count === '1' ? 'item' : 'items'}`,
  sentiment: 'Sentiment',
  symbol: 'Symbol',
  from: 'From',
  to: 'To',
  clear: 'Clear filters',
  first: (count: string) => `The first ${count} are listed. Narrow the filters to see others.`,
  readOriginal: (source: string) => `Read it at ${source}`,
  listed: 'News items',
  loadingItem: 'Loading the item',
  anySentiment: 'All',
  sentiments,
  sentimentNotKnown: 'not known',
  source: 'Source',
  anySource: 'Every source',
  time: 'Time',
  timeNotKnown: 'not known',
  timeNotGiven: 'Time not given',
  headline: 'Headline',
  symbols: 'Symbols',
  loading: 'Loading the news',
  failed: 'The news could not be loaded',
  empty: 'No news yet',
  emptyHow: 'The first item appears here when the service publishes it.',
  none: 'No news',
  pricesAlone: 'This profile has prices alone. They come without news.',
  noMatch: 'No news match',
  hidden: (count: string, filters: number) =>
    `${count} ${plural(Number(count), 'item is', 'items are')} hidden by ${filters === 1 ? 'one filter' : `${filters} filters`}.`,
  detail: 'News item',
  noSummary: 'No summary provided.',
  sentimentNote: 'Computed from headline and summary. It filters this list and affects no signal.',
  itsSymbols: 'Symbols now',
  notWatched: 'not watched',
  /** Between a symbol and its state. */
  now: ', now ',
  noNewer: (why: string) => `No newer items are received. ${why}`,
  beyond: 'This item is older than those that are listed. Set From and To around its day to open it.',
  gone: 'This item is no longer stored on this computer.',
  filteredOut: 'The item that was open is hidden by the filters.',

  // External links.
  opensOutside: (host: string) => `${host}, opens in your browser`,
  ask: 'Open in your browser?',
  askWhy: (host: string) => `This link leaves Barograph and opens ${host}. Its content is not from Barograph.`,
  once: 'Open once',
  always: (host: string) => `Always open ${host}`,
  cancel: 'Cancel',
  notHttps: 'Not opened: the address does not begin with https.',
} as const;
