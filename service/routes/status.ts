// Service, routes: GET /health and its probes, GET /, GET /proof, and the followed price feeds.

import type { Feed } from '../../shared/wire/feeds.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { routes } from '../../shared/wire/routes.ts';
import { DOCUMENT_PATHS } from '../docs/openapi.ts';
import type { FeedReport } from '../market/feeds/feed-report.ts';
import { Refusal } from '../refusal.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';
import { feedNamed, onLeader } from './leader-requests.ts';

export const statusHandlers = (
  deps: HandlerDeps,
): Pick<Handlers, 'health' | 'healthLive' | 'healthReady' | 'root' | 'proof' | 'feeds' | 'setFeedHistory'> => ({
  health: () => ({ status: 'ok' }),
  healthLive: () => ({ status: 'ok' }),
  healthReady() {
    const refusal = deps.probes.notReady();
    if (refusal !== null) throw refusal;
    const isOverdue = deps.cluster.cutOffMs() === 0 && deps.content.signals.overdueMs() > 0;
    const problem = deps.cluster.whyNotReady() ?? (isOverdue ? 'The evaluation of prices is overdue.' : null);
    if (problem !== null) throw new Refusal('temporarily_unavailable', problem, { 'retry-after': '1' });
    return { status: 'ready' };
  },
  proof: ({ query }, { raw }) => ({ proof: deps.probes.prove(query, raw.socket) }),
  root() {
    const { environment, replay, version, world } = deps.info;
    const { signals } = deps.content;
    return {
      service: 'Market Risk Signal Service',
      version,
      environment,
      replay,
      // An evaluation that hangs is seen by its clock, which stands.
      time: timestamp(signals.overdueMs() > 0 ? signals.evaluatedAt() : world.now()),
      speed: world.pace(),
      links: {
        ...Object.fromEntries(
          Object.entries(routes)
            .filter(([, route]) => route.method === 'GET' && (!('only' in route) || route.only === environment))
            .map(([name, route]) => [name, route.path]),
        ),
        ...DOCUMENT_PATHS,
      },
    };
  },
  feeds: () => ({
    data: deps.content.feeds.map((feed) => recordOf(feed.report())),
    has_more: false,
    next_cursor: null,
  }),
  async setFeedHistory({ params: { name }, body: { stopped } }) {
    const feed = feedNamed(deps.content.feeds, name);
    await onLeader(deps, { feedHistory: { name, stopped } });
    // Of another node's feed this node knows what was said before the request.
    return recordOf({ ...feed.report(), isHistoryStopped: stopped });
  },
});

const MAX_REFUSED = 100;

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
