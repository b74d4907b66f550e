// Pure: the dashboard as clients meet it: its proxy, its one-time link, and what a session may do.
import { z } from 'zod';

/** Under it the paths of the service. */
export const PROXY_PATH = '/api/proxy';
/** POST {token}: a session. DELETE: its end. */
export const SESSION_PATH = '/session';
/** POST with a key: another one-time link. */
export const LINK_PATH = '/link';

/**
 * read: everything that is only read, and the stream. trigger: events of the sandbox on request. subscriptions:
 * webhooks, and what was delivered to them. account: keys, hard cap and use of the account.
 */
export const DASHBOARD_SCOPES = ['read', 'trigger', 'subscriptions', 'account'] as const;
export type DashboardScope = (typeof DASHBOARD_SCOPES)[number];

/** A session of the dashboard, sent as Authorization: Bearer. No key of a service begins like it. */
const SESSION_PREFIX = 'dsh_';
export const formSession = (secret: string): string => `${SESSION_PREFIX}${secret}`;
export const isDashboardSession = (text: string): boolean => text.startsWith(SESSION_PREFIX);

export const TokenSchema = z.strictObject({ token: z.string().min(1).max(128) });
export const SessionSchema = z.object({ session: z.string().startsWith(SESSION_PREFIX).max(128) });

export const linkOf = (dashboard: string, token: string): string => `${dashboard}/#t=${token}`;
