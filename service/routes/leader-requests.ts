// Service, routes: requests that change what every node serves; only the leader of a cluster performs them.
import type { FeedReport } from '../market/feeds/feed-report.ts';
import type { PriceDecision } from '../market/types.ts';
import { Refusal } from '../refusal.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';
import { createTrigger, type TriggerBody, type TriggerReply } from './trigger.ts';

/** As JSON, in the form in which one node asks another. */
export type LeaderRequest =
  | TriggerBody
  | { readonly decide: PriceDecision }
  | { readonly feedHistory: { readonly name: string; readonly stopped: boolean } };

/** @returns a function that performs the request on this node. It throws Refusal */
export function createPerform(deps: Pick<HandlerDeps, 'content' | 'info'>): (request: LeaderRequest) => unknown {
  const trigger = createTrigger(deps);
  const { signals, feeds } = deps.content;
  return (request) => {
    if ('decide' in request) {
      const { symbol, date } = request.decide;
      if (!signals.decide(request.decide))
        throw new Refusal('not_found', `No price of ${symbol} on ${date} is in question.`);
      return null;
    }
    if (!('feedHistory' in request)) return trigger(request);
    const { name, stopped } = request.feedHistory;
    feedNamed(feeds, name).stopHistory(stopped);
    return null;
  };
}

/** @throws Refusal */
export function feedNamed<Feed extends { report(): FeedReport }>(feeds: readonly Feed[], name: string): Feed {
  const feed = feeds.find((one) => one.report().name === name);
  if (feed === undefined) throw new Refusal('not_found', `There is no feed ${name}. GET /feeds lists them.`);
  return feed;
}

/** Performs the request here, or has the leader perform it. @throws Refusal */
export async function onLeader(deps: Pick<HandlerDeps, 'cluster' | 'content' | 'info'>, request: LeaderRequest) {
  return deps.cluster.leads() ? createPerform(deps)(request) : deps.cluster.ask(request);
}

export const triggerHandlers = (deps: HandlerDeps): Pick<Handlers, 'trigger'> => ({
  trigger: async ({ body }) => (await onLeader(deps, body)) as TriggerReply,
});
