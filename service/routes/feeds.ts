// Service, routes: GET /feeds and POST /feeds/{name}/history.

import type { Feed } from '../../shared/wire/feeds.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { FeedReport } from '../market/feeds/feed-report.ts';
import { Refusal } from '../refusal.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';

const MAX_REFUSED = 100;

export const feedHandlers = ({ content: { feeds } }: HandlerDeps): Pick<Handlers, 'feeds' | 'setFeedHistory'> => ({
  feeds: () => ({ data: feeds.map((feed) => recordOf(feed.report())), has_more: false, next_cursor: null }),
  setFeedHistory({ params: { name }, body: { stopped } }) {
    const feed = feeds.find((one) => one.report().name === name);
    if (feed === undefined) throw new Refusal('not_found', `There is no feed ${name}. GET /feeds lists them.`);
    feed.stopHistory(stopped);
    return recordOf(feed.report());
  },
});

const at = (instant: number | null): string | null => (instant === null ? null : timestamp(instant));

const recordOf = ({ fault, budgets, refused, ...report }: FeedReport): Feed => ({
  name: report.name,
  status: report.status,
  symbols: report.symbols,
  delay_seconds: Math.round(report.delayMs / 1000),
  last_price_at: at(report.lastPriceAt),
  budgets: budgets.map(({ account, perMinute, left, quietUntil }) => ({
    account,
    per_minute: perMinute,
    left,
    waits_until: at(quietUntil),
  })),
  last_fault: fault === null ? null : { at: timestamp(fault.at), message: fault.message },
  without_prices: [...refused].slice(0, MAX_REFUSED).map(([symbol, reason]) => ({ symbol, reason })),
  history: { done: report.historyDone, stopped: report.isHistoryStopped },
});
