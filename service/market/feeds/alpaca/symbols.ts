// Service, Alpaca: its symbols and their spelling.
import { inferListing } from '../../csv/instruments.ts';
import type { FeedListing, RefusedSymbol } from '../price-feed.ts';
import { shareListing, tickerOf } from '../us-shares.ts';
import type { Asset } from './messages.ts';

const OTHER_CLASSES = {
  index: 'Alpaca has no indices; add a file of their exchange (--feed-config FILE)',
  crypto: 'coins are not taken from Alpaca; --feed binance has them',
  fx: 'Alpaca has no currencies; add a file of a central bank (--feed-config FILE)',
} as const;
const FUND = /\b(ETF|ETN|exchange[- ]traded)\b/i;

/** Infers a listing from the ticker alone. */
export function tickerListing(symbol: string): FeedListing | RefusedSymbol {
  const { assetClass } = inferListing(symbol).instrument;
  if (assetClass === 'index' || assetClass === 'crypto' || assetClass === 'fx')
    return { symbol, reason: OTHER_CLASSES[assetClass] };
  const listing = /^[A-Z0-9]+([.-][A-Z0-9]+)?$/.test(symbol) ? shareListing(symbol) : null;
  return (
    listing ?? {
      symbol,
      reason: `"${symbol.slice(0, 30)}" is no share or fund of the United States; write it as BRK.B`,
    }
  );
}

/** @param asset undefined: Alpaca has no such asset */
export function assetListing(symbol: string, asset: Asset | undefined): FeedListing | RefusedSymbol {
  const listing = tickerListing(symbol);
  if ('reason' in listing) return listing;
  if (asset === undefined) return { symbol, reason: `Alpaca has no share or fund ${tickerOf(symbol)}` };
  if (asset.status !== 'active')
    return {
      symbol,
      reason: `${symbol} is not traded any more (${asset.name}). If it was renamed, name the new symbol`,
    };
  const isNamed = listing.name !== symbol;
  const assetClass = FUND.test(asset.name) ? 'etf' : listing.assetClass;
  return { ...listing, assetClass, name: isNamed ? listing.name : asset.name.slice(0, 100) };
}
