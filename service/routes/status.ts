// Service, routes: GET /health and its probes, GET / and GET /proof.
import { timestamp } from '../../shared/wire/primitives.ts';
import { routes } from '../../shared/wire/routes.ts';
import { DOCUMENT_PATHS } from '../docs/openapi.ts';
import { Refusal } from '../refusal.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';

export const statusHandlers = ({
  info: { environment, replay, version, world },
  probes: { notReady, prove },
  content: { signals },
  cluster,
}: HandlerDeps): Pick<Handlers, 'health' | 'healthLive' | 'healthReady' | 'root' | 'proof'> => ({
  health: () => ({ status: 'ok' }),
  healthLive: () => ({ status: 'ok' }),
  healthReady() {
    const refusal = notReady();
    if (refusal !== null) throw refusal;
    const isOverdue = cluster.cutOffMs() === 0 && signals.overdueMs() > 0;
    const problem = cluster.whyNotReady() ?? (isOverdue ? 'The evaluation of prices is overdue.' : null);
    if (problem !== null) throw new Refusal('temporarily_unavailable', problem, { 'retry-after': '1' });
    return { status: 'ready' };
  },
  proof: ({ query }, { raw }) => ({ proof: prove(query, raw.socket) }),
  root: () => ({
    service: 'Market Risk Signal Service',
    version,
    environment,
    replay,
    // An evaluation that hangs is seen by its clock, which stands.
    time: timestamp(signals.overdueMs() > 0 ? signals.evaluatedAt() : world.now()),
    speed: world.speed,
    links: {
      ...Object.fromEntries(
        Object.entries(routes)
          .filter(([, route]) => route.method === 'GET' && (!('only' in route) || route.only === environment))
          .map(([name, route]) => [name, route.path]),
      ),
      ...DOCUMENT_PATHS,
    },
  }),
});
