// Service: checks a vendor of prices, rule by rule, against what the service relies on.
// It asks the vendor, and records nothing.
import { isOpen, isSession, newYorkDate, sessionClose } from '../shared/domain/sessions.ts';
import type { Clock } from '../shared/lib/clock.ts';
import { messageOf } from '../shared/lib/result.ts';
import { DAY_MS, dateOf, HOUR_MS, MINUTE_MS, SECOND_MS } from '../shared/lib/time.ts';
import { dueClose } from './feed-check.ts';
import { openVendor } from './market/feeds/account.ts';
import { feedNamed } from './market/feeds/feeds.ts';
import type { FeedBar, FeedListing, FeedStep, PriceFeed } from './market/feeds/price-feed.ts';
import type { Outbound } from './network/outbound.ts';

export interface FeedSubject {
  readonly feed: string;
  /** Empty: those that the vendor proposes; the first three are tried. */
  readonly symbols: readonly string[];
  /** Addresses in place of the vendor's own. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly key: string | null;
}

export interface FeedRuleFinding {
  readonly id: string;
  readonly rule: string;
  readonly status: 'green' | 'red' | 'skipped';
  /** Details of the finding; may be empty. */
  readonly detail: string;
}

interface CheckContext {
  readonly feed: PriceFeed;
  readonly listings: readonly FeedListing[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The daily bars of the last forty days. */
  readonly days: readonly FeedBar[];
}
/** null: the rule holds. A text that begins with "skip: " is the reason why it was not checked. */
type Rule = (context: CheckContext) => Promise<string | null> | string | null;

const TRIED = 3;
const BACK_MS = 40 * DAY_MS;
const RULE_LIMIT_MS = 120 * SECOND_MS;
const NO_SYMBOL = 'ZZZZ9';

const textOf = ({ symbol, step, date, start }: FeedBar): string =>
  step === 'day' ? `${symbol} ${date}` : `${symbol} ${new Date(start).toISOString()}`;
const first = (bars: readonly FeedBar[], isWrong: (bar: FeedBar, index: number) => boolean): string | null => {
  const wrong = bars.find(isWrong);
  return wrong === undefined ? null : `${textOf(wrong)}: ${JSON.stringify(wrong)}`;
};

async function barsOf(
  { feed, listings, signal }: CheckContext,
  step: FeedStep,
  from: number,
  to: number,
): Promise<FeedBar[]> {
  const symbols = listings.map(({ symbol }) => symbol);
  const bars: FeedBar[] = [];
  for await (const page of feed.bars({ symbols, step, from, to, priority: 'live' }, signal)) bars.push(...page);
  return bars;
}

const RULES: readonly (readonly [id: string, rule: string, check: Rule])[] = [
  [
    'days-there',
    'Every symbol has closed days',
    ({ listings, days }) => {
      const without = listings.filter(({ symbol }) => !days.some((bar) => bar.symbol === symbol && bar.isClosed));
      return without.length === 0 ? null : `none of ${without.map(({ symbol }) => symbol).join(', ')}`;
    },
  ],
  [
    'days-order',
    'Days come oldest first for each symbol, each once',
    ({ days }) =>
      first(days, (bar, index) =>
        days.slice(0, index).some((one) => one.symbol === bar.symbol && one.date >= bar.date),
      ),
  ],
  [
    'days-sessions',
    'A day is a session of the calendar, and ends with it',
    ({ days, listings }) => {
      const calendars = new Map(listings.map(({ symbol, calendar }) => [symbol, calendar]));
      return first(days, ({ symbol, date, end }) => {
        const calendar = calendars.get(symbol);
        return calendar === undefined || !isSession(calendar, date) || end !== sessionClose(calendar, date);
      });
    },
  ],
  [
    'days-complete',
    'No session is missing between the first and the last day',
    ({ days, listings }) => {
      const holes = listings.flatMap(({ symbol, calendar }) => {
        const dates = days.filter((bar) => bar.symbol === symbol && bar.isClosed).map(({ date }) => date);
        const [from = '', to = ''] = [dates[0], dates.at(-1)];
        const missing: string[] = [];
        for (let at = Date.parse(from); dateOf(at) < to; at += DAY_MS)
          if (isSession(calendar, dateOf(at)) && !dates.includes(dateOf(at))) missing.push(`${symbol} ${dateOf(at)}`);
        return dates.length === 0 ? [] : missing;
      });
      return holes.length === 0 ? null : holes.slice(0, 5).join(', ');
    },
  ],
  [
    'prices-sound',
    'Prices are above zero, and open and close are within the range',
    ({ days }) =>
      first(
        days,
        ({ open, high, low, close }) =>
          low <= 0 || high < low || Math.max(open, close) > high * 1.000_1 || Math.min(open, close) < low * 0.999_9,
      ),
  ],
  [
    'days-final',
    'No day is closed before its close is due',
    ({ days, feed, clock }) =>
      first(days, ({ isClosed, end }) => isClosed && end + feed.offers.closeDelayMs > clock.now()),
  ],
  [
    'days-newest',
    'The newest close that is due is there',
    ({ days, listings, feed, clock }) => {
      const late = listings.filter(({ symbol, calendar }) => {
        const due = dueClose(feed, calendar, clock.now());
        return !days.some((bar) => bar.symbol === symbol && bar.date >= due && bar.isClosed);
      });
      return late.length === 0 ? null : late.map(({ symbol }) => symbol).join(', ');
    },
  ],
  [
    'days-again',
    'The same question has the same answer',
    async (context) => {
      const again = await barsOf(context, 'day', context.clock.now() - BACK_MS, context.clock.now() - 3 * DAY_MS);
      const known = new Map(context.days.map((bar) => [textOf(bar), bar]));
      return first(again, (bar) => known.get(textOf(bar))?.close !== bar.close);
    },
  ],
  [
    'range-kept',
    'Bars start within the range that was asked for',
    async (context) => {
      const [from, to] = [context.clock.now() - 20 * DAY_MS, context.clock.now() - 10 * DAY_MS];
      return first(await barsOf(context, 'day', from, to), ({ start }) => start < from || start >= to);
    },
  ],
  [
    'minutes-sound',
    'Closed minutes are whole minutes that are over',
    async (context) => {
      if (!context.feed.offers.steps.includes('minute')) return 'skip: the feed has no minutes';
      const now = context.clock.now();
      const minutes = await barsOf(context, 'minute', now - HOUR_MS, now);
      if (minutes.length === 0)
        return context.listings.some(({ calendar }) => isOpen(calendar, now - HOUR_MS) && isOpen(calendar, now))
          ? 'there is none of the last hour of an open session'
          : 'skip: no session is open';
      return first(
        minutes,
        ({ start, end, isClosed }) =>
          end - start !== MINUTE_MS || start % MINUTE_MS !== 0 || (isClosed && end > now + 5 * SECOND_MS),
      );
    },
  ],
  [
    'symbol-unknown',
    'A symbol that does not exist is refused with a reason',
    async ({ feed, signal }) => {
      const [answer] = await feed.listings([NO_SYMBOL], signal);
      return answer !== undefined && 'reason' in answer ? null : `${NO_SYMBOL} is listed`;
    },
  ],
  [
    'actions-dated',
    'Splits have a ratio above zero, and a date within the range',
    async ({ feed, listings, clock, signal }) => {
      if (feed.actions === undefined) return 'skip: the feed has no corporate actions';
      const [from, to] = [newYorkDate(clock.now() - 30 * DAY_MS), newYorkDate(clock.now())];
      const symbols = listings.map(({ symbol }) => symbol);
      const found = await feed.actions({ symbols, from, to }, signal);
      const wrong = found.find(
        ({ kind, symbol, factor }) => !symbols.includes(symbol) || (kind === 'split' && !((factor ?? 0) > 0)),
      );
      return wrong === undefined ? null : JSON.stringify(wrong);
    },
  ],
];

/**
 * Checks the rules in order. If key, plan or symbols do not allow access, the first finding says so and no
 * rule follows.
 */
export async function* checkFeedRules(
  { feed: name, symbols, hosts, key }: FeedSubject,
  { clock, outbound }: { readonly clock: Clock; readonly outbound: Outbound },
): AsyncGenerator<FeedRuleFinding> {
  const limited = async <Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> => {
    const late = new AbortController();
    const cancel = clock.after(RULE_LIMIT_MS, () =>
      late.abort(new Error(`no answer within ${RULE_LIMIT_MS / SECOND_MS} s`)),
    );
    return work(late.signal).finally(cancel);
  };
  const access = { id: 'access', rule: 'Key, clock and symbols are accepted' };
  const vendor = feedNamed(name);
  const { feed } = openVendor(vendor, { clock, outbound, hosts, key: () => key });
  let listings: FeedListing[] = [];
  let days: FeedBar[] = [];
  try {
    await limited((signal) => feed.check(signal));
    const named = (symbols.length > 0 ? symbols : vendor.defaultSymbols).slice(0, TRIED);
    const answers = await limited((signal) => feed.listings(named, signal));
    listings = answers.flatMap((one) => ('reason' in one ? [] : [one]));
    if (listings.length === 0) throw new Error('none of the symbols is served; name some with --symbols');
    days = await limited((signal) =>
      barsOf({ feed, listings, clock, signal, days: [] }, 'day', clock.now() - BACK_MS, clock.now()),
    );
    yield { ...access, status: 'green', detail: listings.map(({ symbol }) => symbol).join(' ') };
  } catch (error) {
    yield { ...access, status: 'red', detail: messageOf(error) };
    return;
  }
  for (const [id, rule, check] of RULES) {
    let detail: string | null;
    try {
      detail = await limited(async (signal) => check({ feed, listings, clock, signal, days }));
    } catch (error) {
      detail = messageOf(error);
    }
    if (detail === null) yield { id, rule, status: 'green', detail: '' };
    else if (detail.startsWith('skip: ')) yield { id, rule, status: 'skipped', detail: detail.slice(6) };
    else yield { id, rule, status: 'red', detail };
  }
}
