// Main, core: the error of a vault, with a message for the user.

/** unavailable: the vault cannot store anything now. locked: a passphrase is needed. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
  readonly kind: 'unavailable' | 'locked';
  constructor(kind: VaultError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}
