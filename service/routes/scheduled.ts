// Service, routes: GET /api/scheduled, what is due.
import type { HandlerDeps, Handlers } from './handler-deps.ts';

export const scheduledHandlers = ({
  content: { schedule },
  info: { world },
}: HandlerDeps): Pick<Handlers, 'scheduled'> => ({ scheduled: () => schedule.at(world.now()) });
