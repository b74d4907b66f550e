// Service, store: the error of an unusable store, one line for the user who named the file.

export class StoreError extends Error {
  override readonly name = 'StoreError';
  /**
   * The file itself is sound: another process has it, the disk is full, or no more files can be opened. A
   * retry may succeed.
   */
  readonly passing: boolean;

  constructor(message: string, passing = false) {
    super(message);
    this.passing = passing;
  }
}
