// Main, Electron shell: sends the core's requests over Chromium's network, in a session of its own.
// The system's proxy and certificates apply. The session stores nothing: no cookie, no cache, no file.
import type { Session } from 'electron';
import { message, plainMessage } from '../../shared/text/message.ts';
import type { FetchLike } from '../core/ports.ts';
import type { ProxyResolver } from '../host/network-path.ts';

/** A partition without the prefix `persist:` is in memory. */
export const NET_PARTITION = 'barograph-net';

export function createNetFetch(session: Pick<Session, 'fetch'>): FetchLike {
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
      throw error;
    }
  };
}

/** @returns a reader of the proxy of an address: none, or in Chromium's form, "PROXY proxy.example:8080" */
export const createFindProxy =
  (session: Pick<Session, 'resolveProxy'>): ProxyResolver =>
  async (url) => {
    const proxy = await session.resolveProxy(url);
    return proxy === 'DIRECT' ? message('proxy.none') : plainMessage(proxy);
  };
