// Conformance: sections 1 and 5: a dashboard's proxy answers the same paths without a key.

import { readDashboardAddress } from '../client/dashboard.ts';
import type { FetchLike } from '../client/request.ts';
import type { Clock } from '../shared/lib/clock.ts';
import { isLoopback } from '../shared/lib/loopback.ts';
import { PROXY_PATH, SESSION_PATH } from '../shared/wire/dashboard.ts';
import { type Check, check, green, type Outcome, red, skipped } from './check.ts';
import { createProbe, type Probe } from './probe.ts';

/** @param dashboard its address, or the one-time link that begins a session there; null: skipped */
export const dashboardCheck = (dashboard: URL | null, { fetch, clock }: { fetch: FetchLike; clock: Clock }): Check =>
  check('5', 'dashboard', 'Through the dashboard a client sends no key: /api/proxy/ and the path', async () => {
    const address = dashboard === null ? null : readDashboardAddress(dashboard.href);
    if (address === null) return skipped('no dashboard was named (--dashboard)');
    const probe = createProbe({ base: new URL(address.dashboard), key: null, fetch, clock, mayWrite: false });
    const headers = address.token === null ? {} : await signedIn(probe, address.token);
    const { status, body } = await probe.ask(`${PROXY_PATH}/snapshot`, { headers });
    if (status === 401 && address.token === null)
      return red('GET /api/proxy/snapshot is 401: give the one-time link of the dashboard as --dashboard');
    if (status !== 200 || body === undefined) return red(`GET /api/proxy/snapshot is ${status}`);
    return errorsHold(probe, headers, isLoopback(new URL(address.dashboard).hostname));
  });

async function signedIn(probe: Probe, token: string): Promise<Record<string, string>> {
  const { body } = await probe.ask(SESSION_PATH, { method: 'POST', body: { token }, isUnrecorded: true });
  const session = typeof body === 'object' && body !== null && 'session' in body ? body.session : null;
  return typeof session === 'string' ? { authorization: `Bearer ${session}` } : {};
}

/**
 * The dashboard's own errors follow the rules of the service: rate headers, and a doc_url that clients can
 * open.
 */
async function errorsHold(probe: Probe, headers: Record<string, string>, isLocal: boolean): Promise<Outcome> {
  const path = `${PROXY_PATH}/no-such-path`;
  const { status, body, headers: given } = await probe.ask(path, { headers });
  if (status < 400) return red(`GET ${path} is ${status}, and should be an error`);
  if (given.get('x-ratelimit-limit') === null) return red(`GET ${path} has no X-RateLimit-Limit`);
  const link = typeof body === 'object' && body !== null && 'doc_url' in body ? URL.parse(String(body.doc_url)) : null;
  if (link === null) return red(`GET ${path} has no doc_url`);
  return isLocal || !isLoopback(link.hostname)
    ? green()
    : red(`doc_url ${link.href} is an address of the server alone`);
}
