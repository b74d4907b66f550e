// Main, core: reads the secrets of notification channels from the vault.
import type { Clock } from '../../../shared/lib/clock.ts';
import { err, messageOf, ok, type Result } from '../../../shared/lib/result.ts';
import { message, textOf } from '../../../shared/text/message.ts';
import { CHANNEL_SECRETS, SESSION_CHANNEL_SECRETS } from '../keys/key-store.ts';
import type { KeyVault } from '../ports.ts';
import type { Destination } from './channels/channel.ts';
import { channelOf } from './channels/channels.ts';

/** The secret, null where there is none; or why it could not be read. */
export type Secret = Result<string | null, string>;

export interface ChannelSecrets {
  /** Reads it within the time of an attempt; a secret that its receiver accepted is not read again. */
  forAttempt(account: string): Promise<Secret>;
  /** Reads it, however long the user takes to unlock the keychain. */
  forTest(account: string): Promise<Secret>;
  /** The receiver accepted a message with it. */
  accepted(account: string, secret: Secret): void;
  /** The receiver refused it, or a user changed it. */
  forget(account: string): void;
}

/** Wait of an attempt for a secret, ms: with the timeout of a channel, it is below the deadline of an attempt. */
const READ_LIMIT = 4_000;
/** Pause before a secret that could not be read is read again for a receiver that does without, ms. */
const UNREAD_FOR = 60_000;

/**
 * The keychain's name for the secret of a channel; null: it has none. The prefix keeps its old name: keychain
 * items cannot be listed, so they cannot be renamed.
 */
export function secretAccount(channel: string, destination: Destination): string | null {
  const owner = channelOf(destination).secretOwner(destination);
  return owner === null ? null : `outlet:${channel}:${owner}`;
}

export function createChannelSecrets(
  vault: Pick<KeyVault, 'getPassword'>,
  profile: string,
  clock: Clock,
): ChannelSecrets {
  // A keychain is a process for every question, and each alert would wait 50 ms for it.
  const known = new Map<string, { readonly secret: Secret; readonly until: number }>();
  const questions = new Map<string, Promise<Secret>>();
  const read = (account: string): Promise<Secret> =>
    vault
      .getPassword(SESSION_CHANNEL_SECRETS, account)
      .then((secret) => secret ?? vault.getPassword(CHANNEL_SECRETS, account))
      // Earlier versions kept it with the profile in whose window it was typed.
      .then((secret) => secret ?? vault.getPassword(profile, account))
      .then(ok, (error) => err(messageOf(error)));

  /** Attempts share the question that the vault has not answered: a keyring may show a dialog at each. */
  const readInTime = (account: string): Promise<Secret> => {
    const question = questions.get(account) ?? read(account).finally(() => questions.delete(account));
    questions.set(account, question);
    return new Promise((resolve) => {
      const late = textOf(message('delivery.secret_late', { seconds: READ_LIMIT / 1000 }));
      const cancel = clock.after(READ_LIMIT, () => resolve(err(late)));
      void question.then((secret) => {
        cancel();
        resolve(secret);
      });
    });
  };

  return {
    forAttempt(account) {
      const found = known.get(account);
      return found !== undefined && clock.now() < found.until ? Promise.resolve(found.secret) : readInTime(account);
    },
    forTest: read,
    accepted(account, secret) {
      const until = secret.ok ? Number.POSITIVE_INFINITY : clock.now() + UNREAD_FOR;
      if (known.get(account)?.secret !== secret) known.set(account, { secret, until });
    },
    forget: (account) => void known.delete(account),
  };
}
