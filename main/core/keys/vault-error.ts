// Main, core: the error of a vault, with a message for the user.
import { messageFrom } from '../../../shared/channels/channel.ts';
import { type Message, textOf } from '../../../shared/text/message.ts';

/** unavailable: the vault cannot store anything now. locked: the vault needs a passphrase. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
  readonly kind: 'unavailable' | 'locked';
  readonly reason: Message;
  constructor(kind: VaultError['kind'], reason: Message) {
    super(textOf(reason));
    this.kind = kind;
    this.reason = reason;
  }
}

/** The message of a caught error. */
export const vaultMessage = (error: unknown): Message =>
  error instanceof VaultError ? error.reason : messageFrom(error);
