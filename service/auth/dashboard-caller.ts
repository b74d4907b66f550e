// Service, auth: identifies the dashboard, which signs its requests instead of sending a key.
import type { IncomingHttpHeaders } from 'node:http';
import type { AnyRoute } from '../../shared/wire/route.ts';
import type { ProxyTokens } from '../proxy/tokens.ts';
import type { Authenticator, Caller } from './authenticate.ts';

/** Account of all requests through the dashboard, and the id for its streams and limits. */
export const DASHBOARD = 'dashboard';

/** Three parts; a key never has them. */
const TOKEN = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;

/** Accepts a dashboard token; a request without one needs a key. */
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
