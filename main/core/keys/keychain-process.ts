// Main, keychain process: sends one request to the system's keychain, answers, and ends.
// It is a process because the keychain's library blocks its thread while the session bus is silent. A blocked
// thread would keep the app from ending; a process can be killed.
import { isMainThread, parentPort as threadPort, Worker } from 'node:worker_threads';
import { AsyncEntry, findCredentialsAsync } from '@napi-rs/keyring';
import { type KeychainReply, type KeychainRequest, KeychainRequestSchema } from './keychain-messages.ts';

/**
 * Uses only the Secret Service on Linux: the library's fallback, the kernel's keyring, is lost at a reboot.
 */
const PINNED = { linux: { store: 'secret-service' } } as const;

async function obey(request: KeychainRequest): Promise<KeychainReply> {
  switch (request.verb) {
    case 'get':
      return { verb: 'get', password: await new AsyncEntry(request.service, request.account, PINNED).getPassword() };
    case 'set':
      await new AsyncEntry(request.service, request.account, PINNED).setPassword(request.password);
      return { verb: 'set' };
    case 'delete':
      return {
        verb: 'delete',
        deleted: await new AsyncEntry(request.service, request.account, PINNED).deletePassword(),
      };
    case 'find':
      return {
        verb: 'find',
        found: (await findCredentialsAsync(request.service)).map(({ account, password }) => ({ account, password })),
      };
  }
}

async function answer(given: unknown): Promise<KeychainReply> {
  const request = KeychainRequestSchema.safeParse(given);
  if (!request.success) return { verb: 'failed', message: 'the question was not understood' };
  try {
    return await obey(request.data);
  } catch (error) {
    return { verb: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

interface ParentPort {
  once(event: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

if (isMainThread) {
  // The library runs in a thread of its own, so that this thread notices when the app is gone.
  const ask = (request: unknown, reply: (answer: unknown) => void): void => {
    const worker = new Worker(new URL(import.meta.url));
    worker.once('message', reply);
    worker.once('error', (error) => reply({ verb: 'failed', message: error.message } satisfies KeychainReply));
    worker.postMessage(request);
  };
  /**
   * Set in a utility process of Electron, which ends with the application; a forked Node has `process.send`
   * instead.
   */
  const parentPort = (process as { parentPort?: ParentPort }).parentPort;
  if (parentPort === undefined) {
    // SIGKILL, because a normal exit would wait for the thread.
    process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
    process.once('message', (request) => ask(request, (reply) => process.send?.(reply)));
  } else parentPort.once('message', ({ data }) => ask(data, (reply) => parentPort.postMessage(reply)));
} else threadPort?.once('message', async (request) => threadPort?.postMessage(await answer(request)));
