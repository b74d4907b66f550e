// Main, core: why a vault did not do what it was asked for, as text for the user.

/** unavailable: nothing can be kept there now. locked: a passphrase is needed. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
  readonly kind: 'unavailable' | 'locked';
  constructor(kind: VaultError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}
