// Main, Node shell: the machine as plain Node has it; main/electron/machine.ts is its counterpart.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { KeychainStarter } from '../core/keys/keychain.ts';
import type { ProcessStarter } from '../core/ports.ts';
import { type Machine, plainMachine } from '../host/machine.ts';
import { cleanEnvironment } from '../host/secrets.ts';
import { openProcessNetwork, type ProcessNetwork } from '../service/process-network.ts';

/** @throws UsageError for an address of a proxy that cannot be used */
export function nodeMachine(environment: NodeJS.ProcessEnv): Machine & Pick<ProcessNetwork, 'findProxy'> {
  const { fetch, findProxy } = openProcessNetwork(environment);
  return { ...plainMachine(environment), fetch, findProxy, startKeychain, startPicture };
}

const CORE = join(import.meta.dirname, '..', 'core');

/** The process inherits no key, and its channel is private. @param program a file below main/core */
const starterOf =
  <Request extends object | string>(...program: readonly string[]): ProcessStarter<Request> =>
  () => {
    const child = fork(join(CORE, ...program), {
      env: cleanEnvironment(process.env),
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    return {
      send: (request) => void child.send(request, () => undefined),
      onReply: (listener) => void child.once('message', listener),
      onEnd(listener) {
        child.once('error', (problem) => listener(problem.message));
        child.once('exit', (code, signal) => listener(`its process ended (${signal ?? code})`));
      },
      kill: () => void child.kill('SIGKILL'),
    };
  };

export const startKeychain: KeychainStarter = starterOf('keys', 'keychain-process.ts');
export const startPicture: ProcessStarter<string> = starterOf('pictures', 'picture-process.ts');
