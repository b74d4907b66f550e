// Service, auth: identifies the dashboard, which signs its requests instead of sending a key.
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../shared/lib/clock.ts';
import { scopeCovers } from '../../shared/wire/keys.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import { Refusal } from '../refusal.ts';
import type { ApiKeyStore } from '../store/api-key-store.ts';
import type { AccessRules, Authenticator, Caller } from './authenticate.ts';
import type { ProxyTokens } from './proxy-tokens.ts';

/** Account of sessions without a key, and the id for their streams and limits. */
export const DASHBOARD = 'dashboard';

/** A JWT has three parts; a key never has them. */
const TOKEN = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;

export interface DashboardCallerDeps {
  readonly tokens: ProxyTokens;
  readonly keys: Pick<ApiKeyStore, 'findId' | 'account'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly rules: Pick<AccessRules, 'plan' | 'hardCap'>;
}

/** Accepts a dashboard token, for the account of the session; a request without one needs a key. */
export function orDashboard(
  byKey: Authenticator,
  { tokens, keys, clock, rules }: DashboardCallerDeps,
): (headers: IncomingHttpHeaders, route: AnyRoute) => Promise<Caller> {
  return async (headers, route) => {
    const token = TOKEN.exec(headers.authorization ?? '')?.[1];
    const grant = token === undefined || headers['x-api-key'] !== undefined ? null : await tokens.grantOf(token);
    // The refusal does not name the missing scope: the dashboard checked scopes before it signed.
    if (grant === null || (route.access !== 'open' && !scopeCovers(grant.scope, route.access)))
      return byKey(headers, route);
    const { scope, key } = grant;
    const own = { id: DASHBOARD, ending: '', account: DASHBOARD, plan: null, hardCap: false, contract: null };
    const found = key === null ? { ...own, ...keys.account(DASHBOARD), id: DASHBOARD } : keys.findId(key, clock.now());
    if (found === null) throw new Refusal('unauthorized', 'The key of this session has ended.');
    const { id, ending, account, contract } = found;
    return {
      id,
      ending,
      account,
      scope,
      contract,
      plan: found.plan ?? rules.plan,
      hardCap: found.hardCap || rules.hardCap,
    };
  };
}
