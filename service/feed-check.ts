// Service, command line: `feed-check`: tries key, plan, clock, symbols and prices of a feed, and says what is wrong, where
// and how to mend it. No service is started, and nothing is recorded.
import { Command, CommanderError } from 'commander';
import { isSession, sessionClose } from '../shared/domain/sessions.ts';
import type { Clock } from '../shared/lib/clock.ts';
import { err, messageOf, ok, type Result } from '../shared/lib/result.ts';
import { DAY_MS, dateOf, SECOND_MS } from '../shared/lib/time.ts';
import { type FeedFlags, withFeedFlags } from './feed-flags.ts';
import { openVendor } from './market/feeds/account.ts';
import { FEED_NAMES, feedNamed } from './market/feeds/feeds.ts';
import { FeedError, type FeedListing, type PriceFeed } from './market/feeds/price-feed.ts';

/** A difference of the clocks by which a close is late. */
const MOST_SKEW_MS = 5 * SECOND_MS;
const LIMIT_MS = 120 * SECOND_MS;
/** Prices of so many symbols are tried, each of so many days. */
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
export function readFeedCheck(argv: readonly string[]): Result<FeedCheck, { text: string; exitCode: number }> {
  let printed = '';
  const command = withFeedFlags(new Command('service feed-check'))
    .description('Try a feed of prices: its key, plan, clock, symbols and newest prices')
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({
      writeOut(text) {
        printed += text;
      },
      writeErr: () => undefined,
    });
  try {
    command.parse(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return err({ text: printed, exitCode: 0 });
    return err({ text: `${messageOf(error).replace(/^error: /, '')}\n`, exitCode: 2 });
  }
  const flags = command.opts<Partial<FeedFlags>>();
  if (flags.feed == null)
    return err({ text: `feed-check needs --feed NAME: one of ${FEED_NAMES.join(', ')}\n`, exitCode: 2 });
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
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly key: string | null;
  /** One line of the result. */
  readonly say: (line: string) => void;
}

/** @returns whether everything is right */
export async function checkFeed(
  { feed, config, symbols, hosts }: FeedCheck,
  { say, ...deps }: FeedCheckDeps,
): Promise<boolean> {
  let isRight = true;
  const right = (what: string, text: string): void => say(`ok     ${what.padEnd(8)} ${text}`);
  const wrong = (what: string, text: string): void => {
    isRight = false;
    for (const line of text.split('\n')) say(`WRONG  ${what.padEnd(8)} ${line}`);
  };
  const late = new AbortController();
  const cancel = deps.clock.after(LIMIT_MS, () => late.abort(new Error(`no answer within ${LIMIT_MS / SECOND_MS} s`)));
  const { signal } = late;
  try {
    const vendor = feedNamed(feed, config);
    const opened = openVendor(vendor, { ...deps, hosts });
    const check = await opened.check(signal);
    if (!check.ok) {
      wrong(vendor.needsKey ? 'key' : 'feed', check.reason);
      return false;
    }
    right(vendor.needsKey ? 'key' : 'feed', check.plan === null ? `${feed} answers` : `${feed} answers; plan: ${check.plan}`); // biome-ignore format: one line
    const skew = Math.abs(check.clockSkewMs) / SECOND_MS;
    const clock = `${skew.toFixed(1)} s ${check.clockSkewMs > 0 ? 'ahead of' : 'behind'} this computer's`;
    if (skew * SECOND_MS <= MOST_SKEW_MS) right('clock', `its clock is ${clock}`);
    else wrong('clock', `its clock is ${clock}. Let this computer set its clock by the network, or closes come late.`);
    for (const note of check.notes ?? []) wrong('prices', note);
    const named = symbols.length > 0 ? symbols : vendor.defaultSymbols;
    const listed: FeedListing[] = [];
    for (const one of await opened.listings(named, signal))
      if ('reason' in one) wrong('symbols', `${one.symbol}: ${one.reason}.`);
      else listed.push(one);
    if (listed.length > 0) right('symbols', `${listed.length} of ${named.length}: ${shortList(listed)}`);
    for (const one of listed.slice(0, SYMBOLS_TRIED)) {
      const newest = await newestClose(opened, one, deps.clock.now(), signal);
      if ('problem' in newest) wrong('prices', newest.problem);
      else right('prices', newest.text);
    }
  } catch (error) {
    // A FeedError says what, where and how to mend it; others come from the settings.
    wrong('feed', error instanceof FeedError && error.kind === 'retry' ? `${error.message} Try again later.` : messageOf(error)); // biome-ignore format: one line
  } finally {
    cancel();
  }
  return isRight;
}

const shortList = (listed: readonly FeedListing[]): string => {
  const first = listed.slice(0, 12).map(({ symbol }) => symbol).join(' '); // biome-ignore format: one line
  return listed.length > 12 ? `${first} ...` : first;
};

async function newestClose(
  feed: PriceFeed,
  { symbol, calendar }: FeedListing,
  now: number,
  signal: AbortSignal,
): Promise<{ text: string } | { problem: string }> {
  let newest = { date: '', close: 0 };
  const request = { symbols: [symbol], step: 'day', from: now - DAYS_TRIED * DAY_MS, to: now, priority: 'live' } as const; // biome-ignore format: one line
  for await (const page of feed.bars(request, signal))
    for (const { date, close, isClosed } of page) if (isClosed && date > newest.date) newest = { date, close };
  let due = dateOf(now);
  for (let at = now; !isSession(calendar, due) || sessionClose(calendar, due) + feed.offers.closeDelayMs > now; at -= DAY_MS) due = dateOf(at); // biome-ignore format: one line
  if (newest.date >= due) return { text: `${symbol} closed at ${newest.close} on ${newest.date}` };
  const known = newest.date === '' ? `there is none of the last ${DAYS_TRIED} days` : `the newest is of ${newest.date}`;
  return { problem: `${symbol}: the close of ${due} is due, and ${known}. Is the symbol still traded? The vendor may also be late: try again in an hour.` }; // biome-ignore format: one line
}
