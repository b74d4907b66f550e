// Client: presents the key: X-API-Key, once Bearer after a 401, then what worked (contract 23).

import { isDashboardSession } from '../shared/wire/dashboard.ts';
import type { AnyRoute } from '../shared/wire/route.ts';
import { routes } from '../shared/wire/routes.ts';

type Form = 'api-key' | 'bearer';

/** proxy: sends no key, because a dashboard signs (specification 5.1), only its session if required. */
export type KeyMode = 'auto' | Form | 'proxy';

/** One attempt to present the key with a request. */
export interface Presentation {
  readonly headers: Readonly<Record<string, string>>;
  /** The service accepted it. */
  accepted(): void;
  /** Handles a 401. @returns whether to retry with another form */
  rejected(): boolean;
}

export interface Credentials {
  /** For the next request to the route; no headers without a key or in proxy mode. */
  present(route: Pick<AnyRoute, 'path'>): Presentation;
}

export function createCredentials(key: string | null, mode: KeyMode): Credentials {
  const general = createPresenter(key, mode);
  // Specification 4.4 names X-API-Key for it, whatever the others take.
  const validation = mode === 'bearer' || mode === 'auto' ? createPresenter(key, 'auto') : general;
  return { present: ({ path }) => (path === routes.validation.path ? validation : general)() };
}

/** Remembers the accepted form. */
function createPresenter(key: string | null, mode: KeyMode): () => Presentation {
  let form: Form = mode === 'bearer' ? 'bearer' : 'api-key';
  let isSettled = mode !== 'auto' || key === null;
  const headersOf = (used: Form): Presentation['headers'] => {
    if (key === null || (mode === 'proxy' && !isDashboardSession(key))) return {};
    if (mode === 'proxy') return { authorization: `Bearer ${key}` };
    return used === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
  };
  return () => {
    const used = form;
    return {
      headers: headersOf(used),
      accepted() {
        form = used;
        isSettled = true;
      },
      rejected() {
        // Another request may have found the accepted form meanwhile.
        if (isSettled) return used !== form;
        form = used === 'api-key' ? 'bearer' : 'api-key';
        return used === 'api-key';
      },
    };
  };
}
