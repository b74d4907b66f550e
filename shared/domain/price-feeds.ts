// Pure: live prices of real markets that need no account, so that the service inside the app can follow them at once.

export const OPEN_FEEDS = ['binance'] as const;
export type OpenFeed = (typeof OPEN_FEEDS)[number];

/** Names of the vendors, as they write them. */
export const FEED_LABELS: Readonly<Record<OpenFeed, string>> = { binance: 'Binance' };

/** What is followed where nobody names symbols: the largest coins with five years of prices, stablecoins left out. */
export const FEED_SYMBOLS: Readonly<Record<OpenFeed, readonly string[]>> = {
  binance: ['BTC', 'ETH', 'BNB', 'SOL', 'XRP', 'ADA', 'DOGE', 'LTC', 'LINK', 'DOT', 'AVAX', 'BCH'],
};
