// Main, Electron shell: sends the core's requests over Chromium's network, in a session of its own.
// The system's proxy and certificates apply. The session stores nothing: no cookie, no cache, no file.
import type { Session } from 'electron';
import { isLoopback } from '../../shared/lib/loopback.ts';
import type { FindProxy, ProxyChoice } from '../../shared/lib/proxy.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { FetchLike } from '../core/ports.ts';

/** A partition without the prefix `persist:` is in memory. */
export const NET_PARTITION = 'barograph-net';

export function createNetFetch(session: Pick<Session, 'fetch' | 'resolveProxy'>): FetchLike {
  return async (url, init) => {
    try {
      return await session.fetch(url, {
        ...init,
        credentials: 'omit',
        cache: 'no-store',
        bypassCustomProtocolHandlers: true,
      } as RequestInit);
    } catch (error) {
      // Where fetch returns the redirect, Electron cancels the request instead (electron/electron#43715).
      if (init?.redirect === 'manual' && error instanceof Error && /redirect was cancelled/i.test(error.message))
        return new Response(null, { status: 302 });
      if (/ERR_(PROXY|TUNNEL|SOCKS)/.test(messageOf(error)))
        throw new Error(`through ${await session.resolveProxy(url)}: ${messageOf(error)}`);
      throw error;
    }
  };
}

/** Finds proxies as Chromium does: by the system's settings, also by its proxy file (PAC). */
export const createFindProxy =
  (session: Pick<Session, 'resolveProxy'>): FindProxy =>
  async (url) => {
    if (isLoopback(URL.parse(url)?.hostname ?? '')) return { kind: 'direct', why: 'loopback' };
    return session
      .resolveProxy(url)
      .then(readProxyList, (error: unknown) => ({ kind: 'unknown', why: messageOf(error) }));
  };

/**
 * The first supported entry of a list in the form of proxy files: "PROXY proxy.example:8080; DIRECT".
 * Chromium itself also uses the others.
 */
function readProxyList(said: string): ProxyChoice {
  const entries = said.split(';').map((entry) => entry.trim().split(/\s+/));
  for (const [kind = '', host = ''] of entries) {
    if (kind === 'DIRECT') return { kind: 'direct', why: 'none', said };
    const url = { PROXY: `http://${host}`, HTTPS: `https://${host}` }[kind];
    if (url !== undefined && URL.canParse(url)) return { kind: 'proxy', url, host, said };
  }
  const [, socks] = entries.find(([kind = '']) => kind.startsWith('SOCKS')) ?? [];
  if (socks !== undefined) return { kind: 'socks', host: socks, said };
  return { kind: 'unknown', why: `the system names it as "${said}"`, said };
}
