// Main, Node shell: the machine as plain Node has it; main/electron/machine.ts is its counterpart.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { KeychainStarter } from '../core/keys/keychain.ts';
import { type Machine, plainMachine } from '../host/machine.ts';
import { cleanEnvironment } from '../host/secrets.ts';
import { openProcessNetwork, type ProcessNetwork } from '../service/process-network.ts';

/** @throws UsageError for an address of a proxy that cannot be used */
export function nodeMachine(environment: NodeJS.ProcessEnv): Machine & Pick<ProcessNetwork, 'findProxy'> {
  const { fetch, findProxy } = openProcessNetwork(environment);
  return { ...plainMachine(environment), fetch, findProxy, startKeychain };
}

const KEYCHAIN_PROGRAM = join(import.meta.dirname, '..', 'core', 'keys', 'keychain-process.ts');

/** The keychain process inherits no key, and its channel is private. */
export const startKeychain: KeychainStarter = () => {
  const child = fork(KEYCHAIN_PROGRAM, {
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
