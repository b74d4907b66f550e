// Main, Electron shell: starts the keychain as a utility process: a packaged app has no other Node.
import type { utilityProcess } from 'electron';
import type { KeychainStarter } from '../core/keys/keychain.ts';
import { cleanEnvironment } from '../host/secrets.ts';

/** @param program the built `keychain-process.ts` */
export function createKeychainStarter(
  utility: Pick<typeof utilityProcess, 'fork'>,
  program: string,
  environment: NodeJS.ProcessEnv,
): KeychainStarter {
  return () => {
    const child = utility.fork(program, [], {
      env: cleanEnvironment(environment),
      stdio: 'ignore',
      serviceName: 'Barograph keys',
    });
    return {
      send: (request) => child.postMessage(request),
      onReply: (listener) => void child.once('message', listener),
      onEnd: (listener) => void child.once('exit', (code) => listener(`its process ended (${code})`)),
      kill: () => void child.kill(),
    };
  };
}
