// Service, market feeds: fetches corporate actions: hourly, and at once for a price in question.
import type { Clock } from '../../../shared/lib/clock.ts';
import { pause } from '../../../shared/lib/pause.ts';
import { DAY_MS, dateOf, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/lib/time.ts';
import { never } from '../../../shared/lib/until-aborted.ts';
import type { FeedRecord } from './feed-market.ts';
import { HISTORY_MS } from './missing-ranges.ts';
import type { PriceFeed } from './price-feed.ts';
import { createRetrying, type RetryDeps, untilDone } from './retrying.ts';

const EVERY_MS = HOUR_MS;
/** Interval while a price is in question: the vendor may publish the action late. */
const UNEXPLAINED_EVERY_MS = 5 * MINUTE_MS;
const LOOK_EVERY_MS = 5 * SECOND_MS;
/** Age of actions fetched again: a vendor may publish or correct one late. */
const BACK_MS = 30 * DAY_MS;
/** How far ahead actions are fetched, as far as the vendor knows them. */
export const AHEAD_MS = 7 * DAY_MS;
/** Failures of an otherwise answering vendor after which prices are used without actions. */
const MAX_REFUSALS = 3;

export interface FollowActionsDeps extends RetryDeps {
  readonly clock: Clock;
  readonly feed: PriceFeed;
  readonly record: Pick<FeedRecord, 'recordActions' | 'questioned'>;
  readonly symbols: readonly string[];
}

/**
 * Fetches the actions around the present. Await it before using a price: an unknown dividend looks like a
 * fall.
 * @throws FeedError that is fatal, or the signal's reason
 */
export async function askPresentActions(deps: FollowActionsDeps, signal: AbortSignal): Promise<void> {
  const { clock, feed, record, symbols } = deps;
  if (feed.actions === undefined) return;
  const retrying = createRetrying(deps);
  for (let refusals = 0; refusals < MAX_REFUSALS; ) {
    const now = clock.now();
    try {
      const range = { from: dateOf(now - BACK_MS), to: dateOf(now + AHEAD_MS) };
      const actions = await feed.actions({ symbols, ...range }, signal);
      signal.throwIfAborted();
      return record.recordActions(actions);
    } catch (error) {
      await retrying.after(error, signal);
      if (await isAnswering(feed, signal)) refusals += 1;
    }
  }
}

const isAnswering = (feed: PriceFeed, signal: AbortSignal): Promise<boolean> =>
  feed.check(signal).then(
    () => true,
    () => false,
  );

/**
 * Fetches the actions of the whole history first, then new ones. Never returns.
 * @throws FeedError that is fatal, or the signal's reason
 */
export async function followActions(deps: FollowActionsDeps, signal: AbortSignal): Promise<never> {
  const { clock, feed, record, symbols } = deps;
  if (feed.actions === undefined) return never();
  let wanted = symbols;
  let asked: readonly string[] = [];
  /** Time of the last fetch for all symbols; the computer may sleep for months. */
  let allAt = clock.now() - HISTORY_MS;
  for (;;) {
    const askedAt = clock.now();
    const from = dateOf(Math.min(allAt, askedAt - BACK_MS));
    const request = { symbols: wanted, from, to: dateOf(askedAt + AHEAD_MS) };
    const actions = await untilDone(deps, async () => (await feed.actions?.(request, signal)) ?? [], signal);
    signal.throwIfAborted();
    record.recordActions(actions);
    if (wanted === symbols) allAt = askedAt;
    for (wanted = []; wanted.length === 0; ) {
      await pause(clock, LOOK_EVERY_MS, signal);
      const known = asked;
      asked = record.questioned();
      const passed = clock.now() - askedAt;
      if (clock.now() - allAt >= EVERY_MS) wanted = symbols;
      else if (passed >= UNEXPLAINED_EVERY_MS) wanted = asked;
      else wanted = asked.filter((symbol) => !known.includes(symbol));
    }
  }
}
