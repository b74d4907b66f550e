// Service, Binance: maps coins (BTC) to the exchange's pairs (BTCUSDT).
// Quotes are in USDT unless the symbol names another currency: BTC-EUR.
import { isSymbol } from '../../../../shared/domain/instruments.ts';
import { FEED_SYMBOLS } from '../../../../shared/domain/price-feeds.ts';
import type { FeedListing, RefusedSymbol } from '../price-feed.ts';

const QUOTE = 'USDT';

export const DEFAULT_COINS = FEED_SYMBOLS.binance;

const NAMES: Readonly<Record<string, string>> = {
  BTC: 'Bitcoin',
  ETH: 'Ether',
  BNB: 'BNB',
  SOL: 'Solana',
  XRP: 'XRP',
  ADA: 'Cardano',
  DOGE: 'Dogecoin',
  LTC: 'Litecoin',
  LINK: 'Chainlink',
  DOT: 'Polkadot',
  AVAX: 'Avalanche',
  BCH: 'Bitcoin Cash',
};

/** BTCUSDT for "BTC", BTCEUR for "BTC-EUR"; accepts the exchange's own pairs. */
export function pairOf(symbol: string): string {
  if (symbol.includes('-')) return symbol.replace('-', '');
  return /^[A-Z0-9]{2,}(USDT|USDC|FDUSD)$/.test(symbol) ? symbol : `${symbol}${QUOTE}`;
}

export function coinListing(symbol: string): FeedListing | RefusedSymbol {
  if (!isSymbol(symbol) || !/^[A-Z0-9]+(-[A-Z0-9]+)?$/.test(symbol))
    return { symbol, reason: `"${symbol.slice(0, 30)}" is no coin; write it as BTC, or BTC-EUR` };
  const [coin = '', quote] = symbol.split('-');
  const name = NAMES[coin] ?? coin;
  return { symbol, name: quote === undefined ? name : `${name} in ${quote}`, assetClass: 'crypto', calendar: 'always' };
}
