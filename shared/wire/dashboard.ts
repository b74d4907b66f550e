// Pure: the interface of the dashboard: its proxy, its one-time link, and the scopes of a session.
import { z } from 'zod';

/** Prefix of the paths of the service. */
export const PROXY_PATH = '/api/proxy';
/** POST {token} begins a session; DELETE ends it. */
export const SESSION_PATH = '/session';
/** POST with a key returns a new one-time link. */
export const LINK_PATH = '/link';

/**
 * read: all reads, and the stream. trigger: triggered events in the sandbox. subscriptions: webhooks and
 * their deliveries. account: keys, hard cap and use of the account.
 */
export const DASHBOARD_SCOPES = ['read', 'trigger', 'subscriptions', 'account'] as const;
export type DashboardScope = (typeof DASHBOARD_SCOPES)[number];

/** A session of the dashboard, sent as Authorization: Bearer. No service key has this prefix. */
const SESSION_PREFIX = 'dsh_';
export const formSession = (secret: string): string => `${SESSION_PREFIX}${secret}`;
export const isDashboardSession = (text: string): boolean => text.startsWith(SESSION_PREFIX);

export const TokenSchema = z.strictObject({ token: z.string().min(1).max(128) });
export const SessionSchema = z.object({ session: z.string().startsWith(SESSION_PREFIX).max(128) });

export const linkOf = (dashboard: string, token: string): string => `${dashboard}/#t=${token}`;
