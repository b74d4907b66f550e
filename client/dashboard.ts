// Client: a dashboard's address, and the session that begins with its one-time link.
import { err, ok, type Result } from '../shared/lib/result.ts';
import { PROXY_PATH, SESSION_PATH, SessionSchema } from '../shared/wire/dashboard.ts';
import { readBody } from './body.ts';
import { parseUrl } from './parse-url.ts';
import { problem, problemFromAnswer, type ServiceProblem } from './problem.ts';
import { type FetchLike, networkMessage, parseJson } from './request.ts';

export interface DashboardAddress {
  /** Without a trailing slash. */
  readonly dashboard: string;
  /** The address of the service behind it. */
  readonly proxy: string;
  /** Token of a one-time link. */
  readonly token: string | null;
}

const SIGN_IN_LIMIT_MS = 10_000;
const BODY_LIMIT = 2_048;

/** Parses the address of a dashboard, its one-time link, or its proxy address (/api/proxy). */
export function readDashboardAddress(text: string): DashboardAddress | null {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const token = new URLSearchParams(url.hash.slice(1)).get('t');
  const path = url.pathname.replace(/\/+$/, '');
  const dashboard = url.origin + (path.endsWith(PROXY_PATH) ? path.slice(0, -PROXY_PATH.length) : path);
  return { dashboard, proxy: dashboard + PROXY_PATH, token };
}

/** The base of the service behind a dashboard. */
export const behindDashboard = (base: URL): URL =>
  new URL(`${readDashboardAddress(base.href)?.proxy ?? base.href.replace(/\/$/, '')}/`);

/**
 * Trades the token of a one-time link for a session. Never throws.
 * @param fetch reaches the dashboard; the token is sent nowhere else
 */
export async function signIn(
  { dashboard, token }: DashboardAddress,
  fetch: FetchLike,
  now: () => number,
): Promise<Result<string, ServiceProblem>> {
  const signal = AbortSignal.timeout(SIGN_IN_LIMIT_MS);
  try {
    const answer = await fetch(dashboard + SESSION_PATH, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
      redirect: 'manual',
      cache: 'no-store',
      signal,
    });
    const body = await readBody(answer, BODY_LIMIT, signal, true);
    const text = body.ok ? body.value : '';
    if (answer.status !== 200) return err(problemFromAnswer(answer.status, answer.headers, text, now()));
    const granted = SessionSchema.safeParse(parseJson(text));
    if (granted.success) return ok(granted.data.session);
    return err(problem('unreadable', 'The dashboard gave no session for its link.', answer.status));
  } catch (error) {
    return err(problem('network', networkMessage(error, new URL(dashboard))));
  }
}
