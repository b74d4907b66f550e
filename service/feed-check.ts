// Service, command line: `feed-check`: tries key, plan, clock, symbols and prices of a feed.
// Reports each error, its place and its fix. Starts no service and records nothing.
import { Command } from 'commander';
import { isSession, type SessionCalendar, sessionClose } from '../shared/domain/sessions.ts';
import type { Clock } from '../shared/lib/clock.ts';
import { messageOf, ok, type Result } from '../shared/lib/result.ts';
import { DAY_MS, dateOf, SECOND_MS } from '../shared/lib/time.ts';
import { type FeedFlags, withFeedFlags } from './command-line/feed-flags.ts';
import { parseVerb, refusedVerb, type VerbRefusal } from './command-line/parse-verb.ts';
import { openVendor } from './market/feeds/account.ts';
import { FEED_NAMES, feedNamed } from './market/feeds/feeds.ts';
import { FeedError, type FeedListing, type FeedVendor, type PriceFeed } from './market/feeds/price-feed.ts';
import type { Outbound } from './network/outbound.ts';

/** Difference of the clocks from which closes are late. */
const MAX_SKEW_MS = 5 * SECOND_MS;
const LIMIT_MS = 120 * SECOND_MS;
/** Number of symbols whose prices are tried, and of days for each. */
const SYMBOLS_TRIED = 3;
const DAYS_TRIED = 14;

export interface FeedCheck {
  readonly feed: string;
  /** null: none of its own. */
  readonly config: string | null;
  /** Empty: those that the vendor proposes. */
  readonly symbols: readonly string[];
  readonly keyFile: string | null;
  /** Addresses in place of the vendor's own. */
  readonly hosts: Readonly<Record<string, string>>;
}

/** @returns what to try, or the text to print with the exit code */
export function readFeedCheck(argv: readonly string[]): Result<FeedCheck, VerbRefusal> {
  const command = withFeedFlags(new Command('service feed-check')).description(
    'Try a feed of prices: its key, plan, clock, symbols and newest prices',
  );
  const read = parseVerb(command, argv);
  if (!read.ok) return read;
  const flags = command.opts<Partial<FeedFlags>>();
  if (flags.feed == null) return refusedVerb(`feed-check needs --feed NAME: one of ${FEED_NAMES.join(', ')}`);
  return ok({
    feed: flags.feed,
    config: flags.feedConfig ?? null,
    symbols: flags.feedSymbols ?? [],
    keyFile: flags.feedKeyFile ?? null,
    hosts: flags.feedHost ?? {},
  });
}

export interface FeedCheckDeps {
  readonly clock: Clock;
  readonly outbound: Outbound;
  readonly key: string | null;
}

/** The result of one check. */
export interface FeedFinding {
  readonly of: 'feed' | 'key' | 'clock' | 'symbols' | 'prices';
  readonly isRight: boolean;
  /** The error, its place, and its fix. */
  readonly text: string;
}

/** As the command prints it, without the end of the line. */
export const findingLine = ({ of, isRight, text }: FeedFinding): string =>
  `${isRight ? 'ok    ' : 'WRONG '} ${of.padEnd(8)} ${text}`;

const right = (of: FeedFinding['of'], text: string): FeedFinding => ({ of, isRight: true, text });
const wrong = (of: FeedFinding['of'], text: string): FeedFinding => ({ of, isRight: false, text });

