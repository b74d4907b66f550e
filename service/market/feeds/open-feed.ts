// Service, market feeds: opens a feed with its market and tape, live or from the record.
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Logger } from '../../logger.ts';
import type { Outbound } from '../../network/outbound.ts';
import { createFolderPoll } from '../csv/folder-poll.ts';
import { openCsvFolder } from '../csv/source.ts';
import { openTape } from '../tape/tape.ts';
import type { MarketSource } from '../types.ts';
import { openVendor } from './account.ts';
import { createFeedMarket } from './feed-market.ts';
import type { FollowedFeed } from './feed-report.ts';
import { FeedSupervisor } from './feed-supervisor.ts';
import { feedNamed } from './feeds.ts';
import type { FeedListing, FeedVendor } from './price-feed.ts';

export interface FeedConfig {
  readonly feed: string;
  /** Symbols to follow; empty: the vendor's default symbols. */
  readonly symbols: readonly string[];
  /** File with the settings of price files; null: none. */
  readonly config?: string | null;
  /** Folder of price files to compare with the feed; null: none. */
  readonly compare?: string | null;
  /** Addresses in place of the vendor's own. */
  readonly hosts?: Readonly<Record<string, string>>;
}

export interface FeedOptions {
  readonly tape: string;
  /** The current key. A feed without a needed key reports it missing, and begins once the key comes. */
  readonly key: () => string | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  readonly outbound: Outbound;
  readonly onNotice: (text: string) => void;
}

export interface OpenFeed {
  readonly market: MarketSource;
  /** The followed symbols. */
  readonly symbols: readonly string[];
  readonly followed: FollowedFeed;
  /** Starts the feed; resolves when every symbol is up to date, or after a time limit. */
  start(): Promise<void>;
  /** Reads the operator's new decisions and a changed key. */
  refresh(): void;
  close(): Promise<void>;
}

/** Longest wait of a start for prices, ms: with missing history, and with missing hours only. */
const FIRST_WAIT_MS = 30_000;
const NEXT_WAIT_MS = 8_000;

/**
 * @throws Error with one sentence for an unknown feed, a missing key, or a list without a usable symbol;
 *   StoreError
 */
export function openFeed(given: FeedConfig, options: FeedOptions): OpenFeed {
  const { feed, symbols, hosts = {}, config = null, compare = null } = given;
  const { clock, logger, random, onNotice, key, outbound } = options;
  const vendor = feedNamed(feed, config);
  const listings = listingsOf(vendor, symbols, onNotice);
  const tape = openTape(options.tape);
  const opened = openVendor(vendor, { outbound, clock, hosts, key });
  const files = compare === null ? null : openCsvFolder(compare);
  const record = createFeedMarket({
    ...{ feed, listings, tape, clock, onDisagreement: onNotice },
    ...(files === null ? {} : { second: { name: 'the price files', bars: files.bars } }),
  });
  const supervisor = new FeedSupervisor({
    ...{ name: feed, feed: opened.feed, listings, record, clock, logger, random, onNotice },
  });
  const comparison = files === null ? null : createFolderPoll(files, logger, record.compare);
  let usedKey = key();
  const isNew = listings.some(({ symbol }) => !record.known(symbol).hasHistory);
  return {
    market: record.market(supervisor),
    symbols: listings.map(({ symbol }) => symbol),
    followed: {
      report: () => ({ ...supervisor.report(), budgets: opened.budgets() }),
      stopHistory: (isStopped) => supervisor.history.set(isStopped),
    },
    start() {
      supervisor.start();
      return supervisor.caughtUp(isNew ? FIRST_WAIT_MS : NEXT_WAIT_MS);
    },
    refresh() {
      record.refresh();
      comparison?.poll();
      if (key() === usedKey) return;
      usedKey = key();
      supervisor.restart();
    },
    async close() {
      comparison?.stop();
      await supervisor.close();
      tape.close();
    },
  };
}

/** Opens the prices that a feed has recorded so far. */
export function openFeedTape({ feed, symbols, config = null, tape: file }: FeedConfig & { readonly tape: string }) {
  const tape = openTape(file);
  const listings = listingsOf(feedNamed(feed, config), symbols, () => undefined);
  const status = { health: () => null, available: () => true };
  const clock = { now: () => Number.MAX_SAFE_INTEGER, after: () => () => undefined };
  const record = createFeedMarket({ feed, listings, tape, clock });
  return { source: record.market(status), close: () => tape.close() };
}

/** @throws Error with one sentence if the vendor serves none of the symbols */
function listingsOf(vendor: FeedVendor, symbols: readonly string[], onNotice: (text: string) => void): FeedListing[] {
  const named = [...new Set(symbols.length > 0 ? symbols : vendor.defaultSymbols)];
  if (named.length === 0)
    throw new Error(`The feed ${vendor.name} needs symbols: give --feed-symbols SPY,QQQ or a file.`);
  const listings: FeedListing[] = [];
  let refusal = '';
  for (const one of named.map((symbol) => vendor.listing(symbol))) {
    if (!('reason' in one)) listings.push(one);
    else {
      refusal = one.reason;
      onNotice(`${one.symbol} is left out: ${one.reason}.`);
    }
  }
  if (listings.length === 0) throw new Error(`The feed ${vendor.name} has none of the symbols: ${refusal}.`);
  return listings.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
}
