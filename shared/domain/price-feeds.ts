// Pure: the vendors of live prices that the service inside the app can follow.

/** Vendors that need no account. */
export const OPEN_FEEDS = ['binance'] as const;
/** Vendors that need the key of a user's account. */
export const KEYED_FEEDS = ['alpaca'] as const;
export const APP_FEEDS = [...OPEN_FEEDS, ...KEYED_FEEDS] as const;
export type AppFeed = (typeof APP_FEEDS)[number];
export type KeyedFeed = (typeof KEYED_FEEDS)[number];

export const needsFeedKey = (feed: AppFeed): feed is KeyedFeed => KEYED_FEEDS.some((name) => name === feed);

/** Brand names of the vendors. */
export const FEED_LABELS: Readonly<Record<AppFeed, string>> = { binance: 'Binance', alpaca: 'Alpaca' };

/**
 * Default symbols. Coins: the largest with five years of prices, without stablecoins. Shares: the shares and
 * funds from which the factors of all other symbols are computed.
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

/** Labels for a watchlist. */
export const FEED_SECTIONS: Readonly<Record<AppFeed, string>> = { binance: 'Coins', alpaca: 'Shares and funds' };