/** Runs the checks in order; the first ones decide whether the others run. */
export async function* checkFeed(
  { feed, config, symbols, hosts }: Omit<FeedCheck, 'keyFile'>,
  { key, ...deps }: FeedCheckDeps,
): AsyncGenerator<FeedFinding> {
  const late = new AbortController();
  const cancel = deps.clock.after(LIMIT_MS, () => late.abort(new Error(`no answer within ${LIMIT_MS / SECOND_MS} s`)));
  try {
    const vendor = feedNamed(feed, config);
    const { feed: opened } = openVendor(vendor, { ...deps, key: () => key, hosts });
    yield* tryFeed(vendor, opened, symbols, deps.clock, late.signal);
  } catch (error) {
    // A FeedError names the error, its place and its fix; other errors come from the settings.
    const isPassing = error instanceof FeedError && error.kind === 'retry';
    for (const line of messageOf(error).split('\n')) yield wrong('feed', isPassing ? `${line} Try again later.` : line);
  } finally {
    cancel();
  }
}

async function* tryFeed(
  vendor: FeedVendor,
  feed: PriceFeed,
  symbols: readonly string[],
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<FeedFinding> {
  const account = vendor.needsKey ? 'key' : 'feed';
  const check = await feed.check(signal).catch((error: unknown) => {
    if (error instanceof FeedError && error.kind === 'fatal') return error;
    throw error;
  });
  if (check instanceof FeedError) {
    yield wrong(account, check.message);
    return;
  }
  yield right(account, check.plan === null ? `${vendor.name} answers` : `${vendor.name} answers; plan: ${check.plan}`);
  const skew = Math.abs(check.clockSkewMs) / SECOND_MS;
  const time = `its clock is ${skew.toFixed(1)} s ${check.clockSkewMs > 0 ? 'ahead of' : 'behind'} this computer's`;
  if (skew * SECOND_MS <= MAX_SKEW_MS) yield right('clock', time);
  else yield wrong('clock', `${time}. Let this computer set its clock by the network, or closes come late.`);
  for (const note of check.notes ?? []) yield wrong('prices', note);
  const named = symbols.length > 0 ? symbols : vendor.defaultSymbols;
  const listed: FeedListing[] = [];
  for (const one of await feed.listings(named, signal))
    if ('reason' in one) yield wrong('symbols', `${one.symbol}: ${one.reason}.`);
    else listed.push(one);
  if (listed.length > 0) yield right('symbols', `${listed.length} of ${named.length}: ${shortList(listed)}`);
  for (const one of listed.slice(0, SYMBOLS_TRIED)) {
    const newest = await newestClose(feed, one, clock.now(), signal);
    yield 'problem' in newest ? wrong('prices', newest.problem) : right('prices', newest.text);
  }
}

const shortList = (listed: readonly FeedListing[]): string => {
  const names = listed.map(({ symbol }) => symbol);
  return names.length > 12 ? `${names.slice(0, 12).join(' ')} ...` : names.join(' ');
};

async function newestClose(
  feed: PriceFeed,
  { symbol, calendar }: FeedListing,
  now: number,
  signal: AbortSignal,
): Promise<{ text: string } | { problem: string }> {
  let newest = { date: '', close: 0 };
  const request = {
    symbols: [symbol],
    step: 'day',
    from: now - DAYS_TRIED * DAY_MS,
    to: now,
    priority: 'live',
  } as const;
  for await (const page of feed.bars(request, signal))
    for (const { date, close, isClosed } of page) if (isClosed && date > newest.date) newest = { date, close };
  const due = dueClose(feed, calendar, now);
  if (newest.date >= due) return { text: `${symbol} closed at ${newest.close} on ${newest.date}` };
  const known = newest.date === '' ? `there is none of the last ${DAYS_TRIED} days` : `the newest is of ${newest.date}`;
  return {
    problem: `${symbol}: the close of ${due} is due, and ${known}. Is the symbol still traded? The vendor may also be late: try again in an hour.`,
  };
}

/** Session date of the newest close that the feed must have. */
export function dueClose(feed: PriceFeed, calendar: SessionCalendar, now: number): string {
  let date = dateOf(now);
  for (let at = now; !isSession(calendar, date) || sessionClose(calendar, date) + feed.offers.closeDelayMs > now; ) {
    at -= DAY_MS;
    date = dateOf(at);
  }
  return date;
}
