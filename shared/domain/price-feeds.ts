// Pure: the vendors of live prices that the service inside the app can follow.

/** Without an account. */
export const OPEN_FEEDS = ['binance'] as const;
/** With a key of the user's account. */
export const KEYED_FEEDS = ['alpaca'] as const;
export const APP_FEEDS = [...OPEN_FEEDS, ...KEYED_FEEDS] as const;
export type AppFeed = (typeof APP_FEEDS)[number];
export type KeyedFeed = (typeof KEYED_FEEDS)[number];

export const needsFeedKey = (feed: AppFeed): feed is KeyedFeed => KEYED_FEEDS.some((name) => name === feed);

/** Names of the vendors, as they write them. */
export const FEED_LABELS: Readonly<Record<AppFeed, string>> = { binance: 'Binance', alpaca: 'Alpaca' };

/**
 * What is followed where nobody names symbols. Coins: the largest with five years of prices, stablecoins left out.
 * Shares: what the factors of all others are computed from, as far as it is a share or a fund.
 */
export const FEED_SYMBOLS: Readonly<Record<AppFeed, readonly string[]>> = {
  binance: ['BTC', 'ETH', 'BNB', 'SOL', 'XRP', 'ADA', 'DOGE', 'LTC', 'LINK', 'DOT', 'AVAX', 'BCH'],
  alpaca: [
    'SPY',
    'QQQ',
    'IWM',
    'DIA',
    'XLB',
    'XLE',
    'XLF',
    'XLI',
    'XLK',
    'XLP',
    'XLU',
    'XLV',
    'XLY',
    'TLT',
    'HYG',
    'GLD',
  ],
};

/** What a watchlist calls them. */
export const FEED_SECTIONS: Readonly<Record<AppFeed, string>> = { binance: 'Coins', alpaca: 'Shares and funds' };
