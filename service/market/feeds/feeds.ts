// Service, market feeds: the vendors of prices, one line each.
import { alpaca } from './alpaca/alpaca.ts';
import { binance } from './binance/binance.ts';
import { HTTP_FILES, httpFiles } from './http-files/http-files.ts';
import { readFileSettings } from './http-files/settings.ts';
import type { FeedVendor } from './price-feed.ts';

/** `config`: file with the settings of the vendor; null: none was given. */
const FEEDS: readonly { readonly name: string; readonly open: (config: string | null) => FeedVendor }[] = [
  { name: binance.name, open: without(binance) },
  { name: alpaca.name, open: without(alpaca) },
  { name: HTTP_FILES, open: (config) => httpFiles(readFileSettings(config)) },
];

export const FEED_NAMES: readonly string[] = FEEDS.map(({ name }) => name);

/** @throws Error with one sentence for an unknown name, or settings that cannot be used */
export function feedNamed(name: string, config: string | null = null): FeedVendor {
  const feed = FEEDS.find((one) => one.name === name);
  if (feed === undefined) throw new Error(`There is no feed "${name}". There is ${FEED_NAMES.join(', ')}.`);
  return feed.open(config);
}

function without(vendor: FeedVendor): (config: string | null) => FeedVendor {
  return (config) => {
    if (config !== null) throw new Error(`--feed ${vendor.name} has no settings; leave --feed-config out.`);
    return vendor;
  };
}
