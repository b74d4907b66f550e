// Main, keychain process: sends one request to the system's keychain, and answers.
// It is a process because the keychain's library blocks its thread while the session bus is silent. A blocked
// thread would keep the app from ending; a process is killed by whoever asked.
import { AsyncEntry, findCredentialsAsync } from '@napi-rs/keyring';
import { type KeychainReply, type KeychainRequest, KeychainRequestSchema } from './keychain-messages.ts';

/**
 * Uses only the Secret Service on Linux: the library's fallback, the kernel's keyring, is lost at a reboot.
 */
const PINNED = { linux: { store: 'secret-service' } } as const;
/** A service that nobody keeps a password for. */
const NOBODY = 'barograph: is anybody there?';

async function obey(request: KeychainRequest): Promise<KeychainReply> {
  // An entry blocks this thread from its creation while the bus is silent, and a search does not. So the search
  // waits for the bus, and this thread still notices that the app is gone. Its failure is that of the request.
  if (process.platform === 'linux') await findCredentialsAsync(NOBODY).catch(() => undefined);
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

/** Set in a utility process of Electron; a forked Node has `process.send` instead. */
const parentPort = (process as { parentPort?: ParentPort }).parentPort;
if (parentPort === undefined) {
  // A utility process ends with its app; this one has to notice. SIGKILL, because a normal exit waits for the search.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.once('message', async (request) => process.send?.(await answer(request)));
} else parentPort.once('message', async ({ data }) => parentPort.postMessage(await answer(data)));
