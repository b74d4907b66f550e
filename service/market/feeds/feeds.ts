// Service, market feeds: the vendors of prices, one line each.
import { alpaca } from './alpaca/alpaca.ts';
import { binance } from './binance/binance.ts';
import { HTTP_FILES, httpFiles } from './http-files/http-files.ts';
import { readFileSettings } from './http-files/settings.ts';
import { massive } from './massive/massive.ts';
import type { FeedVendor } from './price-feed.ts';
import { withFiles } from './with-files.ts';

const FEEDS: readonly FeedVendor[] = [binance, alpaca, massive];

export const FEED_NAMES: readonly string[] = [...FEEDS.map(({ name }) => name), HTTP_FILES];

/**
 * @param config file with the settings of price files, which complement any feed; null: none
 * @throws Error with one sentence for an unknown name, or settings that cannot be used
 */
export function feedNamed(name: string, config: string | null = null): FeedVendor {
  if (name === HTTP_FILES) return httpFiles(readFileSettings(config));
  const vendor = FEEDS.find((one) => one.name === name);
  if (vendor === undefined) throw new Error(`There is no feed "${name}". There is ${FEED_NAMES.join(', ')}.`);
  return config === null ? vendor : withFiles(vendor, httpFiles(readFileSettings(config)));
}
