// Service, market feeds: opens a feed with its market and tape, live or from the record.
import type { Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import type { Logger } from '../../logger.ts';
import type { Outbound } from '../../network/outbound.ts';
import { createFolderPoll } from '../csv/folder-poll.ts';
import { openCsvFolder } from '../csv/source.ts';
import { openTape, readTape, type Tape } from '../tape/tape.ts';
import type { TapeDatabase } from '../tape/tape-database.ts';
import type { AnnouncedActions, MarketSource } from '../types.ts';
import { openVendor } from './account.ts';
import { createFeedMarket, type FeedStatus } from './feed-market.ts';
import type { FeedReport, FollowedFeed } from './feed-report.ts';
import { FeedSupervisor } from './feed-supervisor.ts';
import { feedNamed } from './feeds.ts';
import { AHEAD_MS } from './follow-actions.ts';
import type { FeedListing, FeedVendor } from './price-feed.ts';
import { repeatedStatus, writtenStatus } from './shared-status.ts';

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

/** How the nodes of a cluster share the prices of a feed: the leader records them, the others follow its rows. */
export interface SharedFeed {
  readonly tape: TapeDatabase;
  leads(): boolean;
  /** Tells the other nodes to use the rows recorded so far. @throws the error of the store */
  published(): void;
  /** What the leader said last about the feed; null: nothing yet. */
  status(): string | null;
  /** @throws the error of the store */
  writeStatus(text: string): void;
}

export interface FeedOptions {
  /** Default: the one that the configuration names. */
  readonly vendor?: FeedVendor;
  /** Path of the tape, or the tape of a cluster. */
  readonly tape: string | SharedFeed;
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
  /**
   * Starts the feed; resolves when every symbol is up to date, or after a time limit. On a node that does not
   * lead it does nothing.
   */
  start(): Promise<void>;
  /** Begins to record as the new leader. */
  lead(): void;
  /** Takes the leader's new rows. @param isPublished whether its bars and actions are used from now on */
  follow(isPublished: boolean): void;
  /** Reads the operator's new decisions and a changed key; on a leader, tells the others how the feed is. */
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
  const vendor = options.vendor ?? feedNamed(feed, config);
  const listings = listingsOf(vendor, symbols, onNotice);
  const shared = typeof options.tape === 'string' ? null : options.tape;
  const records = (): boolean => shared?.leads() ?? true;
  const repeated = repeatedStatus(() => shared?.status() ?? null);
  const tape = openTape(typeof options.tape === 'string' ? options.tape : options.tape.tape);
  const opened = openVendor(vendor, { outbound, clock, hosts, key });
  const files = compare === null ? null : openCsvFolder(compare);
  const record = createFeedMarket({
    ...{ feed, listings, tape, clock, onDisagreement: onNotice },
    ...(files === null ? {} : { second: { name: 'the price files', bars: files.bars } }),
    ...(shared === null
      ? {}
      : { sharing: { ...shared, nameOf: (symbol) => (records() ? null : repeated.name(symbol)) } }),
  });
  const supervisor = new FeedSupervisor({
    ...{ name: feed, feed: opened.feed, listings, record, clock, logger, random, onNotice },
  });
  const comparison = files === null ? null : createFolderPoll(files, logger, record.compare);
  let usedKey = key();
  const isNew = listings.some(({ symbol }) => !record.known(symbol).hasHistory);
  const ownReport = (): FeedReport => ({ ...supervisor.report(), budgets: opened.budgets() });
  let isStarted = false;
  const begin = (): void => {
    if (isStarted) return;
    isStarted = true;
    try {
      // Of a former leader some rows may be recorded and not used yet.
      record.refresh();
    } finally {
      supervisor.start();
    }
  };
  const writeStatus = createStatusWriter(shared, () =>
    writtenStatus({ status: supervisor, report: ownReport(), names: record.names() }, clock.now()),
  );
  const refresh = loggingOnce(logger, feed, () => {
    // Taking the lead may have failed before the feed was begun.
    if (shared !== null) begin();
    record.refresh();
    writeStatus();
  });
  const known = (): Required<FeedStatus> => (records() ? supervisor : repeated);
  const status: FeedStatus = {
    health: (symbol, now) => known().health(symbol, now),
    overdueAt: (symbol, now) => known().overdueAt(symbol, now),
    available: () => known().available(),
  };
  return {
    market: {
      ...record.market(status),
      ...(opened.feed.actions === undefined ? {} : { announced: () => announced(feed, tape, status.available()) }),
    },
    symbols: listings.map(({ symbol }) => symbol),
    followed: {
      report: () => (records() ? ownReport() : (repeated.report() ?? ownReport())),
      stopHistory: (isStopped) => supervisor.history.set(isStopped),
    },
    start() {
      if (!records()) return Promise.resolve();
      begin();
      return supervisor.caughtUp(isNew ? FIRST_WAIT_MS : NEXT_WAIT_MS);
    },
    lead: begin,
    follow(isPublished) {
      record.followMinutes();
      if (isPublished) record.refresh();
    },
    refresh() {
      if (!records()) return;
      refresh();
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

/** @returns a function that tells the other nodes how the feed is, where that has changed */
function createStatusWriter(
  shared: Pick<SharedFeed, 'writeStatus'> | null,
  statusNow: () => ReturnType<typeof writtenStatus>,
): () => void {
  let writtenKey = '';
  return () => {
    if (shared === null) return;
    const { text, key } = statusNow();
    if (key !== writtenKey) shared.writeStatus(text);
    writtenKey = key;
  };
}

/** What a store refuses now is written at a later turn; an error is logged once until a turn succeeds. */
function loggingOnce(logger: Logger, feed: string, work: () => void): () => void {
  let lastError = '';
  return () => {
    try {
      work();
      lastError = '';
    } catch (failure) {
      const error = messageOf(failure);
      if (error !== lastError) logger.warn({ feed, error }, 'the tape of the feed cannot be written now; retrying');
      lastError = error;
    }
  };
}

const announced = (name: string, tape: Tape, isAvailable: boolean): AnnouncedActions => ({
  name,
  error: isAvailable ? null : 'it is not followed; GET /feeds says why',
  aheadMs: AHEAD_MS,
  actions: tape.actionsOf(name),
});

/**
 * Opens the prices that a feed has recorded so far.
 * @param tape path of its file, or of the copy of a store that has one
 */
export function openFeedTape({ feed, symbols, config = null, tape: file }: FeedConfig & { readonly tape: string }) {
  const tape = readTape(file);
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
