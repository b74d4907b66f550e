// Main, core: the system's keychain as a vault; each request has a process with a deadline.
import type { Clock } from '../../../shared/lib/clock.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import type { KeyVault, ProcessStarter } from '../ports.ts';
import { type KeychainReply, KeychainReplySchema, type KeychainRequest } from './keychain-messages.ts';
import { VaultError } from './vault-error.ts';

/** Starts a process that runs `keychain-process.ts`. */
export type KeychainStarter = ProcessStarter<KeychainRequest>;

/**
 * Deadline of one request, ms. Most of it is for the user, whom the desktop may ask to unlock the keyring.
 */
export const KEYCHAIN_LIMIT = 20_000;

export interface KeychainOptions {
  readonly start: KeychainStarter;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
}

/** @throws VaultError from every verb, where the keychain is missing, refuses, or does not answer in time */
export function createKeychain({ start, clock, platform }: KeychainOptions): KeyVault {
  const fail = (why: Message): VaultError =>
    new VaultError('unavailable', message('keychain.unusable', { platform, why }));
  /** @param text of the library or the process: a clause, without an end */
  const failWith = (text: string): VaultError => fail(plainMessage(text.replace(/\s+/g, ' ').replace(/[.\s]+$/, '')));

  const ask = async <Verb extends KeychainRequest['verb']>(
    request: KeychainRequest & { verb: Verb },
  ): Promise<KeychainReply & { verb: Verb }> => {
    const reply = await new Promise<unknown>((resolve, reject) => {
      const helper = start();
      const cancel = clock.after(KEYCHAIN_LIMIT, () => {
        helper.kill();
        reject(fail(message('keychain.late', { seconds: KEYCHAIN_LIMIT / 1000 })));
      });
      helper.onReply((answer) => {
        cancel();
        helper.kill();
        resolve(answer);
      });
      helper.onEnd((why) => {
        cancel();
        reject(failWith(why));
      });
      helper.send(request);
    });
    const parsed = KeychainReplySchema.safeParse(reply);
    if (!parsed.success) throw fail(message('keychain.unreadable'));
    if (parsed.data.verb === 'failed') throw failWith(parsed.data.message);
    if (parsed.data.verb !== request.verb) throw fail(message('keychain.confused'));
    return parsed.data as KeychainReply & { verb: Verb };
  };

  return {
    tier: message('tier.keychain', { platform }),
    getPassword: async (service, account) => (await ask({ verb: 'get', service, account })).password,
    setPassword: async (service, account, password) => void (await ask({ verb: 'set', service, account, password })),
    deletePassword: async (service, account) => (await ask({ verb: 'delete', service, account })).deleted,
    findCredentials: async (service) => (await ask({ verb: 'find', service })).found,
  };
}
