// Renderer: obtains the session of a page of the Node shell by a one-time token.
// The token is in the fragment of the address. The session lives in this tab alone (sessionStorage) and goes
// into the first frame of the socket. A cookie would be shared by all ports.
import { SESSION_KEY, SESSION_PATH, TOKEN_FRAGMENT } from '../../shared/channels/session-endpoint.ts';
import { SessionGrantSchema } from '../../shared/channels/socket-frames.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';

/** The parts of the page that the exchange needs. */
export interface SessionPage {
  /** The fragment of the address, with its #. */
  readonly hash: string;
  /** Removes the fragment from the address bar and the history. */
  clearHash(): void;
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
}

/** The reason why this page has no session. */
export type SessionFailure = 'no_token' | 'token_refused' | 'unreachable';

/** The session of this tab: a new one for a token in the address, else the stored one. */
export async function takeSession(page: SessionPage): Promise<Result<string, SessionFailure>> {
  const token = new URLSearchParams(page.hash.replace(/^#/, '')).get(TOKEN_FRAGMENT);
  const stored = page.storage.getItem(SESSION_KEY);
  if (token === null) return stored === null ? err('no_token') : ok(stored);
  page.clearHash();
  let response: Response;
  try {
    response = await page.fetch(SESSION_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
  } catch {
    return err('unreachable');
  }
  const grant = SessionGrantSchema.safeParse(response.ok ? await response.json().catch(() => null) : null);
  if (grant.success) {
    page.storage.setItem(SESSION_KEY, grant.data.session);
    return ok(grant.data.session);
  }
  // A reload of the address that opened this tab: its token was used, but its session is still valid.
  return stored === null ? err('token_refused') : ok(stored);
}
