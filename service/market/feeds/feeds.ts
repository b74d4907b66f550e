// Service, market feeds: the vendors of prices, one line each.
import { binance } from './binance/binance.ts';
import type { FeedVendor } from './price-feed.ts';

const FEEDS: readonly FeedVendor[] = [binance];

export const FEED_NAMES: readonly string[] = FEEDS.map(({ name }) => name);

/** @throws Error with one sentence for an unknown name */
export function feedNamed(name: string): FeedVendor {
  const vendor = FEEDS.find((one) => one.name === name);
  if (vendor === undefined) throw new Error(`There is no feed "${name}". There is ${FEED_NAMES.join(', ')}.`);
  return vendor;
}
