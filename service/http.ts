// Service: the HTTP application without routes: admission, identity, limits, common headers.
import { createConnectionPool } from '../shared/lib/connection-pool.ts';
import { routes } from '../shared/wire/routes.ts';
import { createAuthenticate } from './auth/authenticate.ts';
import { DASHBOARD, orDashboard } from './auth/dashboard-caller.ts';
import { createLastUse } from './auth/last-use.ts';
import { createLimits } from './limits/limits.ts';
import { createPressure } from './limits/pressure.ts';
import { storeDefaultTerms } from './limits/usage-report.ts';
import type { DashboardBackend } from './proxy/dashboard.ts';
import { type AppDeps, createApp, newRequestId, refuseUnknown, STAMP } from './routes/app.ts';
import { type Availability, createAvailability } from './routes/availability.ts';
import type { ServiceDeps } from './service-deps.ts';

/** The app without routes: admission, limits and the common headers. */
export function createHttp({ identity, store, host, access }: ServiceDeps, status: Availability['status']) {
  const { environment } = identity;
  const { clock, logger, randomBytes } = host;
  const { plans = {}, proxyTokens, admit = () => null, listener = {} } = access;
  const enforced = plans.enforced ?? environment === 'production';
  const terms = { plan: plans.plan ?? 'pro', hardCap: plans.hardCap ?? false, counted: enforced };
  storeDefaultTerms(store, terms);
  const byKey = createAuthenticate(store.keys, clock, {
    environment,
    ...terms,
    metricsByApiKeyOnly: plans.metricsByApiKeyOnly ?? false,
  });
  const dashboard = { id: DASHBOARD, plan: null, hardCap: false, contract: null, ownerEmail: null };
  if (proxyTokens !== undefined) store.transaction(() => store.keys.addAccount(dashboard, clock.now()));
  const identify =
    proxyTokens === undefined
      ? byKey
      : orDashboard(byKey, { tokens: proxyTokens, keys: store.keys, clock, rules: terms });
  const lastUse = createLastUse(store, clock, logger);
  const authenticate: AppDeps['authenticate'] = async (headers, route) => {
    const caller = await identify(headers, route);
    lastUse.note(caller.id);
    return caller;
  };
  const limits = createLimits({
    store,
    clock,
    logger,
    enforced,
    throttled: plans.throttled ?? false,
  });
  const pressure = createPressure(clock);
  const availability = createAvailability(status, pressure);
  const app = createApp({ authenticate, limits, pressure, availability, host, admit, listener });
  const connections = createConnectionPool({ clock, ...access.connections });
  connections.guard(app.server);
  app.addHook('preParsing', async (request) => {
    if (request.caller !== null) connections.authenticate(request.raw.socket);
  });
  refuseUnknown(app);
  const front: Pick<DashboardBackend, 'commonHeaders' | 'keyOf'> = {
    commonHeaders: (address) => ({
      'x-request-id': newRequestId(randomBytes),
      ...STAMP,
      ...limits.anonymous(address, undefined),
    }),
    keyOf: (headers) => byKey(headers, routes.snapshot),
  };
  return { app, availability, limits, lastUse, terms, pressure, front };
}
