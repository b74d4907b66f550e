// Service, routes: /desk/acts. The account is the caller's, never one that a request names.
import { timestamp } from '../../shared/wire/primitives.ts';
import { Refusal } from '../refusal.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';
import { pageOf } from './page.ts';

export const deskHandlers = ({ store, clock }: HandlerDeps): Pick<Handlers, 'deskActs' | 'addDeskAct'> => ({
  deskActs({ query: { limit, after = null } }, request) {
    const acts = store.desk.after(request.caller?.account ?? '', after, limit + 1);
    if (acts === null)
      throw new Refusal('invalid_request', 'after: no act that is kept has this id. Begin without it.');
    return pageOf(
      acts,
      limit,
      (act) => act,
      ({ id }) => id,
    );
  },
  addDeskAct({ body }, request, reply) {
    const now = clock.now();
    // The first act wins, so a clock ahead of the others must gain nothing by it.
    const at = timestamp(Math.min(Date.parse(body.at), now));
    const { act, isNew } = store.transaction(() => store.desk.add(request.caller?.account ?? '', { ...body, at }, now));
    reply.code(isNew ? 201 : 200);
    return act;
  },
});
