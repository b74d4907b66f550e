// Main, Electron shell: the machine as Electron's main process has it, where that is not plain Node.
// Below windows and menus these are all the differences, and main/node/machine.ts is the counterpart:
// - requests, and the proxy they take: Chromium's network, not Node's (net-fetch.ts)
// - the keychain: a utility process, because a packaged app has no other Node to fork
// - programs of threads and processes lie beside the archive (outside-archive.ts)
// - the service's validation runs in a thread, for the same lack of a Node (service/validation/worker.ts)
// - notifications on Windows and macOS are Electron's (notifier.ts); on Linux both shells use D-Bus
// - settings are written by electron-store (entry.ts), and read by the same reader
// - a second start is Chromium's to notice (run.ts), before the lock of the data folder
// - a start that cannot be is a dialog, and an end an event of the app (run.ts, desktop.ts), not a line and a signal
// - an exception that nothing catches does not end the program (main/host/rejections.ts)
import { join } from 'node:path';
import type { FindProxy } from '../../shared/lib/proxy.ts';
import { outsideArchive } from '../core/files/outside-archive.ts';
import type { Machine } from '../host/machine.ts';
import { cleanEnvironment } from '../host/secrets.ts';
import { createFindProxy, createNetFetch, NET_PARTITION } from './net-fetch.ts';
import type { ElectronModule, ElectronShellOptions } from './shell-options.ts';

/** Call when the app is ready. */
export function electronMachine(
  { session, utilityProcess }: Pick<ElectronModule, 'session' | 'utilityProcess'>,
  { machine, program }: Pick<ElectronShellOptions, 'machine' | 'program'>,
): Machine & { readonly findProxy: FindProxy } {
  const net = session.fromPartition(NET_PARTITION, { cache: false });
  return {
    ...machine,
    fetch: createNetFetch(net),
    findProxy: createFindProxy(net),
    startKeychain() {
      const child = utilityProcess.fork(outsideArchive(join(program.built, 'main', 'keychain.js')), [], {
        env: cleanEnvironment(machine.environment),
        stdio: 'ignore',
        serviceName: 'Barograph keys',
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
    },
  };
}
