// Service, routes: mounts every row of the routes table with its handler.
import type { FastifyInstance } from 'fastify';
import { routes } from '../../shared/wire/routes.ts';
import { symbolsOf } from '../list-filters.ts';
import { Refusal } from '../refusal.ts';
import type { Streams } from '../stream/stream.ts';
import { accountHandlers } from './account.ts';
import { briefingHandlers } from './briefings.ts';
import { deskHandlers } from './desk.ts';
import { eventHandlers } from './events.ts';
import { factorHandlers } from './factors.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';
import { triggerHandlers } from './leader-requests.ts';
import { mountRoute, mountStream } from './mount.ts';
import { regimeHandlers } from './regime.ts';
import { scheduledHandlers } from './scheduled.ts';
import { signalHandlers } from './signals.ts';
import { statusHandlers } from './status.ts';
import { subscriptionHandlers } from './subscriptions.ts';
import { validationHandlers } from './validation.ts';

export function mountAll(app: FastifyInstance, deps: HandlerDeps, streams: Streams, checkReplies: boolean): void {
  const handlers: Handlers = {
    ...statusHandlers(deps),
    ...signalHandlers(deps),
    ...eventHandlers(deps),
    ...regimeHandlers(deps),
    ...factorHandlers(deps),
    ...validationHandlers(deps),
    ...briefingHandlers(deps),
    ...scheduledHandlers(deps),
    ...triggerHandlers(deps),
    ...subscriptionHandlers(deps),
    ...accountHandlers(deps),
    ...deskHandlers(deps),
  };
  const mount = <Name extends keyof Handlers>(name: Name): void => {
    const route = routes[name];
    if (!('only' in route) || route.only === deps.info.environment)
      mountRoute<(typeof routes)[Name]>(app, route, handlers[name], checkReplies);
  };
  for (const name of Object.keys(handlers) as (keyof Handlers)[]) mount(name);
  mountStream(app, routes.stream, ({ query }, request, reply) => {
    const lastEventId = request.headers['last-event-id'];
    const named = symbolsOf(query) ?? [];
    const unknown = named.filter((symbol) => deps.content.signals.coverage(symbol) === 'none');
    if (unknown.length > 0 && unknown.length === named.length)
      throw new Refusal(
        'symbol_not_covered',
        `No events come of ${unknown.join(', ')}: outside the covered universe. GET /snapshot lists what is covered.`,
      );
    streams.open(reply, {
      keyId: request.caller?.id ?? '',
      query,
      unknown,
      lastEventId: Array.isArray(lastEventId) ? lastEventId[0] : lastEventId,
      headers: Object.fromEntries(Object.entries(reply.getHeaders()).map(([header, value]) => [header, String(value)])),
    });
  });
}
