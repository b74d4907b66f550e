// Service, proxy: who may use the dashboard: sessions from a one-time link, or every local program.
import type { IncomingHttpHeaders } from 'node:http';
import { DASHBOARD_SCOPES, type DashboardScope } from '../../shared/wire/dashboard.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import { Refusal } from '../refusal.ts';
import type { Scope } from '../store/api-key-store.ts';
import { type DashboardSession, type DashboardSessions, withinKey } from './sessions.ts';

/** Values of Sec-Fetch-Site for requests that no other page made. */
const OWN_SITES: readonly (string | string[] | undefined)[] = [undefined, 'same-origin', 'none'];
const BEARER = /^Bearer[ ]+([\w-]{20,128})[ ]*$/i;

export interface DashboardAccessOptions {
  readonly sessions: DashboardSessions;
  /** True: every program of this computer may use it, without a session. */
  readonly isOpen: boolean;
  /** Most that a session may do, or anybody where the dashboard is open. */
  readonly scopes: readonly DashboardScope[];
  readonly environment: Environment;
  /** Name of the session cookie; cookies ignore ports, so it must differ between two dashboards. */
  readonly cookie: () => string;
}

export interface DashboardClient extends Pick<DashboardSession, 'scopes' | 'key'> {}

export interface DashboardAccess {
  /** The session of a request, with what it may do; null without one. @throws Refusal of a request by another page */
  clientOf(headers: IncomingHttpHeaders): DashboardClient | null;
  /** The session of a request, as it was sent. */
  sessionOf(headers: IncomingHttpHeaders): string | null;
  /** What a key of this scope may give to others, of what is asked for. */
  grantable(keyScope: Scope, wanted: readonly DashboardScope[]): DashboardScope[];
}

export function createDashboardAccess(options: DashboardAccessOptions): DashboardAccess {
  const { sessions, isOpen, cookie } = options;
  const scopes = options.scopes.filter((scope) => scope !== 'trigger' || options.environment === 'sandbox');
  const sessionOf = ({ authorization, cookie: cookies }: IncomingHttpHeaders): string | null =>
    BEARER.exec(authorization ?? '')?.[1] ?? cookieOf(cookies, cookie());

  return {
    sessionOf,
    clientOf(headers) {
      // Another port of this computer is the same site, and its pages send the cookie.
      if (!OWN_SITES.includes(headers['sec-fetch-site']))
        throw new Refusal('forbidden', 'Requests of other pages are not passed on. Open the dashboard itself.');
      if (isOpen) return { scopes, key: null };
      const session = sessionOf(headers);
      const found = session === null ? null : sessions.find(session);
      return found === null ? null : { scopes: found.scopes.filter((scope) => scopes.includes(scope)), key: found.key };
    },
    grantable: (keyScope, wanted) =>
      withinKey(
        scopes.filter((scope) => wanted.includes(scope)),
        keyScope,
      ),
  };
}

/** What a dashboard grants without --dashboard-scopes. */
export const defaultScopes = (isOpen: boolean): readonly DashboardScope[] => (isOpen ? ['read'] : DASHBOARD_SCOPES);

function cookieOf(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name && value !== undefined) return value;
  }
  return null;
}
