// Main, Electron shell: the machine as Electron's main process has it, where that is not plain Node.
// Below windows and menus these are all the differences, and main/node/machine.ts is the counterpart:
// - requests, and the proxy they take: Chromium's network, not Node's (net-fetch.ts)
// - keychain and pictures: utility processes, because a packaged app has no other Node to fork
// - programs of threads and processes lie beside the archive (outside-archive.ts)
// - the service's validation runs in a thread, for the same lack of a Node (service/validation/worker.ts)
// - notifications on Windows and macOS are Electron's (notifier.ts); on Linux both shells use D-Bus
// - settings are written by electron-store (entry.ts), and read by the same reader
// - a second start is Chromium's to notice (run.ts), before the lock of the data folder
// - a start that cannot be is a dialog, and an end an event of the app (run.ts, desktop.ts), not a line and a signal
// - an exception that nothing catches does not end the program (main/host/rejections.ts)
import { join } from 'node:path';
import type { Session } from 'electron';
import { isLoopback } from '../../shared/lib/loopback.ts';
import type { FindProxy, ProxyChoice } from '../../shared/lib/proxy.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { outsideArchive } from '../core/files/outside-archive.ts';
import type { FetchLike, ProcessStarter } from '../core/ports.ts';
import type { Machine } from '../host/machine.ts';
import { cleanEnvironment } from '../host/secrets.ts';
import type { ElectronModule, ElectronShellOptions } from './shell-options.ts';

/** Call when the app is ready. */
export function electronMachine(
  { session, utilityProcess }: Pick<ElectronModule, 'session' | 'utilityProcess'>,
  { machine, program }: Pick<ElectronShellOptions, 'machine' | 'program'>,
): Machine & { readonly findProxy: FindProxy } {
  const net = session.fromPartition(NET_PARTITION, { cache: false });
  const starterOf =
    <Request>(file: string, serviceName: string): ProcessStarter<Request> =>
    () => {
      const child = utilityProcess.fork(outsideArchive(join(program.built, 'main', file)), [], {
        env: cleanEnvironment(machine.environment),
        stdio: 'ignore',
        serviceName,
      });
      return {
        send: (request) => child.postMessage(request),
        onReply: (listener) => void child.once('message', listener),
        onEnd(listener) {
          child.once('error', (type) => listener(`its process failed (${type})`));
          child.once('exit', (code) => listener(`its process ended (${code})`));
        },
        kill: () => void child.kill(),
      };
    };
  return {
    ...machine,
    fetch: createNetFetch(net),
    findProxy: createFindProxy(net),
    startKeychain: starterOf('keychain.js', 'Barograph keys'),
    startPicture: starterOf('picture.js', 'Barograph pictures'),
  };
}

/** A partition without the prefix `persist:` is in memory. */
const NET_PARTITION = 'barograph-net';

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
