// Test harness: the desk of a service, by its own handlers and store, without the rest of it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { deskHandlers } from '../../service/routes/desk.ts';
import type { HandlerDeps } from '../../service/routes/handler-deps.ts';
import { IN_MEMORY, openStore, type Store } from '../../service/store/store.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { DeskAct } from '../../shared/wire/desk.ts';
import { deskRoutes } from '../../shared/wire/routes/desk.ts';

export interface DeskService {
  /** Requests for other paths go to `elsewhere`. `isCut`: no request arrives. */
  fetchWith(
    elsewhere: (url: string, init?: RequestInit) => Promise<Response>,
    isCut: () => boolean,
  ): (url: string, init?: RequestInit) => Promise<Response>;
  acts(): DeskAct[];
  /** Loses everything, as a service that is started anew. */
  lose(): void;
  close(): void;
}

const ACCOUNT = 'fund';

export function createDeskService(clock: Clock): DeskService {
  const open = (): Store => openStore(IN_MEMORY, { environment: 'sandbox', seed: 7, clock: 'real' });
  let store = open();
  const caller = { caller: { account: ACCOUNT } } as FastifyRequest;
  const answer = async (url: URL, { method = 'GET', body }: RequestInit): Promise<Response> => {
    const handlers = deskHandlers({ store, clock } as unknown as HandlerDeps);
    let status = 200;
    const reply = {
      code(code: number) {
        status = code;
      },
    } as unknown as FastifyReply;
    try {
      if (method === 'POST') {
        const given = deskRoutes.addDeskAct.body.parse(JSON.parse(String(body)));
        const act = await handlers.addDeskAct({ params: {}, query: {}, body: given }, caller, reply);
        return Response.json(act, { status });
      }
      const query = deskRoutes.deskActs.query.parse(Object.fromEntries(url.searchParams));
      return Response.json(await handlers.deskActs({ params: {}, query, body: undefined }, caller, reply));
    } catch (error) {
      return Response.json({ code: 'invalid_request', message: String(error), doc_url: '' }, { status: 400 });
    }
  };
  return {
    fetchWith: (elsewhere, isCut) => async (address, init) => {
      const url = new URL(address);
      if (url.pathname !== '/desk/acts') return elsewhere(address, init);
      if (isCut()) throw new TypeError('fetch failed');
      return answer(url, init ?? {});
    },
    acts: () => store.desk.after(ACCOUNT, null, 1_000) ?? [],
    lose() {
      store.close();
      store = open();
    },
    close: () => store.close(),
  };
}
