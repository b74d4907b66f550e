// Service, auth: the dashboard as a caller: it has no key, it signs.
import type { IncomingHttpHeaders } from 'node:http';
import type { AnyRoute } from '../../shared/wire/route.ts';
import type { ProxyTokens } from '../proxy/tokens.ts';
import type { Authenticator, Caller } from './authenticate.ts';

/** Account of everything that is done through the dashboard, and the id that its streams and limits go by. */
export const DASHBOARD = 'dashboard';

/** Three parts, as no key has. */
const TOKEN = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;

/** Takes a token of the dashboard's; whoever has none is asked for a key. */
export function orDashboard(
  byKey: Authenticator,
  tokens: ProxyTokens,
  terms: Pick<Caller, 'plan' | 'hardCap'>,
): (headers: IncomingHttpHeaders, route: AnyRoute) => Promise<Caller> {
  return async (headers, route) => {
    const token = TOKEN.exec(headers.authorization ?? '')?.[1];
    if (token === undefined || headers['x-api-key'] !== undefined || !(await tokens.holds(token, 'backend')))
      return byKey(headers, route);
    return { id: DASHBOARD, ending: '', account: DASHBOARD, scope: 'webhooks', contract: null, ...terms };
  };
}
