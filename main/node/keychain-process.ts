// Main, Node shell: starts the keychain process. It inherits no key, and its channel is private.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { KeychainStarter } from '../core/keys/keychain.ts';
import { cleanEnvironment } from '../host/secrets.ts';

const PROGRAM = join(import.meta.dirname, '..', 'core', 'keys', 'keychain-process.ts');

export const startKeychain: KeychainStarter = () => {
  const child = fork(PROGRAM, {
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
